"""Reads the arguments of an action or a condition; those without placeholders are checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cli_anything.macrocli.fields import Arguments, Field, fill_in
from cli_anything.macrocli.nodes import Node
from cli_anything.macrocli.parameters import BadValue
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.shapes import Shape, template_of
from cli_anything.macrocli.substitution import BadPlaceholder, Template, references

ReadStep = Callable[[Node, str], Any]
"""Reads a step that stands inside another step's arguments."""


def read_arguments(
    fields: tuple[Field, ...], node: Node | None, path: str, report: Report, read_step: ReadStep
) -> Arguments:
    """Read a mapping of arguments; what is wrong goes to *report*."""
    by_name = {name: declared for declared in fields for name in (declared.name, *declared.aliases)}
    if node is None or node.is_null or not report.mapping(node, path, by_name):
        if node is not None and node.is_null:
            _require(fields, (), node, path, report)
        return Arguments(fields)
    templates: dict[str, Template] = {}
    nested: dict[str, tuple[Any, ...]] = {}
    for key, value in node.entries:
        declared = by_name.get(key.spelling)
        if declared is None:
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
        template = template_of(declared.shape, node)
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


def _no_names(name: str) -> Any:
    raise AssertionError(f"a template without placeholders asked for {name}")
