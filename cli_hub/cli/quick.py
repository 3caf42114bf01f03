"""The quick way in: an ordinary line of a defined command, without building the command tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cli_hub.cli.definition import Definition, Option


@dataclass(slots=True, repr=False, eq=False)
class Line:
    """A command line that was understood."""

    definition: Definition
    words: list[str] = field(default_factory=list)
    values: dict[str, Any] = field(default_factory=dict)
    json: bool = False


def read(argv: Sequence[str], definitions: Mapping[str, Definition]) -> Line | None:
    """Understand *argv*; ``None`` when anything about it is out of the ordinary.

    Help, mistakes and rare spellings are left to the full command tree, so there is one place that
    words them.
    """
    rest = list(argv)
    json = False
    while rest and rest[0] == "--json":
        json = True
        rest.pop(0)
    if not rest or rest[0] not in definitions:
        return None
    line = Line(definitions[rest.pop(0)], json=json)
    flags = _flags(line.definition)
    while rest:
        word = rest.pop(0)
        if word == "--json":
            line.json = True
        elif not word.startswith("-"):
            line.words.append(word)
        elif not _take(line, word, rest, flags):
            return None
    return line if _complete(line) else None


def _flags(definition: Definition) -> dict[str, Option]:
    pairs = [
        (flag, option) for option in definition.options for flag in (option.flag, option.short)
    ]
    return {flag: option for flag, option in pairs if flag}


def _take(line: Line, word: str, rest: list[str], flags: Mapping[str, Option]) -> bool:
    """Take one option with its value; false when it is not plainly right."""
    flag, equals, value = word.partition("=")
    option = flags.get(flag)
    if option is None or (equals and not flag.startswith("--")):
        return False
    if isinstance(option.default, bool):
        line.values[option.name] = True
        return not equals
    if not equals:
        if not rest or rest[0].startswith("-"):
            return False
        value = rest.pop(0)
    if isinstance(option.default, int | float):
        if not value.isascii() or not value.isdigit() or int(value) < (option.least or 0):
            return False
        line.values[option.name] = type(option.default)(value)
    else:
        line.values[option.name] = value
    return True


def _complete(line: Line) -> bool:
    definition = line.definition
    if not definition.words:
        return not line.words
    if not line.words:
        return definition.optional
    return definition.many or len(line.words) == 1
