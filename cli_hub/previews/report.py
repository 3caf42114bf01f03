"""What the commands answer to programs; each document has a schema of its name."""

from __future__ import annotations

from typing import Any

from cli_hub.previews.difference import Change, ChangedArtifact, Difference
from cli_hub.previews.listing import Listed
from cli_hub.previews.models import Artifact, Bundle, Problem, Session, Step
from cli_hub.previews.validation import Verdict


def preview_document(preview: Bundle | Session) -> dict[str, Any]:
    """What ``inspect`` answers (schema ``preview-report``)."""
    if isinstance(preview, Bundle):
        return bundle_document(preview)
    return session_document(preview)


def bundle_document(bundle: Bundle) -> dict[str, Any]:
    """The report on one bundle. It has the keys of a session's report, without steps."""
    return {
        "kind": "bundle",
        "path": str(bundle.folder),
        "protocol_version": bundle.protocol_version,
        "software": bundle.software,
        "recipe": bundle.recipe,
        "status": str(bundle.status),
        **_content(bundle),
        "step_count": 0,
        "steps": [],
        "problems": [problem_document(problem) for problem in bundle.problems],
    }


def session_document(session: Session) -> dict[str, Any]:
    """The report on a session: its head, its current bundle, the steps of the window."""
    current = session.current
    return {
        "kind": "session",
        "path": str(session.folder),
        "protocol_version": session.protocol_version,
        "name": session.name,
        "software": session.software,
        "recipe": session.recipe,
        "status": str(session.status),
        "project": session.project,
        "updated_at": session.updated_at,
        **(_content(current) if current else _NOTHING),
        "bundle_status": str(current.status) if current else "unknown",
        "current_step_id": session.current_step_id,
        "latest_command": session.latest_command,
        "step_count": session.step_count,
        "steps": [step_document(step) for step in session.steps],
        "problems": [problem_document(problem) for problem in session.problems],
    }


def step_document(step: Step) -> dict[str, Any]:
    """One step. *duration_s* is ``null`` when the producer did not tell both times."""
    return {
        "number": step.number,
        "step_id": step.step_id,
        "attempt": step.attempt,
        "command": step.command,
        "status": str(step.status),
        "publish_reason": step.publish_reason,
        "started_at": step.started_at,
        "finished_at": step.finished_at,
        "duration_s": step.duration_s,
        "cached": step.cached,
        "note": step.note or step.stage,
        "bundle_id": step.bundle_id,
        "bundle_path": str(step.bundle_folder) if step.bundle_folder else None,
    }


def artifact_document(artifact: Artifact) -> dict[str, Any]:
    """One artifact. *path* is absolute when the file exists, else what the manifest says."""
    return {
        "artifact_id": artifact.artifact_id,
        "role": artifact.role,
        "kind": artifact.kind,
        "media_type": artifact.media_type,
        "label": artifact.label,
        "path": str(artifact.file) if artifact.file else artifact.path,
        "exists": artifact.file is not None,
        "bytes": artifact.bytes,
        "width": artifact.width,
        "height": artifact.height,
        "duration_s": artifact.duration_s,
    }


def problem_document(problem: Problem) -> dict[str, str]:
    return {
        "code": str(problem.code),
        "severity": problem.severity,
        "message": problem.message,
        "where": problem.where,
    }


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    """What ``validate`` answers (schema ``preview-verdict``)."""
    return {
        "valid": verdict.valid,
        "kind": str(verdict.kind),
        "path": str(verdict.folder),
        "bundles": verdict.bundles,
        "steps": verdict.steps,
        "artifacts": verdict.artifacts,
        "problems": [problem_document(problem) for problem in verdict.problems],
    }


def listed_document(item: Listed) -> dict[str, Any]:
    """One row of ``list`` (schema ``preview-list``)."""
    return {
        "kind": str(item.kind),
        "path": str(item.folder),
        "name": item.name,
        "software": item.software,
        "recipe": item.recipe,
        "status": item.status,
        "headline": item.headline,
        "updated_at": item.when.isoformat().replace("+00:00", "Z"),
        "step_count": item.step_count,
        "bundle_id": item.bundle_id,
    }


def difference_document(found: Difference) -> dict[str, Any]:
    """What ``diff`` answers (schema ``preview-difference``)."""
    return {
        "same": found.same,
        "before": _side(found.before),
        "after": _side(found.after),
        "artifacts": {
            "added": [artifact_document(artifact) for artifact in found.added],
            "removed": [artifact_document(artifact) for artifact in found.removed],
            "changed": [_changed_document(item) for item in found.changed],
            "unchanged": found.unchanged,
        },
        "facts": [_change_document(change) for change in found.facts],
        "metrics": [_change_document(change) for change in found.metrics],
    }


def _side(bundle: Bundle) -> dict[str, Any]:
    return {
        "bundle_id": bundle.bundle_id,
        "path": str(bundle.folder),
        "status": str(bundle.status),
        "headline": bundle.headline,
    }


def _changed_document(item: ChangedArtifact) -> dict[str, Any]:
    picture = item.picture
    return {
        "artifact_id": item.after.artifact_id,
        "role": item.after.role,
        "kind": item.after.kind,
        "label": item.after.label,
        "before": artifact_document(item.before),
        "after": artifact_document(item.after),
        "image": None
        if picture is None
        else {
            "changed_share": round(picture.share, 6),
            "changed_pixels": picture.changed_pixels,
            "total_pixels": picture.total_pixels,
            "bbox": list(picture.box) if picture.box else None,
            "size_before": list(picture.size_before),
            "size_after": list(picture.size_after),
            "difference_path": str(item.difference) if item.difference else None,
        },
        "remark": item.remark,
    }


def _change_document(change: Change) -> dict[str, Any]:
    return {"name": change.name, "old": change.old, "new": change.new}


def _content(bundle: Bundle) -> dict[str, Any]:
    return {
        "bundle_id": bundle.bundle_id,
        "bundle_path": str(bundle.folder),
        "bundle_kind": bundle.bundle_kind,
        "created_at": bundle.created_at,
        "headline": bundle.headline,
        "facts": dict(bundle.facts),
        "metrics": dict(bundle.metrics),
        "warnings": list(bundle.warnings),
        "next_actions": list(bundle.next_actions),
        "artifacts": [artifact_document(artifact) for artifact in bundle.artifacts],
    }


_NOTHING: dict[str, Any] = {
    "bundle_id": "",
    "bundle_path": None,
    "bundle_kind": "",
    "created_at": "",
    "headline": "",
    "facts": {},
    "metrics": {},
    "warnings": [],
    "next_actions": [],
    "artifacts": [],
}
