"""Holds a macro back that its author calls dangerous until somebody agrees."""

from __future__ import annotations

from collections.abc import Iterator

from cli_anything.kit.errors import ConsentNeeded
from cli_anything.macrocli.model import Danger, Macro
from cli_anything.macrocli.plan import Plan, PlannedStep


def require_consent(plan: Plan, *, given: bool) -> None:
    """Raise :class:`ConsentNeeded` for a dangerous macro, or one that runs a dangerous one."""
    dangerous = [macro for macro in _macros(plan) if macro.hints.danger is Danger.DANGEROUS]
    if dangerous and not given:
        first = dangerous[0]
        effects = ", ".join(first.hints.side_effects) or "not declared"
        undone = {True: "yes", False: "no", None: "not declared"}[first.hints.reversible]
        raise ConsentNeeded(
            f"{first.name} is dangerous (side effects: {effects}; reversible: {undone})",
            hint="look at it with macro dry-run, then run it with --yes",
            details={"macro": first.name, "side_effects": list(first.hints.side_effects)},
        )


def _macros(plan: Plan) -> Iterator[Macro]:
    yield plan.macro
    for planned in plan.everything():
        yield from _called(planned)


def _called(planned: PlannedStep) -> Iterator[Macro]:
    if planned.called is not None:
        yield planned.called
    for inner in planned.inner.values():
        yield from _called(inner)
