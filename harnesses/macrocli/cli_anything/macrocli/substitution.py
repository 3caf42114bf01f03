"""Placeholders: ``${name}``, ``${steps.<id>.<key>}`` and the quoting filter ``${name|sh}``.

Nothing is ever evaluated. A placeholder that is the whole value keeps the type of what it stands
for; inside text it becomes text; ``$${`` is a literal ``${``. Templates are parsed once, when the
macro is read, so a misspelt name is found before anything runs.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from cli_anything.macrocli.nodes import Kind, Node

_OPENING = re.compile(r"\$?\$\{")
_REFERENCE = re.compile(
    r"(?P<name>[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)(?:\s*\|\s*(?P<filter>[a-z]+))?\Z"
)
FILTERS = ("sh",)


class BadPlaceholder(ValueError):
    """Text with a ``${`` that is not a placeholder."""


class Unresolved(LookupError):
    """A placeholder whose value is not there; *name* is what was asked for."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"${{{name}}}: {why}")
        self.name = name


class Reference(NamedTuple):
    """``${name}`` or ``${name|filter}``."""

    name: str
    filter: str = ""


class Literal(NamedTuple):
    """A value without placeholders. *spelling* is how a scalar was written."""

    value: Any
    spelling: str = ""


class Text(NamedTuple):
    """Text with placeholders in it, in order; ``str`` parts are literal."""

    parts: tuple[str | Reference, ...]


class ListOf(NamedTuple):
    """A list, some of it placeholders."""

    items: tuple[Template, ...]


class MapOf(NamedTuple):
    """A mapping of plain names, some of its values placeholders."""

    entries: tuple[tuple[str, Template], ...]


Template: TypeAlias = Literal | Reference | Text | ListOf | MapOf

Lookup: TypeAlias = Callable[[str], Any]
"""Gives the value of a name or raises :class:`Unresolved`."""


def parse_text(text: str) -> Template:
    """The template a piece of text is; raises :class:`BadPlaceholder`."""
    parts = _joined(_parts(text))
    match parts:
        case []:
            return Literal("", text)
        case [str(alone)]:
            return Literal(alone, alone)
        case [Reference() as alone]:
            return alone
    return Text(tuple(parts))


def parse_node(node: Node) -> Template:
    """The template of any YAML value; keys of mappings are taken as they are."""
    if node.kind is Kind.LIST:
        return ListOf(tuple(parse_node(item) for item in node.items))
    if node.kind is Kind.MAP:
        return MapOf(tuple((name.spelling, parse_node(value)) for name, value in node.entries))
    if isinstance(node.value, str):
        return parse_text(node.value)
    return Literal(node.value, node.spelling)


def references(template: Template) -> Iterator[Reference]:
    """Every placeholder in *template*."""
    match template:
        case Reference():
            yield template
        case Text(parts):
            yield from (part for part in parts if isinstance(part, Reference))
        case ListOf(items):
            for item in items:
                yield from references(item)
        case MapOf(entries):
            for _, value in entries:
                yield from references(value)


def render(template: Template, lookup: Lookup) -> Any:
    """The value of *template*; raises :class:`Unresolved` for a name without a value."""
    match template:
        case Literal(value):
            return value
        case Reference():
            return _resolve(template, lookup)
        case Text(parts):
            return "".join(
                as_text(_resolve(part, lookup)) if isinstance(part, Reference) else part
                for part in parts
            )
        case ListOf(items):
            return [render(item, lookup) for item in items]
        case MapOf(entries):
            return {name: render(value, lookup) for name, value in entries}


def render_words(template: Template, lookup: Lookup) -> list[str]:
    """An argument list: every item one argument, whatever its value holds.

    Items keep their spelling (``1.0`` stays ``1.0``). A placeholder that is a whole item and stands
    for a list gives one argument an element.
    """
    if not isinstance(template, ListOf):
        value = render(template, lookup)
        return [as_text(item) for item in value] if isinstance(value, list) else [as_text(value)]
    words: list[str] = []
    for item in template.items:
        if isinstance(item, Literal):
            words.append(item.spelling)
            continue
        value = render(item, lookup)
        words.extend(map(as_text, value) if isinstance(value, list) else [as_text(value)])
    return words


def as_text(value: Any) -> str:
    """How a value reads inside text: JSON for lists and mappings, ``true`` and ``false``."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False)


def scope(parameters: Mapping[str, Any], steps: Mapping[str, Mapping[str, Any]]) -> Lookup:
    """Look names up among *parameters* and, below ``steps.``, what earlier steps put out."""

    def lookup(name: str) -> Any:
        if not name.startswith("steps."):
            if name in parameters:
                return parameters[name]
            raise Unresolved(name, f"{name} is not set")
        _, step, *keys = name.split(".")
        if step not in steps:
            raise Unresolved(name, f"step {step!r} has not run")
        value: Any = steps[step]
        for key in keys:
            if not isinstance(value, Mapping) or key not in value:
                raise Unresolved(name, f"step {step!r} put out no {'.'.join(keys)!r}")
            value = value[key]
        return value

    return lookup


def _parts(text: str) -> Iterator[str | Reference]:
    position = 0
    while opening := _OPENING.search(text, position):
        yield text[position : opening.start()]
        if opening[0] == "$${":
            yield "${"
            position = opening.end()
            continue
        end = text.find("}", opening.end())
        inside = text[opening.end() : end if end >= 0 else None]
        yield _reference(inside, closed=end >= 0)
        position = end + 1
    yield text[position:]


def _reference(inside: str, *, closed: bool) -> Reference:
    match = _REFERENCE.match(inside.strip()) if closed else None
    if match is None:
        raise BadPlaceholder(
            f"'${{{inside}{'}' if closed else ''}' is not a placeholder; "
            "write $${ for a literal ${"
        )
    if match["filter"] and match["filter"] not in FILTERS:
        raise BadPlaceholder(f"{match['filter']!r} is not a filter; the only one is sh")
    return Reference(match["name"], match["filter"] or "")


def _joined(parts: Iterator[str | Reference]) -> list[str | Reference]:
    """Neighbouring literal parts as one, empty ones left out."""
    joined: list[str | Reference] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] += part
        elif part != "":
            joined.append(part)
    return joined


def _resolve(reference: Reference, lookup: Lookup) -> Any:
    value = lookup(reference.name)
    return shlex.quote(as_text(value)) if reference.filter == "sh" else value
