"""Tries one step until it works or its retries are used up; every try is kept."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import HarnessError, Interrupted
from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed
from cli_anything.macrocli.model import Step
from cli_anything.macrocli.outcome import Attempt
from cli_anything.macrocli.parameters import BadValue
from cli_anything.macrocli.plan import PlannedStep
from cli_anything.macrocli.substitution import Lookup, Unresolved

if TYPE_CHECKING:
    from cli_anything.kit.processes import Stop

LONGEST_BACKOFF = 60.0
"""Seconds; the wait doubles with every retry up to this."""


@dataclass(slots=True, repr=False, eq=False)
class Attempts:
    """How the tries of one step went. *error* is the last one's, None when it worked."""

    tried: list[Attempt] = field(default_factory=list)
    output: dict[str, Any] = field(default_factory=dict)
    error: HarnessError | None = None
    notes: list[str] = field(default_factory=list)


def repeat(step: Step, once: Callable[[], dict[str, Any]], stop: Stop | None = None) -> Attempts:
    """Call *once*, and again up to ``max_retries`` times while it fails.

    So ``max_retries: 2`` means at most three tries. What cannot change between two tries, a bad
    argument, is not tried again, and neither is what the user interrupts.
    """
    attempts = Attempts()
    for number in range(1, step.retries + 2):
        began = time.monotonic()
        problem: HarnessError | None = None
        try:
            attempts.output = once()
        except KeyboardInterrupt:
            problem = Interrupted(f"step {step.id} was interrupted")
        except HarnessError as failure:
            problem = failure
            attempts.output = dict(failure.output) if isinstance(failure, StepFailed) else {}
        attempts.tried.append(Attempt(number, time.monotonic() - began, problem))
        attempts.error = problem
        if problem is None or number > step.retries or _is_final(problem):
            break
        if _interrupted_in(backoff(step, number), stop):
            attempts.error = Interrupted(f"step {step.id} was interrupted between two tries")
            break
    return attempts


def was_interrupted(problem: HarnessError | None) -> bool:
    """Whether the user ended it, be it a macro inside another."""
    return problem is not None and problem.code == Interrupted.code


def _is_final(problem: HarnessError) -> bool:
    return isinstance(problem, BadArgument) or was_interrupted(problem)


def _interrupted_in(seconds: float, stop: Stop | None) -> bool:
    """Wait so long; whether the user interrupted that."""
    try:
        if stop is not None:
            return stop.wait(seconds)
        time.sleep(seconds)
    except KeyboardInterrupt:
        return True
    return False


def backoff(step: Step, failures: int) -> float:
    """Seconds to wait after so many failures."""
    return min(step.backoff * 2.0 ** (failures - 1), LONGEST_BACKOFF)


def carry_out(
    planned: PlannedStep,
    lookup: Lookup,
    environment: Mapping[str, str],
    folder: Path,
    stop: Stop | None = None,
) -> Attempts:
    """Do what a routed step says."""
    notes: list[str] = []

    def once() -> dict[str, Any]:
        return perform(planned, lookup, environment, folder, notes, None, stop)

    attempts = repeat(planned.step, once, stop)
    attempts.notes = notes
    return attempts


def perform(
    planned: PlannedStep,
    lookup: Lookup,
    environment: Mapping[str, str],
    folder: Path,
    notes: list[str],
    deadline: float | None,
    stop: Stop | None,
) -> dict[str, Any]:
    """One try of a routed step; raises :class:`HarnessError` when it fails."""
    step, route = planned.step, planned.route
    assert route is not None  # noqa: S101 - macro calls are walked by the runner
    try:
        arguments = route.arguments.fill(lookup)
    except (BadValue, Unresolved) as problem:
        raise BadArgument(f"step {step.id}: {problem}") from None
    if step.timeout is not None:
        own = time.monotonic() + step.timeout
        deadline = own if deadline is None else min(own, deadline)

    def nested(inner: Step) -> dict[str, Any]:
        inside = planned.inner[id(inner)]
        return perform(inside, lookup, environment, folder, notes, deadline, stop)

    context = Context(step.id, environment, folder, deadline, nested, notes, stop)
    return route.action.perform(arguments, context)
