"""What a run leaves behind: the answer document, and everything in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.routing import Route
from cli_anything.macrocli.secrecy import Secrets


class StepStatus(Enum):
    """What became of a step, after its ``on_failure`` and ``when`` were heard."""

    SUCCESS = "success"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_RUN = "not_run"
    PLANNED = "planned"


class RunStatus(Enum):
    SUCCESS = "success"
    PARTIAL = "partial"
    FAILED = "failed"
    DRY_RUN = "dry_run"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Attempt:
    """One try of a step; *error* is None when it worked."""

    number: int
    seconds: float
    error: HarnessError | None = None

    def as_document(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "outcome": "failed" if self.error else "success",
            "duration_ms": round(self.seconds * 1000, 1),
            "timed_out": bool(self.error and self.error.code == "timed_out"),
            "error": self.error.message if self.error else None,
        }


@dataclass(slots=True, repr=False, eq=False)
class StepResult:
    """What happened to one step. *outcome* is what it did, *status* what that means for the run."""

    id: str
    action: str
    status: StepStatus
    route: Route | None = None
    outcome: str = "not_run"
    reason: str = ""
    output: Mapping[str, Any] = field(default_factory=dict)
    attempts: Sequence[Attempt] = ()
    error: HarnessError | None = None
    on_failure: str = "fail"
    notes: Sequence[str] = ()
    seconds: float = 0.0
    steps: Sequence[StepResult] = ()
    """The steps of the macro this step ran."""

    @property
    def backend(self) -> str:
        return self.route.backend.name if self.route else ""

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "id": self.id,
            "action": self.action,
            "backend": self.backend or None,
            "status": self.status.value,
            "outcome": self.outcome,
            "on_failure": self.on_failure,
            "reason": self.reason,
            "duration_ms": round(self.seconds * 1000, 1),
            "output": dict(self.output),
            "error": error_document(self.error),
            "attempts": [attempt.as_document() for attempt in self.attempts],
            "notes": list(self.notes),
        }
        if self.steps:
            document["steps"] = [step.as_document() for step in self.steps]
        return document


@dataclass(slots=True, repr=False, eq=False)
class RunResult:
    """The whole run. :meth:`as_document` is what ``macro run --json`` prints, secrets masked."""

    macro: str
    version: str
    status: RunStatus
    success: bool
    secrets: Secrets
    output: dict[str, Any] = field(default_factory=dict)
    error: HarnessError | None = None
    error_step: str = ""
    steps: list[StepResult] = field(default_factory=list)
    conditions: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    run_id: str = ""
    session_id: str = ""
    started_at: str = ""
    seconds: float = 0.0

    @property
    def exit_code(self) -> int:
        if self.success:
            return 0
        return self.error.exit_code if self.error else 1

    def as_document(self) -> dict[str, Any]:
        error = error_document(self.error)
        if error is not None:
            error["step"] = self.error_step or None
        document: dict[str, Any] = self.secrets.mask(
            {
                "success": self.success,
                "status": self.status.value,
                "output": self.output,
                "error": error,
                "steps": [step.as_document() for step in self.steps],
                "telemetry": self._telemetry(),
            }
        )
        return document

    def _telemetry(self) -> dict[str, Any]:
        statuses = [step.status for step in self.steps]
        return {
            "macro": self.macro,
            "version": self.version,
            "run_id": self.run_id or None,
            "session_id": self.session_id or None,
            "started_at": self.started_at,
            "duration_ms": round(self.seconds * 1000, 1),
            "dry_run": self.status is RunStatus.DRY_RUN,
            "steps_total": len(statuses),
            "steps_run": sum(step.outcome != "not_run" for step in self.steps),
            "steps_failed": sum(step.outcome == "failed" for step in self.steps),
            "steps_skipped": statuses.count(StepStatus.SKIPPED),
            "backends_used": sorted(
                {step.backend for step in self.steps if step.backend and step.outcome != "not_run"}
            ),
            "conditions": self.conditions,
            "warnings": self.warnings,
            "routing": {
                step.id: [one.as_document() for one in step.route.considered]
                for step in self.steps
                if step.route
            },
        }


def error_document(problem: HarnessError | None) -> dict[str, Any] | None:
    if problem is None:
        return None
    return {"code": problem.code, "message": problem.message, "hint": problem.hint}
