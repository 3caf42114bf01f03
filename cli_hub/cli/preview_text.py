"""The report on a preview as text for people."""

from __future__ import annotations

from typing import Any

from cli_hub.cli.surface import Surface
from cli_hub.previews import wording

_STYLES = {"ok": "good", "active": "good", "partial": "warn", "error": "bad"}
_MARKS = {"ok": "✓", "partial": "!", "error": "✗"}


def print_report(out: Surface, document: dict[str, Any]) -> None:
    """Print what ``inspect`` found: headline first, problems last."""
    title = document["headline"] or document.get("name") or document["bundle_id"]
    out.line(title, "strong")
    out.line(f"{document['software']}/{document['recipe']}  {document['status']}", "dim")
    for warning in document["warnings"]:
        out.line(f"! {warning}", "warn")
    _facts(out, {**document["metrics"], **document["facts"]})
    _artifacts(out, document["artifacts"])
    _steps(out, document)
    if document["next_actions"]:
        out.line("\nNext")
        for action in document["next_actions"]:
            out.line(f"  {action}")
    if document["problems"]:
        out.line(f"\nProblems ({len(document['problems'])})", "bad")
        for problem in document["problems"]:
            out.line(f"  {problem['message']}  [{problem['where']}]")


def _facts(out: Surface, facts: dict[str, Any]) -> None:
    if facts:
        out.line("\nFacts")
        out.table(
            [
                (f"  {wording.spoken(name)}", wording.shown(name, value))
                for name, value in facts.items()
            ]
        )


def _artifacts(out: Surface, artifacts: list[dict[str, Any]]) -> None:
    if artifacts:
        out.line(f"\nArtifacts ({len(artifacts)})")
        out.table(
            [
                (
                    f"  {artifact['role']}",
                    artifact["label"],
                    _measure(artifact),
                    artifact["path"] if artifact["exists"] else f"missing: {artifact['path']}",
                )
                for artifact in artifacts
            ]
        )


def _measure(artifact: dict[str, Any]) -> str:
    parts = [wording.size(artifact["bytes"])]
    if artifact["width"] and artifact["height"]:
        parts.insert(0, f"{artifact['width']}×{artifact['height']}")
    parts.append(wording.duration(artifact["duration_s"]))
    return " ".join(part for part in parts if part)


def _steps(out: Surface, document: dict[str, Any]) -> None:
    steps = document["steps"]
    if not steps:
        return
    out.line(f"\nSteps (showing {len(steps)} of {document['step_count']})")
    for step in steps:
        mark = _MARKS.get(step["status"], "·")
        told = [step["status"], wording.duration(step["duration_s"])]
        if step["attempt"] > 1:
            told.append(f"attempt {step['attempt']}")
        if step["cached"]:
            told.append("unchanged")
        remark = ", ".join(part for part in told if part)
        out.line(f"  {mark} {step['step_id']}  {remark}", _STYLES.get(step["status"], ""))
        if step["command"]:
            out.line(f"      $ {step['command']}", "dim")
