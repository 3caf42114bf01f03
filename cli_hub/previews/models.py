"""The preview objects, as values that are true once they exist.

A *bundle* is an immutable snapshot, a *session* the mutable head of a live preview, its *steps* the
append-only trajectory. The formats are ``preview-bundle/v1``, ``preview-live/v1`` and
``preview-trajectory/v1``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeAlias

Facts: TypeAlias = Mapping[str, Any]


class Code(StrEnum):
    """What can be wrong with a preview. Agents match on these words."""

    BAD_JSON = "bad_json"
    BEING_WRITTEN = "being_written"
    BAD_FIELD = "bad_field"
    MISSING_FIELD = "missing_field"
    MISSING_FILE = "missing_file"
    MISSING_ARTIFACT = "missing_artifact"
    SIZE_MISMATCH = "size_mismatch"
    OUTSIDE_BUNDLE = "outside_bundle"
    TOO_LARGE = "too_large"
    DUPLICATE_ARTIFACT = "duplicate_artifact"
    UNKNOWN_PROTOCOL = "unknown_protocol"
    NEWER_PROTOCOL = "newer_protocol"
    STEP_WITHOUT_BUNDLE = "step_without_bundle"
    COUNT_MISMATCH = "count_mismatch"
    ORPHAN_FOLDER = "orphan_folder"

    @property
    def malformed(self) -> bool:
        """The document itself is damaged, not merely something it points to."""
        return self in {Code.BAD_JSON, Code.BEING_WRITTEN, Code.BAD_FIELD}

    @property
    def only_a_warning(self) -> bool:
        """Worth knowing, yet the preview is whole."""
        return self in {Code.NEWER_PROTOCOL, Code.ORPHAN_FOLDER, Code.COUNT_MISMATCH}


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: *where* is a file and a place in it, ``manifest.json: artifacts[2].bytes``."""

    code: Code
    message: str
    where: str

    @property
    def severity(self) -> str:
        return "warning" if self.code.only_a_warning else "error"


class Status(StrEnum):
    """How a publish ended, or how a session stands. ``UNKNOWN`` when nobody said."""

    OK = "ok"
    PARTIAL = "partial"
    ERROR = "error"
    ACTIVE = "active"
    STOPPED = "stopped"
    UNKNOWN = "unknown"


_SYNONYMS = {
    "success": Status.OK,
    "complete": Status.OK,
    "completed": Status.OK,
    "failed": Status.ERROR,
    "failure": Status.ERROR,
    "running": Status.ACTIVE,
    "live": Status.ACTIVE,
    "ended": Status.STOPPED,
    "": Status.UNKNOWN,
}


def status_of(word: str) -> Status | None:
    """The status a producer's *word* means, ``None`` when it means none."""
    word = word.strip().lower()
    return Status(word) if word in set(Status) else _SYNONYMS.get(word)


_SHOW_ORDER = ("hero", "gallery", "preview-clip", "before", "after", "diff-json", "pipeline-json")


@dataclass(frozen=True, slots=True)
class Artifact:
    """One file of a bundle. *file* is ``None`` when it is missing or outside the bundle."""

    artifact_id: str
    role: str
    kind: str
    media_type: str
    path: str
    label: str
    file: Path | None
    declared_bytes: int | None = None
    actual_bytes: int | None = None
    width: int | None = None
    height: int | None = None
    duration_s: float | None = None
    extra: Facts = field(default_factory=dict)

    @property
    def bytes(self) -> int | None:
        """The size on disk, else what the manifest claims."""
        return self.declared_bytes if self.actual_bytes is None else self.actual_bytes

    @property
    def show_rank(self) -> int:
        """Position in the order of showing: hero, gallery, clip, before and after, data, rest."""
        return _SHOW_ORDER.index(self.role) if self.role in _SHOW_ORDER else len(_SHOW_ORDER)


@dataclass(frozen=True, slots=True)
class Bundle:
    """An immutable snapshot. *artifacts* are in the order of showing."""

    folder: Path
    bundle_id: str
    bundle_kind: str
    software: str
    recipe: str
    status: Status
    created_at: str
    protocol_version: str
    headline: str
    facts: Facts
    metrics: Facts
    context: Facts
    generator: Facts
    source: Facts
    warnings: tuple[str, ...]
    next_actions: tuple[str, ...]
    labels: tuple[str, ...]
    source_bundles: tuple[str, ...]
    artifacts: tuple[Artifact, ...]
    problems: tuple[Problem, ...]
    extra: Facts = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """One publish of a session. *number* counts from 1 over the whole trajectory.

    *attempt* is 2 and more when an earlier step bears the same id: the step was tried again.
    """

    number: int
    step_id: str
    command: str
    status: Status
    bundle_id: str
    bundle_folder: Path | None
    publish_reason: str
    started_at: str
    finished_at: str
    cached: bool
    stage: str
    note: str
    attempt: int = 1

    @property
    def duration_s(self) -> float | None:
        """Seconds between start and finish; ``None`` when either is not told."""
        began, ended = moment(self.started_at), moment(self.finished_at)
        if began is None or ended is None:
            return None
        return max(0.0, round((ended - began).total_seconds(), 3))


@dataclass(frozen=True, slots=True)
class Session:
    """The head of a live preview and a window of its history, oldest step first.

    *step_count* is the number of steps the trajectory has, which may exceed ``len(steps)``.
    """

    folder: Path
    name: str
    software: str
    recipe: str
    status: Status
    protocol_version: str
    project: str
    created_at: str
    updated_at: str
    current_step_id: str
    latest_command: str
    step_count: int
    steps: tuple[Step, ...]
    current: Bundle | None
    problems: tuple[Problem, ...]
    extra: Facts = field(default_factory=dict)


def moment(text: str) -> datetime | None:
    """An ISO-8601 time, ``None`` when *text* is not one. Without a zone it is taken as UTC."""
    try:
        parsed = datetime.fromisoformat(text)
    except ValueError:
        return None
    return parsed if parsed.tzinfo else parsed.fromisoformat(f"{text}+00:00")
