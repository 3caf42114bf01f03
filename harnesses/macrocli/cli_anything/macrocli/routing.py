"""Decides who carries out a step. Pure: it is told what is available and explains its choice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.backends import BACKENDS, offering
from cli_anything.macrocli.backends.base import Action, Availability, Backend
from cli_anything.macrocli.fields import Arguments
from cli_anything.macrocli.model import Step, Way

Probe = Callable[[Backend, str], Availability]
"""Whether a backend can carry out an action here."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Considered:
    """One backend that was looked at, and why it was not taken (empty for the one that was)."""

    action: str
    backend: str
    reason: str
    remedy: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "backend": self.backend,
            "action": self.action,
            "chosen": not self.reason,
            "reason": self.reason,
            "remedy": self.remedy,
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Route:
    """Who carries out a step, with which arguments, and everyone who was considered."""

    step: str
    backend: Backend
    action: Action
    arguments: Arguments
    considered: tuple[Considered, ...]
    asked: str
    """The backend the chosen way names, empty if it names none."""
    alternative: int = 0
    """0 for the step's own way, else the number of the alternative."""

    @property
    def note(self) -> str:
        """What a person should know about the choice, if it is not the plain one."""
        if self.alternative:
            passed = self.considered[0]
            return f"alternative {self.alternative}: {passed.backend} is not used, {passed.reason}"
        if self.asked and self.asked != self.backend.name:
            passed = next(one for one in self.considered if one.backend == self.asked)
            return f"{self.asked} is not available ({passed.reason}), {self.backend.name} is used"
        return ""


class NoRoute(HarnessError):
    """Nothing here can carry out a step; the message says why each backend was passed over."""

    code = "capability_gap"
    exit_code = 3

    def __init__(self, step: Step, considered: tuple[Considered, ...]) -> None:
        reasons = "; ".join(
            f"{one.backend} not available: {one.reason}" for one in considered if one.backend
        )
        remedies = list(dict.fromkeys(one.remedy for one in considered if one.remedy))
        super().__init__(
            f"step {step.id}: nothing here can do {step.action}: {reasons or 'nobody offers it'}",
            hint="; or ".join(remedies),
            details={"step": step.id, "considered": [one.as_document() for one in considered]},
        )
        self.considered = considered


def route(step: Step, probe: Probe) -> Route:
    """Choose for *step*: its own way first, then its alternatives, in order.

    Within a way the backend it names wins if it is available, else the one with the highest
    priority that offers the same action with the same arguments. A backend marked *explicit* is
    only taken where it is named. Raises :class:`NoRoute`.
    """
    considered: list[Considered] = []
    for number, way in enumerate(step.ways):
        if way.gap:
            considered.append(Considered(way.action, way.backend or "any backend", way.gap))
            continue
        for backend, action in _in_order(way):
            refusal = _refusal(backend, way, probe)
            considered.append(refusal)
            if not refusal.reason:
                return Route(
                    step.id,
                    backend,
                    action,
                    way.arguments[backend.name],
                    (*considered, *_passed_over(way, considered)),
                    asked=way.backend,
                    alternative=number,
                )
    raise NoRoute(step, tuple(considered))


def _in_order(way: Way) -> list[tuple[Backend, Action]]:
    offers = list(offering(way.action))
    return sorted(offers, key=lambda offer: offer[0].name != way.backend)


def _refusal(backend: Backend, way: Way, probe: Probe) -> Considered:
    if backend.explicit and way.backend != backend.name:
        return Considered(way.action, backend.name, "it is used only where a step names it")
    if backend.name not in way.arguments:
        return Considered(way.action, backend.name, f"its {way.action} takes other params")
    found = probe(backend, way.action)
    if not found.available:
        return Considered(way.action, backend.name, found.reason, found.remedy)
    return Considered(way.action, backend.name, "")


def _passed_over(way: Way, considered: list[Considered]) -> tuple[Considered, ...]:
    """The backends of lower rank that offer the action too, and everyone who does not."""
    looked_at = frozenset(one.backend for one in considered)
    return _the_rest(way.action, way.backend, considered[-1].backend, looked_at)


@lru_cache(maxsize=256)
def _the_rest(
    action: str, asked: str, chosen: str, looked_at: frozenset[str]
) -> tuple[Considered, ...]:
    offers = {backend.name for backend, _ in offering(action)}
    rest = []
    for name, backend in BACKENDS.items():
        if name in looked_at:
            continue
        if name not in offers:
            why = f"it has no action {action}"
        elif asked == chosen:
            why = f"the step asks for {chosen}"
        else:
            why = f"priority {backend.priority} is below {BACKENDS[chosen].priority}"
        rest.append(Considered(action, name, why))
    return tuple(rest)
