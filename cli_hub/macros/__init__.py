"""Macros, found by their files in the folders they come from, and run by the macro runtime."""
