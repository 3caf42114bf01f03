"""What the preview commands found, as text for people."""

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
    _problems(out, document["problems"])


def print_verdict(out: Surface, document: dict[str, Any]) -> None:
    counted = f"{document['bundles']} bundles, {document['artifacts']} artifacts"
    if document["kind"] == "session":
        counted = f"{document['steps']} steps, {counted}"
    if document["valid"]:
        out.line(f"valid: {counted}", "good")
    else:
        out.line(f"not valid: {counted}", "bad")
    _problems(out, document["problems"])


def print_list(out: Surface, rows: list[dict[str, Any]], *, total: int) -> None:
    if not rows:
        out.line("no previews")
        return
    out.table(
        [
            (
                row["updated_at"][:19].replace("T", " "),
                row["kind"],
                f"{row['software']}/{row['recipe']}",
                row["status"],
                f"{row['name']} ({row['step_count']} steps)" if row["step_count"] else row["name"],
                row["path"],
            )
            for row in rows
        ],
        headers=("WHEN", "KIND", "HARNESS", "STATUS", "NAME", "PATH"),
    )
    if len(rows) < total:
        out.line(f"showing {len(rows)} of {total}", "dim")


def print_difference(out: Surface, document: dict[str, Any]) -> None:
    out.line(f"{document['before']['bundle_id']} → {document['after']['bundle_id']}", "strong")
    if document["same"]:
        out.line("no difference")
        return
    # Producers often repeat a metric as a fact; once is enough for people.
    for change in {c["name"]: c for c in (*document["metrics"], *document["facts"])}.values():
        key, old, new = change["name"], change["old"], change["new"]
        told = f"{wording.shown(key, old)} → {wording.shown(key, new)}"
        out.line(f"  {wording.spoken(key)}: {told}")
    artifacts = document["artifacts"]
    for sign, rows in (("+", artifacts["added"]), ("-", artifacts["removed"])):
        for row in rows:
            out.line(f"  {sign} {row['label']} ({row['role']})")
    for row in artifacts["changed"]:
        image = row["image"]
        if image is None:
            out.line(f"  ~ {row['label']} {row['remark']}".rstrip())
            continue
        where = f" within {tuple(image['bbox'])}" if image["bbox"] else ""
        out.line(f"  ~ {row['label']}: {image['changed_share']:.1%} of the pixels{where}")
        if image["difference_path"]:
            out.line(f"      {image['difference_path']}", "dim")
    out.line(f"  {artifacts['unchanged']} unchanged", "dim")


def print_export(out: Surface, document: dict[str, Any]) -> None:
    size = wording.size(document["bytes"])
    out.line(f"{document['path']}  {document['files']} files, {size}")
    _problems(out, document["problems"])


def _problems(out: Surface, problems: list[dict[str, Any]]) -> None:
    if problems:
        out.line(f"\nProblems ({len(problems)})", "bad")
        for problem in problems:
            out.line(f"  {problem['severity']}: {problem['message']}  [{problem['where']}]")


def _facts(out: Surface, facts: dict[str, Any]) -> None:
    if facts:
        out.line("\nFacts")
        out.table([(f"  {name}", value) for name, value in wording.told(facts)])


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
