"""Whether an artifact is what was asked for, judged by its content and never by an exit code."""
