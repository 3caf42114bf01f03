"""Lets a model name the values a macro types."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from cli_anything.macrocli.authoring.typed_values import Naming, TypedValue
from cli_anything.macrocli.chat import ModelFailed, ask, called, tool

_TOOL = tool(
    "name_values",
    "Name the values that differ from one use of the macro to the next; leave out the others.",
    values={
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "step": {"type": "string", "description": "the step as it was given"},
                "name": {"type": "string", "description": "letters, digits and _"},
                "description": {"type": "string", "description": "for whoever fills it in"},
            },
            "required": ["step", "name", "description"],
            "additionalProperties": False,
        },
    },
)

_SYSTEM = (
    "A macro types some texts into a program. Say by name_values which of them a user would want "
    "to choose anew each time, with a short name and a description for each."
)


def names_by_model(
    description: str, values: Sequence[TypedValue], environment: Mapping[str, str]
) -> list[Naming]:
    """The model's names for *values*; raises :class:`ModelFailed` for an answer of no use."""
    facts = {
        "macro": description,
        "typed": [{"step": value.step, "text": value.spelling} for value in values],
    }
    answer = ask(
        [
            {"role": "system", "content": _SYSTEM},
            {"role": "user", "content": json.dumps(facts, ensure_ascii=False)},
        ],
        environment,
        tools=[_TOOL],
    )
    call = called(answer, "name_values")
    try:
        if call is None:
            raise TypeError("it did not call name_values")
        return [
            Naming(str(one["step"]), str(one["name"]), str(one.get("description", "")))
            for one in call[1]["values"]
        ]
    except (KeyError, TypeError, AttributeError) as problem:
        raise ModelFailed(
            f"the model's names cannot be read: {problem}", hint="try again, or use --set"
        ) from None
