"""The kit: what agent-native harnesses build on."""

__version__ = "0.1.0"
