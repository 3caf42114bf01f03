"""Where a field stands in the text of a record: asked for every fault, and only for faults."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

Path = tuple[str | int, ...]
_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_KEY = re.compile(rf"[ \t\r\n]*({_STRING})[ \t\r\n]*:[ \t\r\n]*")
_PLAIN = re.compile(rf"{_STRING}|[^\s,\[\]{{}}\"]+")
"""A value that has no others in it, which most are: stepped over, not decoded."""
_NEXT = re.compile(r"[ \t\r\n]*(,?)[ \t\r\n]*")
_STEP = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def steps(field: str) -> Path:
    """``needs[1].probe`` as ``("needs", 1, "probe")``."""
    return tuple(int(number) if number else name for number, name in _STEP.findall(field))


def place_of(text: str, field: str, start: tuple[int, int] = (1, 1)) -> tuple[int, int]:
    """Line and column of *field* in *text*, a JSON value that begins at *start*.

    The deepest part of the path that exists is meant, so a missing field has the place of its
    object.
    """
    at = _skip(text, 0)
    for step in steps(field):
        found = next((place for key, place in _members(text, at) if key == step), None)
        if found is None:
            break
        at = found
    line = start[0] + text.count("\n", 0, at)
    newline = text.rfind("\n", 0, at)
    return line, (at - newline if newline >= 0 else start[1] + at)


def _members(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """The keys (or indexes) of the object (or list) at *at*, with the places of their values."""
    if text[at : at + 1] not in ("{", "["):
        return
    is_object = text[at] == "{"
    at = _skip(text, at + 1)
    index = 0
    while text[at] not in "}]":
        key: str | int = index
        if is_object and (found := _KEY.match(text, at)):
            key, at = _decoded(found[1]), found.end()
        yield key, at
        value = _PLAIN.match(text, at)
        at = value.end() if value else _DECODER.raw_decode(text, at)[1]
        if comma := _NEXT.match(text, at):
            at = comma.end()
        index += 1


def _decoded(key: str) -> str:
    return str(json.loads(key)) if "\\" in key else key[1:-1]


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
