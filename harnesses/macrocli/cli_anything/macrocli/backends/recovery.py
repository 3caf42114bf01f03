"""Tries again, and tries something else; only where a step asks for it by name."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.backends.base import (
    Action,
    Backend,
    BadArgument,
    Context,
    StepFailed,
    StepTimedOut,
    always_available,
)
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape

_LONGEST_WAIT = 60.0


def retry(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """One step, up to ``attempts`` times."""
    (step,) = arguments["step"]
    return _try(context, [step] * _attempts(arguments), arguments["backoff_ms"], label="attempt")


def retry_with_fallback(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Each of several steps, up to ``attempts`` times, until one works."""
    if not arguments["steps"]:
        raise BadArgument("steps is empty")
    steps = [step for step in arguments["steps"] for _ in range(_attempts(arguments))]
    return _try(context, steps, arguments["backoff_ms"], label="path")


def _attempts(arguments: Mapping[str, Any]) -> int:
    wanted: int = arguments["attempts"]
    if not 1 <= wanted <= 100:
        raise BadArgument(f"attempts must be from 1 to 100, not {wanted}")
    return wanted


def _try(context: Context, steps: list[Any], wait: float, *, label: str) -> dict[str, Any]:
    assert context.perform is not None  # noqa: S101 - the runner always gives it
    tried: list[dict[str, Any]] = []
    for number, step in enumerate(steps, start=1):
        record: dict[str, Any] = {"number": number, "step": step.id, "action": step.action}
        tried.append(record)
        try:
            output = context.perform(step)
        except StepTimedOut as problem:
            record |= {"outcome": "failed", "error": problem.message}
            if context.remaining() == 0:
                raise StepTimedOut(problem.message, output={"tried": tried}) from None
        except HarnessError as problem:
            record |= {"outcome": "failed", "error": problem.message}
        else:
            record["outcome"] = "success"
            return {**output, "tried": tried, "taken": number, "action": step.action}
        if number < len(steps):
            _wait(context, min(wait * 2.0 ** (number - 1), _LONGEST_WAIT), tried)
    raise StepFailed(
        f"every {label} failed; the last: {tried[-1]['error']}", output={"tried": tried}
    )


def _wait(context: Context, seconds: float, tried: list[dict[str, Any]]) -> None:
    left = context.remaining()
    if left is not None and left <= seconds:
        raise StepTimedOut("no time is left for another attempt", output={"tried": tried})
    time.sleep(seconds)


_ATTEMPTS = Field("attempts", Shape.INTEGER, default=3, aliases=("max_attempts",))
_BACKOFF = Field("backoff_ms", Shape.MILLISECONDS, default=0.0, description="doubles every time")
_OUTPUTS = ("tried", "taken", "action")

BACKEND = Backend(
    name="recovery",
    priority=10,
    summary="tries a step again, or other steps in its place",
    actions=(
        Action(
            "retry",
            (Field("step", Shape.STEP, required=True), _ATTEMPTS, _BACKOFF),
            _OUTPUTS,
            retry,
            "try one step several times",
        ),
        Action(
            "retry_with_fallback",
            (
                Field("steps", Shape.STEPS, required=True),
                Field("attempts", Shape.INTEGER, default=1, aliases=("max_attempts",)),
                _BACKOFF,
            ),
            _OUTPUTS,
            retry_with_fallback,
            "try steps in order until one works",
        ),
    ),
    probe=always_available,
    explicit=True,
)
