"""The typed arguments of actions and conditions: declared, read from YAML, filled in later."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from cli_anything.macrocli import durations
from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.parameters import BadValue, Type, coerce
from cli_anything.macrocli.problems import listed, suggestion
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.substitution import (
    BadPlaceholder,
    ListOf,
    Literal,
    Lookup,
    MapOf,
    Reference,
    Template,
    as_text,
    parse_node,
    parse_text,
    references,
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


@dataclass(frozen=True, slots=True)
class Field:
    """One argument. *aliases* are other names it may be written under."""

    name: str
    shape: Shape = Shape.TEXT
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "shape": self.shape.value,
            "required": self.required,
            "default": self.default,
            "choices": list(self.choices),
            "description": self.description,
        }


@dataclass(frozen=True, slots=True)
class Arguments:
    """Arguments as the file gives them, placeholders still in. *nested* holds steps in a step."""

    fields: tuple[Field, ...] = ()
    templates: Mapping[str, Template] = field(default_factory=dict)
    nested: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def references(self) -> Iterator[Reference]:
        for template in self.templates.values():
            yield from references(template)

    def fill(self, lookup: Lookup) -> dict[str, Any]:
        """Every declared argument with its value; raises :class:`BadValue` or ``Unresolved``."""
        values: dict[str, Any] = {}
        for declared in self.fields:
            name = declared.name
            if name in self.nested:
                values[name] = self.nested[name]
            elif name in self.templates:
                try:
                    values[name] = fill_in(declared, self.templates[name], lookup)
                except BadValue as problem:
                    raise BadValue(f"{name} {problem}") from None
            else:
                values[name] = declared.default
        return values


ReadStep = Callable[[Node, str], Any]
"""Reads a step that stands inside another step's arguments."""


def read_arguments(
    fields: tuple[Field, ...], node: Node | None, path: str, report: Report, read_step: ReadStep
) -> Arguments:
    """Read a mapping of arguments; what is wrong goes to *report*."""
    if node is None or node.is_null or not report.mapping(node, path):
        if node is not None and node.is_null:
            _require(fields, (), node, path, report)
        return Arguments(fields)
    by_name = {name: declared for declared in fields for name in (declared.name, *declared.aliases)}
    templates: dict[str, Template] = {}
    nested: dict[str, tuple[Any, ...]] = {}
    for key, value in node.entries:
        declared = by_name.get(key.spelling)
        if declared is None:
            if not key.spelling.startswith("x-"):
                report.add(
                    key.place,
                    f"unknown key {key.spelling!r}",
                    path=path,
                    found=key.spelling,
                    expected=listed(by_name),
                    hint=suggestion(key.spelling, by_name),
                )
            continue
        where = f"{path}.{key.spelling}"
        if declared.shape in (Shape.STEP, Shape.STEPS):
            nested[declared.name] = _read_nested(declared, value, where, report, read_step)
        else:
            template = read_template(declared, value, where, report)
            if template is not None:
                templates[declared.name] = template
    given = tuple(by_name[key].name for key in node.names() if key in by_name)
    _require(fields, given, node, path, report)
    return Arguments(fields, templates, nested)


def _require(
    fields: tuple[Field, ...], given: tuple[str, ...], node: Node, path: str, report: Report
) -> None:
    for declared in fields:
        if declared.required and declared.name not in given:
            report.add(
                node.place,
                f"{declared.name} is missing",
                path=path,
                found="nothing",
                expected=declared.shape.value,
            )


def _read_nested(
    declared: Field, node: Node, path: str, report: Report, read_step: ReadStep
) -> tuple[Any, ...]:
    if declared.shape is Shape.STEP:
        return (read_step(node, path),)
    return tuple(
        read_step(item, f"{path}[{index}]") for index, item in enumerate(report.items(node, path))
    )


def read_template(declared: Field, node: Node, path: str, report: Report) -> Template | None:
    """The template of one argument; a value without placeholders is checked at once."""
    try:
        template = _READERS.get(declared.shape, parse_node)(node)
        if not any(references(template)):
            fill_in(declared, template, _no_names)
    except ValueError as problem:  # BadPlaceholder, BadValue
        report.add(
            node.place,
            f"{path.rpartition('.')[2]} {problem}"
            if isinstance(problem, BadValue)
            else str(problem),
            path=path,
            found=node.shown(),
            expected="" if isinstance(problem, BadPlaceholder) else declared.shape.value,
        )
        return None
    return template


def fill_in(declared: Field, template: Template, lookup: Lookup) -> Any:
    """The value of one argument, in the shape it was declared with."""
    if declared.shape is Shape.WORDS:
        return render_words(template, lookup)
    if declared.shape is Shape.TEXT and isinstance(template, Literal):
        value: Any = template.spelling  # text keeps its spelling: 1.0 stays 1.0
    else:
        value = render(template, lookup)
    shaped = _SHAPERS[declared.shape](value)
    if declared.choices and shaped not in declared.choices:
        raise BadValue(f"must be {listed(declared.choices)}, not {shaped!r}")
    return shaped


def _no_names(name: str) -> Any:
    raise AssertionError(f"a template without placeholders asked for {name}")


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
