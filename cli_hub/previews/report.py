"""What ``previews inspect`` answers: the document for programs (``preview-report`` schema)."""

from __future__ import annotations

from typing import Any

from cli_hub.previews.models import Artifact, Bundle, Problem, Session, Step


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
