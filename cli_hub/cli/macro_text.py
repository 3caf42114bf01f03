"""What the macro runtime answered, for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli_hub.cli.surface import Surface
from cli_hub.macros.dispatch import Answer


def tell(out: Surface, verb: str, answer: Answer) -> None:
    """Show an answer; what failed before it began, the runtime has said on standard error."""
    document = answer.document
    if set(document) == {"error"}:
        return
    if verb == "validate":
        _validation(out, document)
    elif verb == "explain":
        _explanation(out, document)
    elif verb == "map":
        _summary(out, document)
    else:
        _run(out, answer)


def _run(out: Surface, answer: Answer) -> None:
    document = answer.document
    steps: list[dict[str, Any]] = document.get("steps") or []
    if steps:
        out.table(
            [(_text(step, "id"), _text(step, "status"), _text(step, "backend")) for step in steps],
            headers=("STEP", "STATUS", "BACKEND"),
        )
    outputs = document.get("output") or {}
    for name, found in outputs.items():
        out.line(f"{name}: {_output(found)}", "bad" if "missing" in found else "good")
    error = document.get("error")
    if isinstance(error, dict):
        out.problem(_text(error, "message"), _text(error, "hint"))
    out.line(f"{document['status']}, run {answer.record.id}")


def _output(found: Any) -> str:
    if not isinstance(found, Mapping):
        return str(found)
    if "missing" in found:
        return f"missing ({found['missing']})"
    if "bytes" in found:
        return f"{found['path']} ({found['bytes']} bytes)"
    return str(found.get("path", found.get("value", found)))


def _validation(out: Surface, document: Mapping[str, Any]) -> None:
    for verdict in document["macros"]:
        for kind, style in (("problems", "bad"), ("warnings", "warn")):
            for found in verdict[kind]:
                place = f"{verdict['file']}:{found['line']}:{found['column']}"
                out.line(f"{place}: {kind.removesuffix('s')}: {found['message']}", style)
                for more in ("expected", "hint"):
                    if found.get(more):
                        out.line(f"  {more}: {found[more]}")
        out.line(f"{verdict['name']} is {'valid' if verdict['valid'] else 'not valid'}")


def _explanation(out: Surface, document: Mapping[str, Any], indent: str = "") -> None:
    for step in document["steps"]:
        by = step["backend"] or ("another macro" if "runs" in step else "nobody here")
        out.line(f"{indent}{step['id']}: {step['action']} by {by}", "strong")
        if step["reason"]:
            out.line(f"{indent}  {step['reason']}")
        for other in step.get("considered", ()):
            if not other["chosen"]:
                out.line(f"{indent}  not {other['backend']}: {other['reason']}", "dim")
        if step.get("remedy"):
            out.line(f"{indent}  to change that: {step['remedy']}")
        if "runs" in step:
            _explanation(out, step["runs"], indent + "  ")


def _summary(out: Surface, document: Mapping[str, Any]) -> None:
    for failure in document["failures"]:
        out.line(f"line {failure['line']}: {failure['message']}", "bad")
    out.line(
        f"{document['succeeded']} of {document['total']} succeeded, {document['failed']} failed, "
        f"{document['skipped']} were done before; results in {document['results']}"
    )


def _text(found: Mapping[str, Any], key: str) -> str:
    return str(found.get(key) or "")
