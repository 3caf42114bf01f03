"""The command line: ask the library, show the answer. No logic lives here."""
