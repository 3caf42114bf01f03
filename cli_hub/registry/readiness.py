"""Whether an entry could be used on this machine, by looking only: nothing is started."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cli_hub.registry.fields import BadField
from cli_hub.registry.need import Need
from cli_hub.registry.vocabulary import NeedKind
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """What can be asked of this machine: programs on PATH, variables that are set, its platform."""

    which: Callable[[str], str | None]
    environment: Callable[[str], str | None]
    platform: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """*present* is ``None`` where looking cannot tell (an account, a service, no stated needs)."""

    present: bool | None
    missing: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    def as_document(self) -> dict[str, Any]:
        return {
            "present": self.present,
            "missing": list(self.missing),
            "unknown": list(self.unknown),
        }


def readiness(record: Mapping[str, Any], machine: Machine) -> Readiness:
    """What the entry *record* needs and this machine has not. Versions are not compared."""
    try:
        needs = [Need.parse(raw, "needs") for raw in record.get("needs") or ()]
    except BadField:
        needs = []  # entries are checked when they are read; this one has no usable needs
    found = [(need, need_present(need, machine)) for need in needs if not need.optional]
    platforms = record.get("platforms") or ()
    missing = [str(need) for need, here in found if here is False]
    if platforms and machine.platform not in platforms:
        missing.append(" or ".join(platforms))
    unknown = [str(need) for need, here in found if here is None]
    if missing:
        return Readiness(False, tuple(missing), tuple(unknown))
    told = "needs" in record or not record.get("requires")
    return Readiness(None if unknown or not told else True, (), tuple(unknown))


def installer_problem(tool: str, strategy: str, machine: Machine) -> str:
    """Why this machine cannot run an entry's installer; empty when it can."""
    if not tool or machine.which(tool):
        return ""
    if strategy == "bundled":
        return f"{tool} comes with its application, which is not here"
    return f"installing needs {tool}, which is not on PATH"


def need_present(need: Need, machine: Machine) -> bool | None:
    """Whether *need* is here; ``None`` when looking cannot tell."""
    if need.kind is NeedKind.ENV:
        return bool(machine.environment(need.name))
    if need.kind is NeedKind.BINARY:
        return any(map(machine.which, need.programs))
    if need.kind is NeedKind.APPLICATION and need.probe:
        return any(map(machine.which, (need.probe[0], *need.any_of)))
    return None
