"""The typed arguments of actions and conditions: declared once, filled in when a step is run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from cli_anything.macrocli.parameters import BadValue
from cli_anything.macrocli.problems import listed
from cli_anything.macrocli.shapes import Shape, value_of
from cli_anything.macrocli.substitution import Lookup, Reference, Template, references


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Field:
    """One argument. *aliases* are other names it may be written under."""

    name: str
    shape: Shape = Shape.TEXT
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    description: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "shape": self.shape.value,
            "required": self.required,
            "default": self.default,
            "choices": list(self.choices),
            "description": self.description,
        }


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Arguments:
    """Arguments as the file gives them, placeholders still in. *nested* holds steps in a step."""

    fields: tuple[Field, ...] = ()
    templates: Mapping[str, Template] = field(default_factory=dict)
    nested: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)

    def references(self) -> Iterator[Reference]:
        for template in self.templates.values():
            yield from references(template)

    def fill(self, lookup: Lookup) -> dict[str, Any]:
        """Every declared argument with its value; raises :class:`BadValue` or ``Unresolved``."""
        values: dict[str, Any] = {}
        for declared in self.fields:
            name = declared.name
            if name in self.nested:
                values[name] = self.nested[name]
            elif name in self.templates:
                try:
                    values[name] = fill_in(declared, self.templates[name], lookup)
                except BadValue as problem:
                    raise BadValue(f"{name} {problem}") from None
            else:
                values[name] = declared.default
        return values


def fill_in(declared: Field, template: Template, lookup: Lookup) -> Any:
    """The value of one argument, in the shape it was declared with."""
    value = value_of(declared.shape, template, lookup)
    if declared.choices and value not in declared.choices:
        raise BadValue(f"must be {listed(declared.choices)}, not {value!r}")
    return value
