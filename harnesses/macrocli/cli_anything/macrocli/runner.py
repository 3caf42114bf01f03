"""Carries out a plan: preconditions, steps, ``finally``, postconditions, outputs."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import HarnessError, Interrupted
from cli_anything.kit.interrupts import watched_for
from cli_anything.macrocli.artifacts import collect_outputs, missing_outputs
from cli_anything.macrocli.attempts import Attempts, carry_out, repeat, was_interrupted
from cli_anything.macrocli.backends.base import BadArgument
from cli_anything.macrocli.conditions.evaluate import evaluate
from cli_anything.macrocli.model import OnFailure
from cli_anything.macrocli.outcome import RunResult, RunStatus, StepResult, StepStatus
from cli_anything.macrocli.plan import Plan, PlannedStep, Planner
from cli_anything.macrocli.substitution import Unresolved, render
from cli_anything.macrocli.walk import (
    Progress,
    Walk,
    begin,
    check_postconditions,
    check_preconditions,
    not_run,
    route_notes,
)

if TYPE_CHECKING:
    from cli_anything.kit.processes import Stop


class NestedFailed(HarnessError):
    """The macro a step ran did not succeed; the code and exit code are those of its own error."""

    def __init__(self, result: RunResult) -> None:
        inner = result.error
        super().__init__(
            f"macro {result.macro}: {inner.message if inner else result.status.value}",
            hint=inner.hint if inner else "",
        )
        if inner is not None:
            self.code = inner.code  # type: ignore[misc]
            self.exit_code = inner.exit_code  # type: ignore[misc]


def run_plan(
    plan: Plan,
    planner: Planner,
    *,
    progress: Progress = lambda _step: None,
    stop: Stop | None = None,
) -> RunResult:
    """Walk *plan* to its end; what fails after the first step began is in the result.

    Ctrl-C, or *stop* from another thread, ends the step that runs with all it started; the steps
    under ``finally`` are done all the same. Raises :class:`PreconditionFailed` before anything has
    been done.
    """
    walk = begin(plan, planner, progress)
    walk.stop = stop
    began = time.monotonic()
    check_preconditions(walk)
    with watched_for():
        _walk_everything(walk)
    if walk.result.error is None:
        check_postconditions(walk)
    walk.result.output = collect_outputs(plan.macro.outputs, walk.lookup)
    _conclude(walk)
    walk.result.seconds = time.monotonic() - began
    return walk.result


def _walk_everything(walk: Walk) -> None:
    try:
        _walk_steps(walk, walk.plan.steps)
    except KeyboardInterrupt:
        walk.result.error = Interrupted("interrupted between two steps")
    finally:
        walk.stop = None  # cleaning up is done in any case
        _walk_cleanup(walk)


def _walk_steps(walk: Walk, steps: Sequence[PlannedStep]) -> None:
    for number, planned in enumerate(steps):
        result = _do(walk, planned)
        if _ends_the_run(planned, result):
            _blame(walk, result)
            for left in steps[number + 1 :]:
                walk.result.steps.append(not_run(left, f"step {planned.step.id} failed"))
            return


def _walk_cleanup(walk: Walk) -> None:
    """Every step under ``finally`` is tried, whatever became of the others."""
    for planned in walk.plan.cleanup:
        result = _do(walk, planned)
        if _ends_the_run(planned, result):
            _blame(walk, result)
        if was_interrupted(result.error):
            return  # whoever asks twice does not want to wait


def _ends_the_run(planned: PlannedStep, result: StepResult) -> bool:
    failed = result.status is StepStatus.FAILED
    return failed and (planned.step.on_failure is OnFailure.FAIL or was_interrupted(result.error))


def _blame(walk: Walk, result: StepResult) -> None:
    """The first failure is the error of the run."""
    if walk.result.error is None:
        walk.result.error, walk.result.error_step = result.error, result.id


def _do(walk: Walk, planned: PlannedStep) -> StepResult:
    """One step, recorded."""
    began = time.monotonic()
    result = _attempt(walk, planned)
    result.seconds = time.monotonic() - began
    walk.put_out[planned.step.id] = {
        **result.output,
        "status": result.status.value,
        "outcome": result.outcome,
    }
    walk.result.steps.append(result)
    walk.progress(result)
    return result


def _attempt(walk: Walk, planned: PlannedStep) -> StepResult:
    step = planned.step
    result = StepResult(
        step.id,
        step.action,
        StepStatus.SKIPPED,
        planned.route,
        on_failure=step.on_failure.value,
        notes=[note] if planned.route and (note := planned.route.note) else [],
    )
    if step.when is not None:
        verdict = evaluate(step.when, walk.lookup, walk.world)
        if not verdict.met:
            result.reason = f"when {step.when.text}: {verdict.reason}"
            return result
    if planned.called is not None:
        attempts = _carry_out_call(walk, planned, result)
    else:
        folder = walk.plan.macro.folder
        attempts = carry_out(planned, walk.lookup, walk.planner.environment, folder, walk.stop)
    result.attempts = attempts.tried
    result.output = attempts.output
    result.error = attempts.error
    result.notes = [*result.notes, *attempts.notes]
    result.outcome = "failed" if attempts.error else "success"
    if attempts.error is None:
        result.status = StepStatus.SUCCESS
    elif step.on_failure is OnFailure.SKIP and not was_interrupted(attempts.error):
        result.status = StepStatus.SKIPPED
        result.reason = f"failed, and on_failure is skip: {attempts.error.message}"
    else:
        result.status = StepStatus.FAILED
    return result


def _carry_out_call(walk: Walk, planned: PlannedStep, result: StepResult) -> Attempts:
    """Run the macro a step calls; its steps become part of the step's own record."""
    step, called = planned.step, planned.called
    assert called is not None and step.call is not None  # noqa: S101, PT018
    arguments = step.call.arguments

    def once() -> dict[str, Any]:
        try:
            given = {name: render(template, walk.lookup) for name, template in arguments.items()}
        except Unresolved as problem:
            raise BadArgument(f"step {step.id}: {problem}") from None
        above = (*walk.plan.above, walk.plan.macro.name)
        plan = walk.planner.plan(called, given, above)
        walk.result.secrets = walk.result.secrets.joined(plan.secrets)
        inner = run_plan(plan, walk.planner, progress=walk.progress, stop=walk.stop)
        result.steps = inner.steps
        if not inner.success:
            raise NestedFailed(inner)
        return {name: _plain_output(found) for name, found in inner.output.items()}

    return repeat(step, once, walk.stop)


def _plain_output(found: Mapping[str, Any]) -> Any:
    """An output as another macro reads it: the path of a file, or the value."""
    return found.get("path", found.get("value"))


def _conclude(walk: Walk) -> None:
    result, macro = walk.result, walk.plan.macro
    result.warnings = [*route_notes(walk.plan), *missing_outputs(macro.outputs, result.output)]
    result.success = result.error is None
    tolerated = any(step.status is StepStatus.FAILED for step in result.steps)
    lacking = bool(missing_outputs(macro.outputs, result.output))
    if result.success:
        result.status = RunStatus.PARTIAL if tolerated or lacking else RunStatus.SUCCESS
