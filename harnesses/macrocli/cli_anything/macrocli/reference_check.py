"""Checks, while a macro is read, that every placeholder names something that will be there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from cli_anything.macrocli.backends import BACKENDS
from cli_anything.macrocli.conditions.model import condition_references
from cli_anything.macrocli.model import Macro, Step
from cli_anything.macrocli.parameters import Parameter
from cli_anything.macrocli.problems import Place, listed, suggestion
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.substitution import Reference, references

STATUS_KEYS = ("status", "outcome")
"""What every step puts out besides its action's own keys."""


def check_references(macro: Macro, report: Report, top: Place) -> None:
    """Every placeholder must name a parameter, or an output of a step that comes before it."""
    checker = _Checker(macro.parameters, report)
    for index, condition in enumerate(macro.preconditions):
        checker.check(condition_references(condition), condition.place, f"preconditions[{index}]")
    for path, steps in (("steps", macro.steps), ("finally", macro.cleanup)):
        for index, step in enumerate(steps):
            checker.check(step_references(step), step.place, f"{path}[{index}]")
            checker.known[step.id] = step_outputs(step)
    for index, condition in enumerate(macro.postconditions):
        checker.check(condition_references(condition), condition.place, f"postconditions[{index}]")
    for output in macro.outputs:
        for template in output.templates():
            checker.check(references(template), top, f"outputs.{output.name}")


def step_references(step: Step) -> Iterator[Reference]:
    """Every placeholder of a step, those of steps inside it too."""
    if step.when is not None:
        yield from condition_references(step.when)
    if step.call is not None:
        for template in step.call.arguments.values():
            yield from references(template)
    for way in step.ways:
        for arguments in way.arguments.values():
            yield from arguments.references()
            for nested in arguments.nested.values():
                for inner in filter(None, nested):
                    yield from step_references(inner)


def step_outputs(step: Step) -> set[str] | None:
    """The keys a step may put out; None when they are not known (another macro's outputs)."""
    if step.call is not None:
        return None
    keys = set(STATUS_KEYS)
    for way in step.ways:
        for name, arguments in way.arguments.items():
            action = BACKENDS[name].action(way.action)
            keys |= set(action.outputs) if action else set()
            for inner in (step for steps in arguments.nested.values() for step in steps if step):
                keys |= step_outputs(inner) or set()
    return keys


class _Checker:
    def __init__(self, parameters: Mapping[str, Parameter], report: Report) -> None:
        self.parameters = parameters
        self.report = report
        self.known: dict[str, set[str] | None] = {}

    def check(self, found: Iterable[Reference], place: Place, path: str) -> None:
        for name in dict.fromkeys(reference.name for reference in found):
            if name.startswith("steps."):
                self._check_step(name, place, path)
            elif name not in self.parameters:
                self.report.add(
                    place,
                    f"${{{name}}} is not a parameter",
                    path=path,
                    found=name,
                    expected=listed(self.parameters) or "a declared parameter",
                    hint=suggestion(name, self.parameters) or "write $${ for a literal ${",
                )

    def _check_step(self, name: str, place: Place, path: str) -> None:
        _, step, *keys = name.split(".")
        if step not in self.known:
            self.report.add(
                place,
                f"${{{name}}} names a step that does not come before",
                path=path,
                found=step,
                expected=listed(self.known) or "an earlier step",
                hint=suggestion(step, self.known),
            )
            return
        legal = self.known[step]
        if not keys or (legal is not None and keys[0] not in legal):
            said = repr(keys[0]) if keys else "value without a key"
            self.report.add(
                place,
                f"step {step!r} puts out no {said}",
                path=path,
                found=keys[0] if keys else "",
                expected=listed(sorted(legal or ())),
                hint=suggestion(keys[0], legal or ()) if keys else "",
            )
