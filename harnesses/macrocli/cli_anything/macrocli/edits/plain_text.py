"""Plain text: literal replacement, line ends kept, bytes outside UTF-8 untouched."""

from __future__ import annotations

from cli_anything.macrocli.edits import EditFailed


def replace_text(content: bytes, find: str, replacement: str) -> tuple[bytes, int]:
    """*content* with every *find* replaced, and how many there were.

    A line break in either text means the line break the content uses.
    """
    if not find:
        raise EditFailed("find is empty: it would match between all characters")
    if b"\r\n" in content:
        find, replacement = _crlf(find), _crlf(replacement)
    wanted = find.encode()
    count = content.count(wanted)
    return content.replace(wanted, replacement.encode()), count


def _crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\n", "\r\n")
