"""The answers for people: aligned text on standard output, progress on standard error."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cli_anything.kit.cli import note
from cli_anything.macrocli.durations import shown
from cli_anything.macrocli.outcome import StepResult

_MARKS = {"success": "ok", "failed": "FAILED", "skipped": "skipped", "not_run": "not run"}


def progress() -> Callable[[StepResult], None]:
    """Tells each step as it ends, on standard error, when somebody watches."""
    if not sys.stderr.isatty():
        return lambda _step: None

    def tell(step: StepResult) -> None:
        mark = _MARKS.get(step.status.value, step.status.value)
        line = f"  {mark:8} {step.id} ({step.backend or 'macro'}) {shown(step.seconds)}"
        note(line)

    return tell


def run(document: Mapping[str, Any]) -> str:
    """A run or dry run."""
    telemetry = document["telemetry"]
    lines = [_headline(document)]
    rows = [
        (
            _MARKS.get(step["status"], step["status"]),
            step["id"],
            step["backend"] or step["action"],
            shown(step["duration_ms"] / 1000) if step["outcome"] != "not_run" else "",
            step["reason"],
        )
        for step in document["steps"]
    ]
    lines += _table(rows)
    lines += [f"{name}: {_output(found)}" for name, found in document["output"].items()]
    lines += [f"warning: {warning}" for warning in telemetry["warnings"]]
    error = document["error"]
    if error:
        lines.append(f"error: {error['message']}")
        if error["hint"]:
            lines.append(f"hint: {error['hint']}")
    return "\n".join(lines)


def _headline(document: Mapping[str, Any]) -> str:
    telemetry = document["telemetry"]
    name, status = telemetry["macro"], document["status"].replace("_", " ")
    if telemetry["dry_run"]:
        return f"{name}: {status}, nothing was done"
    tolerated = telemetry["steps_failed"]
    failures = f", {tolerated} step(s) failed" if tolerated else ""
    return f"{name}: {status} in {shown(telemetry['duration_ms'] / 1000)}{failures}"


def _output(found: Mapping[str, Any]) -> str:
    if "missing" in found:
        return f"missing ({found['missing']})"
    if "path" in found:
        size = f" ({found['bytes']} bytes)" if "bytes" in found else ""
        return f"{found['path']}{size}"
    return str(found["value"])


def definitions(entries: Sequence[Mapping[str, Any]]) -> str:
    """``macro list``."""
    if not entries:
        return "no macros are found here; macro define NAME starts one"
    rows = [
        (one["address"], one["problem"] or first_sentence(one.get("description", "")))
        for one in entries
    ]
    return "\n".join(_table(rows))


def first_sentence(text: str) -> str:
    """Enough of a description for a list."""
    line = " ".join(text.split())
    end = line.find(". ")
    line = line if end < 0 else line[: end + 1]
    return line if len(line) <= 90 else line[:89] + "…"


def macro(document: Mapping[str, Any]) -> str:
    """``macro info``."""
    lines = [f"{document['name']} {document['version']}".rstrip(), document["description"], ""]
    lines.append("parameters:" if document["parameters"] else "no parameters")
    lines += _table(
        (f"  {name}", p["type"], _needed(p), p["description"])
        for name, p in document["parameters"].items()
    )
    lines.append("steps:")
    lines += _table((f"  {s['id']}", s["action"], s["backend"] or "") for s in document["steps"])
    for kind in ("preconditions", "postconditions"):
        if document[kind]:
            lines += [f"{kind}:", *(f"  {text}" for text in document[kind])]
    if document["outputs"]:
        lines.append("outputs: " + ", ".join(output["name"] for output in document["outputs"]))
    hints = document["agent_hints"]
    lines.append(f"danger: {hints['danger_level']}")
    if hints["side_effects"]:
        lines.append("side effects: " + ", ".join(hints["side_effects"]))
    if hints["reversible"] is not None:
        lines.append(f"reversible: {'yes' if hints['reversible'] else 'no'}")
    if hints["estimated_duration_ms"]:
        lines.append(f"takes about {shown(hints['estimated_duration_ms'] / 1000)}")
    lines += [f"warning: {warning}" for warning in document["warnings"]]
    return "\n".join(lines)


def _needed(parameter: Mapping[str, Any]) -> str:
    if parameter["required"]:
        return "required"
    return "" if parameter["default"] is None else f"default {parameter['default']}"


def validation(document: Mapping[str, Any]) -> str:
    """``macro validate``: problems the way compilers tell them."""
    lines = []
    for verdict in document["macros"]:
        for kind, mark in (("problems", "error"), ("warnings", "warning")):
            for problem in verdict[kind]:
                place = f"{verdict['file']}:{problem['line']}:{problem['column']}"
                rest = "; ".join(
                    part
                    for part in (
                        f"expected {problem['expected']}" if problem["expected"] else "",
                        problem["hint"],
                    )
                    if part
                )
                lines.append(
                    f"{place}: {mark}: {problem['message']}" + (f"; {rest}" if rest else "")
                )
    lines += [f"warning: {warning}" for warning in document["warnings"]]
    sound = sum(verdict["valid"] for verdict in document["macros"])
    lines.append(f"{sound} of {document['checked']} macros are valid")
    return "\n".join(lines)


def routes(document: Mapping[str, Any], indent: str = "") -> str:
    """``macro explain``."""
    lines = []
    for step in document["steps"]:
        lines.append(f"{indent}{step['id']}: {step['action']} → {step['backend'] or 'nobody'}")
        if step["reason"]:
            lines.append(f"{indent}  {step['reason']}")
        if "runs" in step:
            lines.append(routes(step["runs"], indent + "  "))
        lines += [
            f"{indent}  not {one['backend']}: {one['reason']}"
            for one in step.get("considered", ())
            if not one["chosen"]
        ]
        if step.get("remedy"):
            lines.append(f"{indent}  to change that: {step['remedy']}")
    return "\n".join(lines)


def backends(document: Iterable[Mapping[str, Any]]) -> str:
    """``backends``."""
    lines = []
    for one in document:
        state = "available" if one["available"] else f"not available: {one['reason']}"
        lines.append(f"{one['name']:15} {one['priority']:>3}  {state}")
        lines.append(f"{'':20} {', '.join(action['name'] for action in one['actions'])}")
        if one["remedy"]:
            lines.append(f"{'':20} to change that: {one['remedy']}")
    return "\n".join(lines)


def _table(rows: Iterable[Sequence[str]]) -> list[str]:
    rows = [[str(cell) for cell in row] for row in rows]
    if not rows:
        return []
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]


def mapped(document: Mapping[str, Any]) -> str:
    """``macro map``."""
    lines = [f"line {one['line']}: {one['message']}" for one in document["failures"]]
    lines.append(
        f"{document['succeeded']} of {document['total']} succeeded, {document['failed']} failed, "
        f"{document['skipped']} were done before; results in {document['results']}"
    )
    return "\n".join(lines)
