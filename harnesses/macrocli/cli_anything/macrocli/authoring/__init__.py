"""Helps to write macros: typed text becomes parameters, a goal becomes a draft."""
