"""What an execution backend is: a name, a priority, typed actions, and an honest probe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.fields import Arguments, Field

if TYPE_CHECKING:
    from cli_anything.kit.processes import Stop


class StepFailed(HarnessError):
    """A step could not do its work; *output* is what it had produced until then."""

    code = "step_failed"

    def __init__(
        self, message: str, *, hint: str = "", output: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message, hint=hint)
        self.output: dict[str, Any] = dict(output or {})


class StepTimedOut(StepFailed):
    """The step's time was up; whatever it had started has been ended."""

    code = "timed_out"
    exit_code = 124


class ProgramMissing(StepFailed):
    """A program the step starts is not on this machine."""

    code = "application_missing"
    exit_code = 5


class BadArgument(StepFailed):
    """An argument has a value the action cannot work with."""

    code = "bad_argument"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Availability:
    """Whether something can be used here; when not, why and what would change that."""

    available: bool
    reason: str = ""
    remedy: str = ""

    def as_document(self) -> dict[str, Any]:
        return {"available": self.available, "reason": self.reason, "remedy": self.remedy}


AVAILABLE = Availability(available=True)


def unavailable(reason: str, remedy: str) -> Availability:
    return Availability(available=False, reason=reason, remedy=remedy)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Context:
    """What an action knows besides its arguments."""

    step: str
    environment: Mapping[str, str]
    folder: Path
    """Where the macro's own files are (its templates, its compiled sequences)."""
    deadline: float | None = None
    """On the monotonic clock; None means no limit."""
    perform: Callable[[Any], dict[str, Any]] | None = None
    """Carries out a nested step; raises what it raises."""
    notes: list[str] = field(default_factory=list)
    """Things worth telling that are not failures; they end up in the step's record."""
    stop: Stop | None = None
    """Requested by another thread when the run is to end."""

    def remaining(self) -> float | None:
        """Seconds left, never negative; None without a limit, nothing when the run is to end."""
        if self.stop is not None and self.stop.requested:
            return 0.0
        return None if self.deadline is None else max(0.0, self.deadline - monotonic())


Perform = Callable[[Mapping[str, Any], Context], dict[str, Any]]
"""Does the work and returns the step's output, or raises :class:`StepFailed`."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Action:
    """One thing a backend can do. *outputs* are the keys of what *perform* returns."""

    name: str
    fields: tuple[Field, ...]
    outputs: tuple[str, ...]
    perform: Perform
    description: str
    check: Callable[[Mapping[str, Any], Mapping[str, str]], StepFailed | None] | None = None
    """Finds, before the run starts, what will certainly keep these arguments from working here."""
    lint: Callable[[Arguments], str] | None = None
    """Says, when the macro is validated, what looks wrong about literal arguments."""

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.description,
            "params": [declared.as_document() for declared in self.fields],
            "outputs": list(self.outputs),
        }


Probe = Callable[[str, Mapping[str, str]], Availability]
"""Given an action's name and the environment: can it be carried out here?"""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Backend:
    """One way of carrying out steps. *explicit* ones are used only when a step names them."""

    name: str
    priority: int
    summary: str
    actions: tuple[Action, ...]
    probe: Probe
    explicit: bool = False

    def action(self, name: str) -> Action | None:
        return next((action for action in self.actions if action.name == name), None)


def always_available(_action: str, _environment: Mapping[str, str]) -> Availability:
    return AVAILABLE
