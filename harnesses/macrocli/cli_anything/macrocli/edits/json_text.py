"""JSON, edited in place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cli_anything.macrocli.edits import EditFailed
from cli_anything.macrocli.edits.address import Keys, shown

_DECODER = json.JSONDecoder()
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SPACE = re.compile(r"[ \t\r\n]*")
_INDENT = re.compile(r"[{\[]\r?\n([ \t]+)")


@dataclass(frozen=True, slots=True)
class _Member:
    """One member of an object or item of a list, by its positions in the text."""

    key: str | int
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class _Container:
    opening: int
    closing: int
    members: tuple[_Member, ...]
    is_object: bool

    def member(self, key: str) -> _Member | None:
        """The member that counts: the last one of that key, as parsers have it."""
        wanted: str | int = key
        if not self.is_object:
            if not key.isdigit():
                raise EditFailed(f"{key!r} is not the number of a list item")
            wanted = int(key)
        return next((m for m in reversed(self.members) if m.key == wanted), None)


def get_value(text: str, keys: Keys) -> Any:
    """The value at *keys*; raises :class:`EditFailed` when there is none."""
    value = _parse(text)
    for depth, key in enumerate(keys):
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError, ValueError):
            raise EditFailed(f"there is no {shown(keys[: depth + 1])}") from None
    return value


def set_value(text: str, keys: Keys, value: Any) -> str:
    """*text* with *value* at *keys*; objects on the way are made where they are missing."""
    _parse(text)
    start = _after_space(text, 0)
    for depth, key in enumerate(keys):
        container = _container(text, start, keys[:depth])
        member = container.member(key)
        if member is None:
            return _insert(text, container, key, _nested(keys[depth + 1 :], value))
        start = member.value
    end = _value_end(text, start)
    return text[:start] + _dump(value, text, _indent_at(text, start)) + text[end:]


def delete_value(text: str, keys: Keys) -> str:
    """*text* without what is at *keys*; raises :class:`EditFailed` when it is not there."""
    if not keys:
        raise EditFailed("the whole document cannot be deleted")
    get_value(text, keys)  # says what is missing
    start = _after_space(text, 0)
    for depth, key in enumerate(keys[:-1]):
        member = _container(text, start, keys[:depth]).member(key)
        start = member.value if member else start
    # A key that is there twice would come back: all of them go.
    while member := (container := _container(text, start, keys[:-1])).member(keys[-1]):
        text = _cut(text, container, member)
        if not container.is_object:
            break
    return text


def _parse(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as problem:
        raise EditFailed(f"not JSON: {problem}") from None


def _after_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _string_end(text: str, start: int) -> int:
    match = _STRING.match(text, start)
    return match.end() if match else start


def _value_end(text: str, start: int) -> int:
    return _DECODER.raw_decode(text, start)[1]


def _container(text: str, opening: int, keys: Sequence[str]) -> _Container:
    """The object or list that opens at *opening*; the text is known to be JSON."""
    if text[opening] not in "{[":
        where = shown(keys) if keys else "the document"
        raise EditFailed(f"{where} is neither an object nor a list")
    is_object = text[opening] == "{"
    members: list[_Member] = []
    position = _after_space(text, opening + 1)
    while text[position] not in "}]":
        start = position
        key: str | int = len(members)
        if is_object:
            position = _string_end(text, start)
            key = json.loads(text[start:position])
            position = _after_space(text, _after_space(text, position) + 1)
        end = _value_end(text, position)
        members.append(_Member(key, start, position, end))
        position = _after_space(text, end)
        if text[position] == ",":
            position = _after_space(text, position + 1)
    return _Container(opening, position, tuple(members), is_object)


def _insert(text: str, container: _Container, key: str, value: Any) -> str:
    if not container.is_object and int(key) != len(container.members):
        raise EditFailed(
            f"the list has {len(container.members)} items; {key} is not one of them, nor the next"
        )
    if container.members:
        last = container.members[-1]
        before = text.rfind("\n", container.opening, last.start)
        own_line = before >= 0 and not text[before : last.start].strip()
        lead = _newline(text) + text[before + 1 : last.start] if own_line else " "
        indent = text[before + 1 : last.start] if own_line else ""
        entry = _entry(text, container, key, value, indent)
        return f"{text[: last.end]},{lead}{entry}{text[last.end :]}"
    outer = _indent_at(text, container.opening)
    unit = _unit(text)
    inner = outer + unit
    entry = _entry(text, container, key, value, inner)
    line = _newline(text)
    body = f"{line}{inner}{entry}{line}{outer}" if unit else entry
    return text[: container.opening + 1] + body + text[container.closing :]


def _entry(text: str, container: _Container, key: str, value: Any, indent: str) -> str:
    shown_value = _dump(value, text, indent)
    if not container.is_object:
        return shown_value
    colon = ": "
    if container.members:
        first = container.members[0]
        colon = text[_string_end(text, first.start) : first.value]
    return f"{json.dumps(key, ensure_ascii=False)}{colon}{shown_value}"


def _cut(text: str, container: _Container, member: _Member) -> str:
    place = container.members.index(member)
    if len(container.members) == 1:
        return text[: container.opening + 1] + text[container.closing :]
    if place + 1 < len(container.members):
        return text[: member.start] + text[container.members[place + 1].start :]
    return text[: container.members[place - 1].end] + text[member.end :]


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _dump(value: Any, text: str, indent: str) -> str:
    """*value* in the style of *text*, its further lines indented by *indent*."""
    unit = _unit(text)
    try:
        shown_value = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=unit or None)
    except (TypeError, ValueError) as problem:
        raise EditFailed(f"the value cannot be written as JSON: {problem}") from None
    return shown_value.replace("\n", _newline(text) + indent)


def _unit(text: str) -> str:
    """One level of indentation, empty for a document on one line."""
    match = _INDENT.search(text)
    return match[1] if match else ""


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
