"""Drafts a macro from a goal: the model writes it, the reader says what is wrong, until it fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from cli_anything.macrocli.backends import BACKENDS
from cli_anything.macrocli.chat import Message, ModelFailed, ask, called, tool, with_picture
from cli_anything.macrocli.conditions.kinds import KINDS
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.problems import BadMacro, Place, Problem
from cli_anything.macrocli.read_macro import parse_macro

ROUNDS = 4
"""Times the model may hand in a draft."""

_TOOL = tool("write_macro", "Hand in the whole macro file.", yaml={"type": "string"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A sound macro, and in how many rounds it came about."""

    text: str
    macro: Macro
    rounds: int


def draft(
    name: str, goal: str, screenshot: bytes | None, folder: Path, environment: Mapping[str, str]
) -> Draft:
    """A macro called *name* for *goal*; raises :class:`ModelFailed` when none came about.

    It has been read and checked, and never run.
    """
    messages: list[Message] = [{"role": "system", "content": _instructions(name)}]
    messages.append(
        {"role": "user", "content": goal} if screenshot is None else with_picture(goal, screenshot)
    )
    said = "it never called write_macro"
    for number in range(1, ROUNDS + 1):
        answer = ask(messages, environment, tools=[_TOOL])
        call = called(answer, "write_macro")
        if call is not None:
            text = str(call[1].get("yaml", ""))
            try:
                macro = _sound(name, text, folder)
            except BadMacro as problem:
                said = problem.message
            else:
                return Draft(text if text.endswith("\n") else f"{text}\n", macro, number)
        messages += [answer, *_replies(answer, said)]
    raise ModelFailed(
        f"no sound macro came about in {ROUNDS} rounds; the last problem: {said}",
        hint="say the goal in more detail, or start with macro define",
    )


def _sound(name: str, text: str, folder: Path) -> Macro:
    macro = parse_macro(text, source=f"{name}.yaml", folder=folder)
    if macro.name != name:
        wrong = Problem(Place(1, 1), f"the name must be {name!r}, not {macro.name!r}")
        raise BadMacro(macro.source, [wrong])
    return macro


def _replies(answer: Message, said: str) -> list[Message]:
    """What the model hears; the API wants a reply to every call."""
    calls = answer.get("tool_calls") or ()
    if not calls:
        return [{"role": "user", "content": "Hand the macro in with write_macro."}]
    return [{"role": "tool", "tool_call_id": call["id"], "content": said} for call in calls]


def _instructions(name: str) -> str:
    template = resources.files("cli_anything.macrocli").joinpath("templates/assist.md")
    actions = [
        f"- {backend.name}: {action.name}({_fields(action.fields)}): {action.description}"
        for backend in BACKENDS.values()
        if not backend.explicit
        for action in backend.actions
    ]
    conditions = [f"- {kind.name}: {kind.description}" for kind in KINDS.values()]
    text = template.read_text("utf-8").replace("NAME", name)
    return text.replace("ACTIONS", "\n".join(actions)).replace("CONDITIONS", "\n".join(conditions))


def _fields(fields: Sequence[Field]) -> str:
    return ", ".join(field.name if field.required else f"{field.name}?" for field in fields)
