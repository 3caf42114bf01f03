"""The command line: each command asks the library and shows the answer."""
