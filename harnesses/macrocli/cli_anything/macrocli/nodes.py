"""YAML with places: every value knows its line, its column and how it was spelt.

Scalars mean what YAML 1.2 says they mean (``yes`` and ``010`` are not a boolean and an octal
number), and keep their spelling, so that an argument list can pass on ``1.0`` as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

import yaml

from cli_anything.macrocli.problems import BadMacro, Place, Problem

SIZE_LIMIT = 1_000_000
"""Characters of YAML that are read; a macro file is a few kilobytes."""

NODE_LIMIT = 50_000
"""Values one file may hold once its aliases are followed."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Leaves scalars as they are spelt: what they mean is decided here, by :func:`scalar_value`."""

    def resolve(self, *_: object) -> str:
        """The tag of a value, for which nobody asks: tags are refused."""
        return ""


Scalar: TypeAlias = str | int | float | bool | None

_WORDS: Mapping[str, Scalar] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
}
# Compiled when a file has its first number; most calls never see one.
_INTEGER = r"[-+]?[0-9]+\Z"
_OCTAL = r"0o[0-7]+\Z"
_HEXADECIMAL = r"0x[0-9a-fA-F]+\Z"
_FLOAT = r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z"


class Kind(Enum):
    SCALAR = "a single value"
    LIST = "a list"
    MAP = "a mapping"


class Node(NamedTuple):
    """One value of a document. Only the fields of its kind are filled.

    A tuple, because a file has thousands of them and making one takes a third of the time.
    """

    kind: Kind
    line: int
    column: int
    value: Scalar = None
    spelling: str = ""
    items: tuple[Node, ...] = ()
    entries: tuple[tuple[Node, Node], ...] = ()

    @property
    def place(self) -> Place:
        return Place(self.line, self.column)

    def get(self, key: str) -> Node | None:
        """The value under *key* of a mapping, if it is there."""
        for name, value in self.entries:
            if name.spelling == key:
                return value
        return None

    def names(self) -> tuple[str, ...]:
        return tuple(name.spelling for name, _ in self.entries)

    @property
    def is_null(self) -> bool:
        return self.kind is Kind.SCALAR and self.value is None

    def plain(self) -> Any:
        """The value as Python data, without places."""
        if self.kind is Kind.LIST:
            return [item.plain() for item in self.items]
        if self.kind is Kind.MAP:
            return {name.spelling: value.plain() for name, value in self.entries}
        return self.value

    def shown(self) -> str:
        """What was found, for a message: short, and as it was written."""
        if self.kind is not Kind.SCALAR:
            return str(self.kind.value)
        if self.value is None and not self.spelling:
            return "nothing"
        text = self.spelling if len(self.spelling) <= 60 else self.spelling[:57] + "…"
        return repr(text) if isinstance(self.value, str) else text


def read_nodes(text: str, source: str) -> Node:
    """Parse one YAML document; raises :class:`BadMacro` with the place of the trouble."""
    if len(text) > SIZE_LIMIT:
        raise BadMacro(source, [Problem(Place(1, 1), f"longer than {SIZE_LIMIT} characters")])
    try:
        root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as problem:
        raise BadMacro(source, [_syntax_problem(problem, text)]) from None
    except yaml.YAMLError as problem:
        raise BadMacro(source, [Problem(Place(1, 1), f"not YAML: {problem}")]) from None
    if root is None:
        raise BadMacro(source, [Problem(Place(1, 1), "the file is empty", expected="a macro")])
    return _Converter(source, text).convert(root, ())


@lru_cache(maxsize=1024)
def scalar_value(text: str) -> Scalar:
    """The YAML 1.2 core meaning of an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if re.match(_INTEGER, text):
        return int(text)
    if re.match(_OCTAL, text):
        return int(text, 8)
    if re.match(_HEXADECIMAL, text):
        return int(text, 16)
    return float(text) if re.match(_FLOAT, text) else text


class _Converter:
    """Turns the parser's tree into ours, refusing what a macro file has no use for."""

    def __init__(self, source: str, text: str) -> None:
        self._source = source
        self._text = text
        self._left = NODE_LIMIT

    def convert(self, node: yaml.Node, above: tuple[yaml.Node, ...]) -> Node:
        mark = node.start_mark
        line, column = mark.line + 1, mark.column + 1
        self._left -= 1
        if self._left < 0:
            self._refuse(Place(line, column), f"more than {NODE_LIMIT} values")
        if self._text.startswith("!", mark.index):
            self._refuse(Place(line, column), "tags such as !!str have no meaning in a macro")
        if isinstance(node, yaml.ScalarNode):
            value = node.value if node.style else scalar_value(node.value)
            return Node(Kind.SCALAR, line, column, value, node.value)
        if node in above:  # nodes are equal to themselves only
            self._refuse(Place(line, column), "an alias that contains itself")
        inside = (*above, node)
        if isinstance(node, yaml.SequenceNode):
            items = tuple([self.convert(item, inside) for item in node.value])
            return Node(Kind.LIST, line, column, items=items)
        return Node(Kind.MAP, line, column, entries=tuple(self._entries(node, inside)))

    def _entries(
        self, node: yaml.Node, inside: tuple[yaml.Node, ...]
    ) -> Iterator[tuple[Node, Node]]:
        seen: dict[str, int] = {}
        for raw_key, raw_value in node.value:
            key = self.convert(raw_key, inside)
            if key.kind is not Kind.SCALAR:
                self._refuse(key.place, f"{key.kind.value} cannot be a key")
            if key.spelling in seen:
                first = seen[key.spelling]
                self._refuse(key.place, f"{key.spelling!r} is here twice; first on line {first}")
            seen[key.spelling] = key.line
            yield key, self.convert(raw_value, inside)

    def _refuse(self, place: Place, message: str) -> None:
        raise BadMacro(self._source, [Problem(place, message)])


def _syntax_problem(problem: yaml.MarkedYAMLError, text: str) -> Problem:
    mark = problem.problem_mark or problem.context_mark
    place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
    said = " ".join(part for part in (problem.context, problem.problem) if part)
    lines = text.splitlines()
    near = lines[place.line - 1] if place.line <= len(lines) else ""
    hint = 'quote it: "${…}" cannot stand bare inside [ ] or { }' if "${" in near else ""
    return Problem(place, f"not YAML: {said}", hint=hint)
