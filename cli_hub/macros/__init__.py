"""Macros of installed harnesses: found by their files, run by the macro runtime."""
