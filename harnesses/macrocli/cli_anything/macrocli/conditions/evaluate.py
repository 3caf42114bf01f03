"""Checks conditions; nothing here changes anything."""

from __future__ import annotations

from cli_anything.macrocli.conditions.model import Check, Condition, Group, Junction, Verdict, World
from cli_anything.macrocli.parameters import BadValue
from cli_anything.macrocli.substitution import Lookup, Unresolved


def evaluate(condition: Condition, lookup: Lookup, world: World) -> Verdict:
    """Whether *condition* holds now. An argument that has no usable value means it does not."""
    if isinstance(condition, Group):
        return _evaluate_group(condition, lookup, world)
    return _evaluate_check(condition, lookup, world)


def _evaluate_check(check: Check, lookup: Lookup, world: World) -> Verdict:
    try:
        arguments = check.arguments.fill(lookup)
        return check.kind.check(arguments, world)
    except (BadValue, Unresolved) as problem:
        return Verdict(met=False, reason=str(problem))
    except OSError as problem:
        return Verdict(met=False, reason=f"it cannot be looked at: {problem}")


def _evaluate_group(group: Group, lookup: Lookup, world: World) -> Verdict:
    if group.junction is Junction.NOT:
        verdict = evaluate(group.parts[0], lookup, world)
        return Verdict(met=not verdict.met, reason=verdict.reason)
    reasons = []
    for part in group.parts:
        verdict = evaluate(part, lookup, world)
        if verdict.met is (group.junction is Junction.ANY):
            return verdict
        reasons.append(verdict.reason)
    return Verdict(met=group.junction is Junction.ALL, reason="; ".join(reasons))
