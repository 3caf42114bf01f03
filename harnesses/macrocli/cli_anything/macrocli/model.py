"""A macro as it was read: typed, complete, and never changed afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from cli_anything.macrocli.conditions.model import Condition
from cli_anything.macrocli.fields import Arguments
from cli_anything.macrocli.parameters import Parameter
from cli_anything.macrocli.problems import Place, Problem
from cli_anything.macrocli.substitution import Template

DEFAULT_TIMEOUT = 600.0
"""Seconds a step may take when it does not say otherwise."""


class OnFailure(Enum):
    FAIL = "fail"
    SKIP = "skip"
    CONTINUE = "continue"


class Danger(Enum):
    SAFE = "safe"
    MODERATE = "moderate"
    DANGEROUS = "dangerous"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to carry out a step: an action, maybe of a named backend, with its arguments.

    Backends may give an action of one name different arguments, so they are kept a backend. *gap*
    says why nothing that is known can do it.
    """

    action: str
    backend: str
    arguments: Mapping[str, Arguments]
    gap: str = ""


@dataclass(frozen=True, slots=True)
class MacroCall:
    """A step that runs another macro."""

    name: str
    arguments: Mapping[str, Template]


@dataclass(frozen=True, slots=True)
class Step:
    """One step. It has *ways* (its own, then its alternatives) or a *call*, never both."""

    id: str
    place: Place
    ways: tuple[Way, ...] = ()
    call: MacroCall | None = None
    when: Condition | None = None
    timeout: float | None = DEFAULT_TIMEOUT
    on_failure: OnFailure = OnFailure.FAIL
    retries: int = 0
    backoff: float = 0.0
    description: str = ""

    @property
    def action(self) -> str:
        return f"macro {self.call.name}" if self.call else self.ways[0].action


@dataclass(frozen=True, slots=True)
class Output:
    """Something a run hands back: the file at *path*, or a *value*."""

    name: str
    path: Template | None = None
    value: Template | None = None
    optional: bool = False
    description: str = ""

    def templates(self) -> tuple[Template, ...]:
        return tuple(one for one in (self.path, self.value) if one is not None)


@dataclass(frozen=True, slots=True)
class Hints:
    """What the author tells whoever decides to run it."""

    danger: Danger = Danger.SAFE
    side_effects: tuple[str, ...] = ()
    reversible: bool | None = None
    estimated_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Macro:
    """A whole macro. *source* is the file as messages name it."""

    name: str
    source: str
    folder: Path
    version: str = ""
    description: str = ""
    tags: tuple[str, ...] = ()
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    preconditions: tuple[Condition, ...] = ()
    steps: tuple[Step, ...] = ()
    cleanup: tuple[Step, ...] = ()
    """The steps under ``finally``."""
    postconditions: tuple[Condition, ...] = ()
    outputs: tuple[Output, ...] = ()
    hints: Hints = Hints()
    warnings: tuple[Problem, ...] = ()
