"""Macros: workflows over real software as one command with parameters, checks and a result."""

__version__ = "0.1.0"
