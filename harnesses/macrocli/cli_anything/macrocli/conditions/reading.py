"""Reads conditions from YAML: ``- file_exists: ${out}``, ``- not: {process_running: gimp}``."""

from __future__ import annotations

import json

from cli_anything.macrocli.conditions.kinds import KINDS
from cli_anything.macrocli.conditions.model import Check, Condition, ConditionKind, Group, Junction
from cli_anything.macrocli.fields import Arguments
from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.problems import listed, suggestion
from cli_anything.macrocli.read_arguments import read_arguments, read_template
from cli_anything.macrocli.report import Report

_LEGAL = (*KINDS, *(junction.value for junction in Junction))


def read_conditions(node: Node | None, path: str, report: Report) -> tuple[Condition, ...]:
    """A list of conditions that must all hold."""
    found = (
        read_condition(item, f"{path}[{index}]", report)
        for index, item in enumerate(report.items(node, path))
    )
    return tuple(condition for condition in found if condition is not None)


def read_condition(node: Node, path: str, report: Report) -> Condition | None:
    """One condition, or None after its problems went to *report*."""
    entries = [e for e in node.entries if not e[0].spelling.startswith("x-")]
    if node.kind is not Kind.MAP or len(entries) != 1:
        report.add(
            node.place,
            "a condition is one key with its arguments, such as file_exists: out.png",
            path=path,
            found=node.shown(),
            expected=listed(_LEGAL),
        )
        return None
    key, value = entries[0]
    where = f"{path}.{key.spelling}"
    text = f"{key.spelling}: {_shown(value)}"
    if key.spelling in {junction.value for junction in Junction}:
        return _read_group(Junction(key.spelling), value, where, report, text)
    kind = KINDS.get(key.spelling)
    if kind is None:
        report.add(
            key.place,
            f"unknown condition {key.spelling!r}",
            path=path,
            found=key.spelling,
            expected=listed(_LEGAL),
            hint=suggestion(key.spelling, _LEGAL),
            gap=True,
        )
        return None
    return Check(kind, _read_kind_arguments(kind, value, where, report), key.place, text)


def _read_group(
    junction: Junction, node: Node, path: str, report: Report, text: str
) -> Condition | None:
    if junction is Junction.NOT and node.kind is not Kind.LIST:
        part = read_condition(node, path, report)
        parts: tuple[Condition, ...] = () if part is None else (part,)
    else:
        parts = read_conditions(node, path, report)
    if not parts or (junction is Junction.NOT and len(parts) != 1):
        if node.kind is Kind.LIST and len(node.items) == len(parts):
            report.add(node.place, f"{junction.value} needs conditions", path=path)
        return None
    return Group(junction, parts, node.place, text)


def _read_kind_arguments(kind: ConditionKind, node: Node, path: str, report: Report) -> Arguments:
    if node.kind is Kind.MAP:
        return read_arguments(kind.fields, node, path, report, _no_steps)
    values = node.items if node.kind is Kind.LIST else (node,)
    needed = sum(field.required for field in kind.fields)
    if not needed <= len(values) <= len(kind.fields) or node.is_null:
        report.add(
            node.place,
            f"{kind.name} takes {listed(field.name for field in kind.fields)}",
            path=path,
            found=node.shown(),
            expected=f"{needed} to {len(kind.fields)} values",
        )
        return Arguments(kind.fields)
    templates = {}
    for field, value in zip(kind.fields, values, strict=False):
        template = read_template(field, value, f"{path}.{field.name}", report)
        if template is not None:
            templates[field.name] = template
    return Arguments(kind.fields, templates)


def _shown(node: Node) -> str:
    if node.kind is Kind.SCALAR:
        return node.spelling
    return json.dumps(node.plain(), ensure_ascii=False, default=str)


def _no_steps(_node: Node, path: str) -> None:
    raise AssertionError(f"{path}: no condition takes steps")
