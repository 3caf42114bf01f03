"""Surgical edits of text formats: only the addressed value changes.

Comments, key order, indentation, quotes, line ends and doctypes stay as they were, because the new
value is written into the old text at its place; nothing is parsed and printed again.
"""


class EditFailed(ValueError):
    """The address does not exist, or the text is not of its format; the message says which."""
