"""The command line: asks the runtime and shows the answer."""
