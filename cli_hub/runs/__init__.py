"""Runs of installed harnesses: dispatch, and the record of each."""
