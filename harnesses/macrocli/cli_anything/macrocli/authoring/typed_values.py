"""Finds the text a macro types, and turns it into parameters. Pure: text in, text out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from cli_anything.kit.errors import Conflict, NotFound, UsageError
from cli_anything.macrocli.edits import EditFailed
from cli_anything.macrocli.edits.yaml_text import set_value
from cli_anything.macrocli.nodes import Kind, Node, read_nodes
from cli_anything.macrocli.substitution import BadPlaceholder, parse_text, references

_TYPING = "type_text"


@dataclass(frozen=True, slots=True)
class TypedValue:
    """Text a step types as it stands; *spelling* is how the file has it, *keys* where."""

    step: str
    spelling: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """The parameter one typed value becomes."""

    step: str
    name: str
    description: str = ""


def typed_values(text: str, source: str) -> list[TypedValue]:
    """The values of a macro file that could be parameters: typed text without placeholders."""
    root = read_nodes(text, source)
    return [value for part in ("steps", "finally") for value in _in_steps(root.get(part), part)]


def _in_steps(steps: Node | None, part: str) -> Iterator[TypedValue]:
    for number, step in enumerate(steps.items if steps is not None else ()):
        action, identity = _spelt(step, "action"), _spelt(step, "id")
        params = step.get("params")
        typed = params.get("text") if params is not None and params.kind is Kind.MAP else None
        if action != _TYPING or typed is None or typed.kind is not Kind.SCALAR:
            continue
        if not _has_placeholders(typed.spelling):
            keys = (part, str(number), "params", "text")
            yield TypedValue(identity or f"{part}[{number}]", typed.spelling, keys)


def _spelt(node: Node, key: str) -> str:
    found = node.get(key) if node.kind is Kind.MAP else None
    return found.spelling if found is not None else ""


def _has_placeholders(text: str) -> bool:
    try:
        return any(references(parse_text(text)))
    except BadPlaceholder:
        return True  # it is not a value anybody typed


def parameterized(
    text: str,
    values: Sequence[TypedValue],
    namings: Sequence[Naming],
    declared: Mapping[str, object],
) -> str:
    """*text* with each named value as a parameter whose default is what was typed.

    Everything else in the file stays as it is. Raises :class:`NotFound` for a step that types
    nothing, :class:`Conflict` for a name that stands for two texts or is *declared* already.
    """
    by_step = {value.step: value for value in values}
    defaults: dict[str, str] = {}
    for naming in namings:
        value = by_step.get(naming.step)
        if value is None:
            raise NotFound(
                f"no step {naming.step!r} types text that could be a parameter",
                nearest=list(by_step)[:5],
            )
        if naming.name in declared or defaults.get(naming.name, value.spelling) != value.spelling:
            raise Conflict(f"the name {naming.name!r} already stands for something else")
        try:
            if naming.name not in defaults:
                described = {"description": naming.description} if naming.description else {}
                declaration = {"type": "string", "default": value.spelling, **described}
                text = set_value(text, ["parameters", naming.name], declaration)
            text = set_value(text, list(value.keys), f"${{{naming.name}}}")
        except EditFailed as problem:
            raise UsageError(f"the file cannot be changed in place: {problem}") from None
        defaults[naming.name] = value.spelling
    return text
