"""The shapes an argument can have: how each is read from YAML, and what value it then holds."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from cli_anything.macrocli import durations
from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.parameters import BadValue, Type, coerce
from cli_anything.macrocli.substitution import (
    ListOf,
    Literal,
    Lookup,
    MapOf,
    Reference,
    Template,
    as_text,
    parse_node,
    parse_text,
    render,
    render_words,
)


class Shape(Enum):
    """What an argument holds."""

    TEXT = "text"
    PATH = "a path"
    WORDS = "an argument list"
    INTEGER = "a whole number"
    NUMBER = "a number"
    BOOLEAN = "true or false"
    MILLISECONDS = "a time in milliseconds, or with a unit such as 2s"
    TEXT_MAP = "a mapping of names to text"
    LIST = "a list"
    ANY = "any value"
    STEP = "a step"
    STEPS = "a list of steps"


def template_of(shape: Shape, node: Node) -> Template:
    """The template *node* is; raises :class:`BadValue` or ``BadPlaceholder``."""
    return _READERS.get(shape, parse_node)(node)


def value_of(shape: Shape, template: Template, lookup: Lookup) -> Any:
    """What *template* stands for, in that shape; raises :class:`BadValue` or ``Unresolved``."""
    if shape is Shape.WORDS:
        return render_words(template, lookup)
    if shape is Shape.TEXT and isinstance(template, Literal):
        return template.spelling  # text keeps its spelling: 1.0 stays 1.0
    return _SHAPERS[shape](render(template, lookup))


def _read_text(node: Node) -> Template:
    if node.kind is not Kind.SCALAR:
        raise BadValue(f"must be text, not {node.shown()}")
    return parse_text(node.spelling)


def _read_words(node: Node) -> Template:
    """A list of scalars, or one line split as a shell would split it, before substitution."""
    if node.kind is Kind.MAP:
        raise BadValue(f"must be a list of arguments, not {node.shown()}")
    if node.kind is Kind.LIST:
        if not node.items:
            raise BadValue("must not be empty")
        return ListOf(tuple(_read_text(item) for item in node.items))
    try:
        words = shlex.split(node.spelling)
    except ValueError as problem:
        raise BadValue(f"cannot be split into arguments: {problem}") from None
    if not words:
        raise BadValue("must not be empty")
    templates = [parse_text(word) for word in words]
    if len(templates) == 1 and isinstance(templates[0], Reference):
        return templates[0]
    return ListOf(tuple(templates))


def _read_text_map(node: Node) -> Template:
    if node.kind is Kind.MAP:
        return MapOf(tuple((name.spelling, _read_text(value)) for name, value in node.entries))
    return parse_node(node)


_READERS: Mapping[Shape, Callable[[Node], Template]] = {
    Shape.TEXT: _read_text,
    Shape.PATH: _read_text,
    Shape.WORDS: _read_words,
    Shape.TEXT_MAP: _read_text_map,
}


def _path(value: Any) -> Path:
    text = coerce(Type.STRING, value)
    if not text or "\0" in text:
        raise BadValue("must be a path, not " + ("empty" if not text else "text with NUL in it"))
    return Path(text).expanduser()


def _milliseconds(value: Any) -> float:
    """Seconds, from a bare number of milliseconds or a duration with its unit."""
    if isinstance(value, str) and not value.strip().replace(".", "", 1).isdigit():
        try:
            return durations.seconds(value)
        except ValueError as problem:
            raise BadValue(f"must be a time: {problem}") from None
    amount = float(coerce(Type.FLOAT, value)) / 1000
    if amount < 0:
        raise BadValue("must not be negative")
    return amount


def _text_map(value: Any) -> dict[str, str]:
    return {name: as_text(item) for name, item in coerce(Type.DICT, value).items()}


_SHAPERS: Mapping[Shape, Callable[[Any], Any]] = {
    Shape.TEXT: as_text,
    Shape.PATH: _path,
    Shape.INTEGER: lambda value: coerce(Type.INTEGER, value),
    Shape.NUMBER: lambda value: coerce(Type.FLOAT, value),
    Shape.BOOLEAN: lambda value: coerce(Type.BOOLEAN, value),
    Shape.MILLISECONDS: _milliseconds,
    Shape.TEXT_MAP: _text_map,
    Shape.LIST: lambda value: coerce(Type.LIST, value),
    Shape.ANY: lambda value: value,
}
