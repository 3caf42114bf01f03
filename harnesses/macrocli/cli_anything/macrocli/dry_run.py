"""What a run would do, told without doing it."""

from __future__ import annotations

from typing import Any

from cli_anything.macrocli.outcome import RunResult, RunStatus, StepResult, StepStatus
from cli_anything.macrocli.parameters import BadValue
from cli_anything.macrocli.plan import Plan, PlannedStep, Planner
from cli_anything.macrocli.substitution import Lookup, Unresolved
from cli_anything.macrocli.walk import begin, check_preconditions, not_run, route_notes


def dry_run(plan: Plan, planner: Planner) -> RunResult:
    """What :func:`run_plan` would do, stopping where it would stop before its first step."""
    walk = begin(plan, planner, lambda _step: None)
    check_preconditions(walk)
    walk.result.steps = [_planned(planned, walk.lookup) for planned in plan.everything()]
    walk.result.status, walk.result.success = RunStatus.DRY_RUN, True
    walk.result.warnings = route_notes(plan)
    return walk.result


def _planned(planned: PlannedStep, lookup: Lookup) -> StepResult:
    """A step of a dry run, with its arguments as far as they are known."""
    result = not_run(planned, "dry run")
    result.status = StepStatus.PLANNED
    if planned.route is not None:
        try:
            arguments = planned.route.arguments.fill(lookup)
        except Unresolved as problem:
            result.reason = f"dry run; {problem}"
        except BadValue as problem:
            result.reason = f"dry run; this step would fail: {problem}"
        else:
            nested = planned.route.arguments.nested
            result.output = {
                "params": {n: _showable(v) for n, v in arguments.items() if n not in nested}
            }
    return result


def _showable(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | list | dict | None) else str(value)
