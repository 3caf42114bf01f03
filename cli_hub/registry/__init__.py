"""What exists: entries, the sources they come from, search, and the tools of maintainers."""
