"""Reads the ``parameters`` of a macro file."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.parameters import BadValue, Parameter, Type, coerce
from cli_anything.macrocli.problems import listed, suggestion
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.substitution import (
    BadPlaceholder,
    Literal,
    Template,
    parse_node,
    references,
    render,
    scope,
)

KEYS = (
    "type", "required", "default", "enum", "min", "max", "pattern", "secret", "allow_empty",
    "description", "example",
)  # fmt: skip

_NAME = r"[A-Za-z_][A-Za-z0-9_-]*\Z"
_TYPES = [kind.value for kind in Type]
_COUNTED = (Type.INTEGER, Type.FLOAT)
_SPELT = (Type.STRING, Type.PATH)


def read_parameters(node: Node | None, report: Report) -> dict[str, Parameter]:
    """The declared parameters by name, in the file's order."""
    if node is None or node.is_null or not report.mapping(node, "parameters"):
        return {}
    found = {}
    for key, value in node.entries:
        path = f"parameters.{key.spelling}"
        if not re.match(_NAME, key.spelling) or key.spelling == "steps":
            report.add(
                key.place,
                f"{key.spelling!r} cannot name a parameter",
                path=path,
                found=key.spelling,
                expected="letters, digits, _ and -, not starting with a digit; not 'steps'",
            )
            continue
        found[key.spelling] = _read_parameter(key.spelling, value, path, report)
    _refuse_circles(found, node, report)
    return found


def _read_parameter(name: str, node: Node, path: str, report: Report) -> Parameter:
    if node.is_null:
        return Parameter(name)
    if not report.mapping(node, path, KEYS):
        return Parameter(name)
    kind = _read_type(node.get("type"), f"{path}.type", report)
    parameter = Parameter(
        name,
        type=kind,
        required=report.boolean(node.get("required"), f"{path}.required", default=False),
        enum=_read_enum(node.get("enum"), kind, f"{path}.enum", report),
        minimum=_read_bound(node.get("min"), kind, f"{path}.min", report),
        maximum=_read_bound(node.get("max"), kind, f"{path}.max", report),
        pattern=_read_pattern(node.get("pattern"), kind, f"{path}.pattern", report),
        secret=report.boolean(node.get("secret"), f"{path}.secret", default=False),
        allow_empty=report.boolean(node.get("allow_empty"), f"{path}.allow_empty", default=False),
        description=report.text(node.get("description"), f"{path}.description").strip(),
        example=example.plain() if (example := node.get("example")) else None,
    )
    default = _read_default(node.get("default"), parameter, f"{path}.default", report)
    if default is not None and parameter.required:
        report.warn(node.place, f"{name} is required, so its default is never used", path=path)
        return parameter
    return _with_default(parameter, default)


def _with_default(parameter: Parameter, default: Template | None) -> Parameter:
    return replace(parameter, default=default)


def _read_type(node: Node | None, path: str, report: Report) -> Type:
    if node is None:
        return Type.STRING
    word = report.text(node, path)
    if word not in _TYPES:
        report.add(
            node.place,
            f"unknown type {word!r}",
            path=path,
            found=word,
            expected=listed(_TYPES),
            hint=suggestion(word, _TYPES),
        )
        return Type.STRING
    return Type(word)


def _typed(node: Node, kind: Type) -> Any:
    """A value in the file; text keeps its spelling."""
    spelt = node.kind is Kind.SCALAR and kind in _SPELT
    return coerce(kind, node.spelling if spelt else node.plain())


def _literal(node: Node, template: Template, kind: Type) -> Any:
    """A value without placeholders, in which ``$${`` stands for ``${``."""
    if node.kind is Kind.SCALAR and not isinstance(node.value, str):
        return _typed(node, kind)
    return coerce(kind, render(template, scope({}, {})))


def _read_enum(node: Node | None, kind: Type, path: str, report: Report) -> tuple[Any, ...]:
    values = []
    for index, item in enumerate(report.items(node, path)):
        try:
            values.append(_typed(item, kind))
        except BadValue as problem:
            where = f"{path}[{index}]"
            report.add(item.place, f"{where} {problem}", path=where, found=item.shown())
    return tuple(values)


def _read_bound(node: Node | None, kind: Type, path: str, report: Report) -> float | None:
    if node is not None and kind not in _COUNTED:
        report.add(
            node.place,
            f"{path.rpartition('.')[2]} has no meaning for the type {kind.value}",
            path=path,
            found=node.shown(),
            expected=f"type {listed(counted.value for counted in _COUNTED)}",
        )
        return None
    return report.number(node, path)


def _read_pattern(node: Node | None, kind: Type, path: str, report: Report) -> str:
    pattern = report.text(node, path)
    if node is not None and kind not in _SPELT:
        report.add(
            node.place,
            f"pattern has no meaning for the type {kind.value}",
            path=path,
            expected=f"type {listed(spelt.value for spelt in _SPELT)}",
        )
        return ""
    try:
        re.compile(pattern)
    except re.error as problem:
        assert node is not None  # noqa: S101 - an empty pattern compiles
        report.add(node.place, f"not a regular expression: {problem}", path=path, found=pattern)
        return ""
    return pattern


def _read_default(
    node: Node | None, parameter: Parameter, path: str, report: Report
) -> Template | None:
    if node is None or node.is_null:
        return None
    try:
        template = parse_node(node)
        if any(references(template)):
            return template
        return Literal(parameter.value(_literal(node, template, parameter.type)), node.spelling)
    except BadPlaceholder as problem:
        report.add(node.place, str(problem), path=path, found=node.shown())
    except BadValue as problem:
        report.add(
            node.place,
            f"the default {problem}",
            path=path,
            found=node.shown(),
            expected=parameter.type.value,
        )
    return None


def _refuse_circles(parameters: dict[str, Parameter], node: Node, report: Report) -> None:
    """Defaults may name other parameters, but not each other in a circle."""
    needs = {
        name: {r.name for r in references(p.default)} if p.default is not None else set()
        for name, p in parameters.items()
    }
    for name, wanted in needs.items():
        for unknown in sorted(wanted - set(parameters)):
            place = node.entries[list(node.names()).index(name)][0].place
            report.add(
                place,
                f"the default of {name} names {unknown!r}, which is not a parameter",
                path=f"parameters.{name}.default",
                hint=suggestion(unknown, parameters) or "write $${ for a literal ${",
            )
            parameters[name] = _with_default(parameters[name], None)
            wanted.discard(unknown)
    for name in list(needs):
        if _reaches(name, name, needs, set()):
            place = node.entries[list(node.names()).index(name)][0].place
            report.add(
                place, f"the default of {name} needs itself", path=f"parameters.{name}.default"
            )
            parameters[name] = _with_default(parameters[name], None)


def _reaches(start: str, goal: str, needs: dict[str, set[str]], seen: set[str]) -> bool:
    for wanted in needs.get(start, set()) - seen:
        seen.add(wanted)
        if wanted == goal or _reaches(wanted, goal, needs, seen):
            return True
    return False
