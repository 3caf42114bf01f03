"""Turns macros, routes and backends into the documents ``--json`` prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli_anything.macrocli.backends import BACKENDS
from cli_anything.macrocli.conditions.kinds import KINDS
from cli_anything.macrocli.library import Definition, Library
from cli_anything.macrocli.model import Macro, Step
from cli_anything.macrocli.parameters import Parameter
from cli_anything.macrocli.plan import Planner
from cli_anything.macrocli.problems import BadMacro
from cli_anything.macrocli.routing import NoRoute
from cli_anything.macrocli.secrecy import MASK
from cli_anything.macrocli.substitution import Literal, MapOf, Reference, Template, Text


def definition(
    found: Definition, library: Library, clashes: Mapping[str, object]
) -> dict[str, Any]:
    """One line of ``macro list``; a file that cannot be used says why in ``problem``."""
    document: dict[str, Any] = {
        "name": found.name,
        "address": found.address,
        "origin": found.origin,
        "file": str(found.path),
        "problem": None,
    }
    try:
        macro = library.load(found.address)
    except BadMacro as problem:
        return {**document, "problem": problem.problems[0].message}
    if found.name in clashes:
        document["problem"] = f"another macro is called {found.name!r} too"
    return {
        **document,
        "version": macro.version,
        "description": macro.description,
        "tags": list(macro.tags),
        "parameters": list(macro.parameters),
        "danger_level": macro.hints.danger.value,
    }


def macro(found: Macro) -> dict[str, Any]:
    """Everything a caller needs to know to run it."""
    return {
        "name": found.name,
        "version": found.version,
        "description": found.description,
        "tags": list(found.tags),
        "file": found.source,
        "parameters": {name: _parameter(p) for name, p in found.parameters.items()},
        "preconditions": [condition.text for condition in found.preconditions],
        "steps": [_step(step) for step in found.steps],
        "finally": [_step(step) for step in found.cleanup],
        "postconditions": [condition.text for condition in found.postconditions],
        "outputs": [
            {
                "name": output.name,
                "kind": "file" if output.path is not None else "value",
                "optional": output.optional,
                "description": output.description,
            }
            for output in found.outputs
        ],
        "agent_hints": {
            "danger_level": found.hints.danger.value,
            "side_effects": list(found.hints.side_effects),
            "reversible": found.hints.reversible,
            "estimated_duration_ms": _milliseconds(found.hints.estimated_seconds),
        },
        "warnings": [warning.line(found.source) for warning in found.warnings],
    }


def _parameter(parameter: Parameter) -> dict[str, Any]:
    default = None if parameter.default is None else written(parameter.default)
    return {
        "type": parameter.type.value,
        "required": parameter.required,
        "default": MASK if parameter.secret and default is not None else default,
        "enum": list(parameter.enum),
        "min": parameter.minimum,
        "max": parameter.maximum,
        "pattern": parameter.pattern or None,
        "secret": parameter.secret,
        "description": parameter.description,
        "example": parameter.example,
    }


def _step(step: Step) -> dict[str, Any]:
    return {
        "id": step.id,
        "action": step.action,
        "backend": step.ways[0].backend or None if step.ways else None,
        "when": step.when.text if step.when else None,
        "on_failure": step.on_failure.value,
        "timeout_ms": _milliseconds(step.timeout),
        "max_retries": step.retries,
        "description": step.description,
    }


def _milliseconds(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds * 1000)


def written(template: Template) -> Any:
    """A template as it stands in the file, placeholders included."""
    match template:
        case Literal(value):
            return value
        case Reference(name, used):
            return f"${{{name}|{used}}}" if used else f"${{{name}}}"
        case Text(parts):
            return "".join(p if isinstance(p, str) else str(written(p)) for p in parts)
        case MapOf(entries):
            return {name: written(value) for name, value in entries}
        case _:
            return [written(item) for item in template.items]


def routes(found: Macro, planner: Planner) -> dict[str, Any]:
    """For every step: the backend that would carry it out here, and why not the others."""
    steps = []
    for step, choice in zip((*found.steps, *found.cleanup), planner.routes(found), strict=True):
        document: dict[str, Any] = {"id": step.id, "action": step.action, "backend": None}
        if isinstance(choice, Macro):
            document |= {"runs": routes(choice, planner), "reason": "it runs another macro"}
        elif isinstance(choice, NoRoute):
            document |= {"reason": choice.message, "remedy": choice.hint}
            document["considered"] = [one.as_document() for one in choice.considered]
        else:
            document |= {"backend": choice.backend.name, "reason": choice.note}
            document["considered"] = [one.as_document() for one in choice.considered]
        steps.append(document)
    can_run = all(step["backend"] or step.get("runs", {}).get("can_run") for step in steps)
    return {"macro": found.name, "can_run": can_run, "steps": steps}


def backends(environment: Mapping[str, str]) -> list[dict[str, Any]]:
    """Every backend, whether it can be used here, and each of its actions."""
    found = []
    for backend in BACKENDS.values():
        whole = backend.probe("", environment)
        actions = [
            {**action.as_document(), **backend.probe(action.name, environment).as_document()}
            for action in backend.actions
        ]
        found.append(
            {
                "name": backend.name,
                "priority": backend.priority,
                "summary": backend.summary,
                **whole.as_document(),
                "actions": actions,
            }
        )
    return found


def condition_kinds() -> list[dict[str, Any]]:
    """The vocabulary of conditions."""
    return [
        {
            "name": kind.name,
            "description": kind.description,
            "params": [field.as_document() for field in kind.fields],
        }
        for kind in KINDS.values()
    ]
