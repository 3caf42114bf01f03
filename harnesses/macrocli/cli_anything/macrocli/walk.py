"""One run while it goes on: what is known, what was found out, and its conditions."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.conditions.evaluate import evaluate
from cli_anything.macrocli.conditions.model import Condition, World
from cli_anything.macrocli.outcome import RunResult, RunStatus, StepResult, StepStatus
from cli_anything.macrocli.plan import Plan, PlannedStep, Planner
from cli_anything.macrocli.substitution import Lookup, scope

if TYPE_CHECKING:
    from cli_anything.kit.processes import Stop

Progress = Callable[[StepResult], None]
"""Told of every step as it ends."""


class PreconditionFailed(HarnessError):
    """The world is not as the macro needs it; nothing has been done."""

    code = "precondition_failed"


class PostconditionFailed(HarnessError):
    """All steps are through, but what they should have brought about is not there."""

    code = "postcondition_failed"


@dataclass(slots=True, repr=False, eq=False)
class Walk:
    """A run and its state. *put_out* is what the steps put out, by their ids."""

    plan: Plan
    planner: Planner
    world: World
    result: RunResult
    progress: Progress
    stop: Stop | None = None
    put_out: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def lookup(self) -> Lookup:
        return scope(self.plan.values, self.put_out)


def begin(plan: Plan, planner: Planner, progress: Progress) -> Walk:
    now = time.time()
    result = RunResult(
        plan.macro.name,
        plan.macro.version,
        RunStatus.FAILED,
        success=False,
        secrets=plan.secrets,
        started_at=datetime.fromtimestamp(now, UTC).isoformat(timespec="milliseconds"),
    )
    return Walk(plan, planner, World(planner.environment, now), result, progress)


def check_preconditions(walk: Walk) -> None:
    unmet = _check(walk, walk.plan.macro.preconditions, "precondition")
    if unmet:
        raise PreconditionFailed(
            walk.plan.secrets.mask("precondition not met: " + "; ".join(unmet)),
            hint="bring it about, then run this again; nothing has been done",
            details={"conditions": walk.plan.secrets.mask(walk.result.conditions)},
        )


def check_postconditions(walk: Walk) -> None:
    unmet = _check(walk, walk.plan.macro.postconditions, "postcondition")
    if unmet:
        walk.result.error = PostconditionFailed(
            "postcondition not met: " + "; ".join(unmet),
            hint="the steps are through but their result is not as promised",
        )


def _check(walk: Walk, conditions: Sequence[Condition], phase: str) -> list[str]:
    unmet = []
    for condition in conditions:
        verdict = evaluate(condition, walk.lookup, walk.world)
        walk.result.conditions.append(
            {
                "phase": phase,
                "condition": condition.text,
                "met": verdict.met,
                "reason": verdict.reason,
            }
        )
        if not verdict.met:
            unmet.append(f"{condition.text} ({verdict.reason})")
    return unmet


def route_notes(plan: Plan) -> list[str]:
    return [
        f"step {planned.step.id}: {planned.route.note}"
        for planned in plan.everything()
        if planned.route and planned.route.note
    ]


def not_run(planned: PlannedStep, reason: str) -> StepResult:
    step = planned.step
    return StepResult(
        step.id,
        step.action,
        StepStatus.NOT_RUN,
        planned.route,
        reason=reason,
        on_failure=step.on_failure.value,
    )
