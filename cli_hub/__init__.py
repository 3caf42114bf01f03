"""CLI-Hub: find, install, run and watch agent-native command-line harnesses."""

__version__ = "0.1.0"
