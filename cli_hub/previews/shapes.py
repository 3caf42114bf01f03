"""Older and looser shapes of the preview documents, turned into the one the readers expect.

Producers in the wild write lists under other names, commands as argument lists, artifacts as a
table by id. All of it is known here and nowhere else.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

STEP_LISTS = ("steps", "commands", "events", "publishes", "entries", "history")
"""Names under which a trajectory keeps its steps."""

TRAJECTORY_FILES = ("trajectory.json", "timeline.json")


class Document(StrEnum):
    """The documents of the protocols, each with its current version."""

    BUNDLE = "preview-bundle"
    SUMMARY = "preview-summary"
    SESSION = "preview-live"
    TRAJECTORY = "preview-trajectory"
    STEP = "preview-step"


_ALIASES: Mapping[Document, Mapping[str, tuple[str, ...]]] = {
    Document.BUNDLE: {
        "bundle_id": ("id",),
        "bundle_kind": ("kind",),
        "created_at": ("timestamp", "created"),
        "artifacts": ("files", "outputs"),
    },
    Document.SUMMARY: {
        "headline": ("title", "summary"),
        "next_actions": ("next_steps", "suggestions"),
    },
    Document.SESSION: {
        "session_name": ("name", "session_id"),
        "current_bundle_id": ("latest_bundle_id", "bundle_id"),
        "trajectory_path": ("timeline_path",),
    },
    Document.TRAJECTORY: {"steps": STEP_LISTS[1:]},
    Document.STEP: {
        "step_id": ("id", "event_id"),
        "step_index": ("index", "n"),
        "command": ("cmd", "argv", "command_line", "latest_command"),
        "command_started_at": ("started_at", "start"),
        "command_finished_at": ("finished_at", "ended_at", "end", "created_at", "timestamp"),
        "publish_reason": ("reason", "latest_publish_reason"),
        "bundle_id": ("current_bundle_id",),
        "stage_label": ("stage", "label"),
        "note": ("message",),
    },
}


def normalise(kind: Document, raw: Mapping[str, Any]) -> dict[str, Any]:
    """*raw* in the current shape of *kind*; what is already current, or unknown, is kept as is."""
    shaped = dict(raw)
    for name, older in _ALIASES[kind].items():
        if name not in shaped:
            found = next((alias for alias in older if alias in shaped), None)
            if found is not None:
                shaped[name] = shaped[found]
    reshape = _RESHAPE.get(kind)
    return reshape(shaped) if reshape else shaped


def _bundle(shaped: dict[str, Any]) -> dict[str, Any]:
    artifacts = shaped.get("artifacts")
    if isinstance(artifacts, dict):
        shaped["artifacts"] = [
            {"artifact_id": name, **(row if isinstance(row, dict) else {"path": row})}
            for name, row in artifacts.items()
        ]
    return shaped


def _step(shaped: dict[str, Any]) -> dict[str, Any]:
    command = shaped.get("command")
    if isinstance(command, list):
        shaped["command"] = shlex.join(str(word) for word in command)
    elif isinstance(command, dict):
        inner = command.get("argv") or command.get("command") or ""
        shaped["command"] = shlex.join(map(str, inner)) if isinstance(inner, list) else str(inner)
    return shaped


_RESHAPE: Mapping[Document, Callable[[dict[str, Any]], dict[str, Any]]] = {
    Document.BUNDLE: _bundle,
    Document.STEP: _step,
}
