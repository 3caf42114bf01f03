"""Everything that can be known before the first side effect is decided here.

A :class:`Plan` is what ``run`` walks and what ``dry-run`` and ``explain`` show; making it changes
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.backends.base import Availability, Backend
from cli_anything.macrocli.conditions.model import condition_references
from cli_anything.macrocli.model import Macro, MacroCall, OnFailure, Step
from cli_anything.macrocli.parameters import BadParameters, BadValue, bind
from cli_anything.macrocli.reference_check import step_references
from cli_anything.macrocli.routing import NoRoute, Route, route
from cli_anything.macrocli.secrecy import Secrets
from cli_anything.macrocli.substitution import (
    Reference,
    Unresolved,
    references,
    render,
    scope,
)

FindMacro = Callable[[str], Macro]
"""Gives the macro of a name; raises NotFound."""


class UnresolvedPlaceholder(UsageError):
    """A placeholder names a parameter that has no value in this call."""

    code = "unresolved"

    def __init__(self, names: Mapping[str, str], macro: str) -> None:
        wanted = " ".join(f"-p {name}=…" for name in names)
        super().__init__(
            "; ".join(f"{name} is not set, and {where} needs it" for name, where in names.items()),
            hint=f"give it a value: {wanted}",
            details={"macro": macro, "unresolved": dict(names)},
        )


class Recursion(UsageError):
    """A macro runs itself, directly or through others."""

    code = "recursion"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class PlannedStep:
    """A step with its route, or with the macro it runs."""

    step: Step
    route: Route | None = None
    called: Macro | None = None
    inner: Mapping[int, PlannedStep] = field(default_factory=dict)
    """Plans of the steps inside this one's arguments, by the identity of the step object."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Plan:
    """One call of a macro, ready to be walked."""

    macro: Macro
    values: Mapping[str, Any]
    secrets: Secrets
    steps: tuple[PlannedStep, ...]
    cleanup: tuple[PlannedStep, ...]
    above: tuple[str, ...] = ()
    """The macros that run this one, outermost first."""

    def everything(self) -> Iterator[PlannedStep]:
        yield from self.steps
        yield from self.cleanup


@dataclass(slots=True, repr=False, eq=False)
class Planner:
    """Makes plans on one machine: its environment, and what its backends say of themselves."""

    find: FindMacro
    environment: Mapping[str, str]
    _probed: dict[tuple[str, str], Availability] = field(default_factory=dict)

    def plan(self, macro: Macro, given: Mapping[str, Any], above: tuple[str, ...] = ()) -> Plan:
        """The plan of calling *macro* with *given* values.

        Raises for bad parameters, placeholders without a value, steps nothing here can carry out,
        programs that are missing, and macros that run themselves.
        """
        _refuse_recursion(macro, above)
        values = bind(macro.name, macro.parameters, given)
        _refuse_unresolved(macro, values)
        inside = (*above, macro.name)
        plan = Plan(
            macro,
            values,
            Secrets.among(macro.parameters, values),
            tuple(self._plan_step(step, values, inside) for step in macro.steps),
            tuple(self._plan_step(step, values, inside) for step in macro.cleanup),
            above,
        )
        for planned in plan.steps:
            self._check_arguments(planned, values)
        return plan

    def routes(self, macro: Macro) -> list[Route | NoRoute | Macro]:
        """For every step in order: who would run it, why nobody can, or the macro it runs."""
        return [self._explain(step) for step in (*macro.steps, *macro.cleanup)]

    def _explain(self, step: Step) -> Route | NoRoute | Macro:
        if step.call is not None:
            return self.find(step.call.name)
        try:
            return route(step, self.probe)
        except NoRoute as problem:
            return problem

    def probe(self, backend: Backend, action: str) -> Availability:
        """What *backend* says about *action* here, asked once."""
        key = (backend.name, action)
        if key not in self._probed:
            self._probed[key] = backend.probe(action, self.environment)
        return self._probed[key]

    def _plan_step(
        self, step: Step, values: Mapping[str, Any] | None, above: tuple[str, ...]
    ) -> PlannedStep:
        """*values* is None while the values of an outer macro are not known yet."""
        if step.call is not None:
            return PlannedStep(step, called=self._plan_call(step, step.call, values, above))
        chosen = route(step, self.probe)
        inner = {
            id(item): self._plan_step(item, values, above)
            for items in chosen.arguments.nested.values()
            for item in items
        }
        return PlannedStep(step, chosen, inner=inner)

    def _plan_call(
        self, step: Step, call: MacroCall, values: Mapping[str, Any] | None, above: tuple[str, ...]
    ) -> Macro:
        """Check the macro a step runs as far as its arguments are known now."""
        called = self.find(call.name)
        _refuse_recursion(called, above)
        try:
            given = {n: render(t, scope(values or {}, {})) for n, t in call.arguments.items()}
        except Unresolved:
            # It waits for what a step puts out: names and routes can be checked, values cannot.
            _check_call_names(step, called, call.arguments)
            for inner in (*called.steps, *called.cleanup):
                self._plan_step(inner, None, (*above, called.name))
        else:
            self.plan(called, given, above)
        return called

    def _check_arguments(self, planned: PlannedStep, values: Mapping[str, Any]) -> None:
        """Raise what will certainly stop the run at this step, if that can be known already."""
        step, chosen = planned.step, planned.route
        if chosen is None or chosen.action.check is None:
            return
        if step.when is not None or step.on_failure is not OnFailure.FAIL:
            return
        try:
            arguments = chosen.arguments.fill(scope(values, {}))
        except (Unresolved, BadValue):
            return
        problem = chosen.action.check(arguments, self.environment)
        if problem is not None:
            raise problem


def _refuse_recursion(macro: Macro, above: tuple[str, ...]) -> None:
    if macro.name in above:
        chain = " → ".join((*above, macro.name))
        raise Recursion(f"{macro.name} runs itself: {chain}", details={"chain": chain})


def _refuse_unresolved(macro: Macro, values: Mapping[str, Any]) -> None:
    missing: dict[str, str] = {}
    for where, reference in _used(macro):
        if not reference.name.startswith("steps.") and reference.name not in values:
            missing.setdefault(reference.name, where)
    if missing:
        raise UnresolvedPlaceholder(missing, macro.name)


def _used(macro: Macro) -> Iterator[tuple[str, Reference]]:
    """Every placeholder of a macro's body, with who needs it."""
    for step in (*macro.steps, *macro.cleanup):
        for reference in step_references(step):
            yield f"step {step.id}", reference
    for kind, conditions in (
        ("precondition", macro.preconditions),
        ("postcondition", macro.postconditions),
    ):
        for condition in conditions:
            for reference in condition_references(condition):
                yield f"{kind} {condition.text}", reference
    for output in macro.outputs:
        for template in output.templates():
            for reference in references(template):
                yield f"output {output.name}", reference


def _check_call_names(step: Step, called: Macro, given: Mapping[str, Any]) -> None:
    problems = {
        name: f"step {step.id}: {called.name} has no parameter {name!r}"
        for name in given
        if name not in called.parameters
    }
    for name, parameter in called.parameters.items():
        if parameter.required and name not in given:
            problems[name] = f"step {step.id}: {called.name} requires {name}"
    if problems:
        raise BadParameters(called.name, problems, called.parameters)
