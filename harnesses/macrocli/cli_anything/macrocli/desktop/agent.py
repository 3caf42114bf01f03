"""The actions of ``gui_agent``: a model looks at the screen and says what to do.

The model only ever gets four tools; nothing it says is executed as code.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

from cli_anything.kit.errors import HarnessError, TimedOut
from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed, StepTimedOut
from cli_anything.macrocli.chat import Message, ModelFailed, ask, tool, with_picture
from cli_anything.macrocli.desktop import semantic
from cli_anything.macrocli.desktop.input import open_input
from cli_anything.macrocli.desktop.vision import encode_png, grab

_SETTLE = 0.4
"""Seconds a program gets to draw the effect of an action before the next look."""

_ACTION_LIMIT = 20
"""Actions of one answer that are carried out."""

_SYSTEM = (
    "You work a computer for somebody. You get a screenshot and an instruction. Answer with tool "
    "calls, in order. Coordinates are pixels of the screenshot from its upper left. Call done when "
    "the instruction is carried out, or cannot be."
)


_TOOLS = [
    tool("click", "Click at a place.", x={"type": "integer"}, y={"type": "integer"}),
    tool("type_text", "Type text where the focus is.", text={"type": "string"}),
    tool("press_keys", "Press a combination such as ctrl+s.", keys={"type": "string"}),
    tool(
        "done",
        "Say that the instruction is carried out (ok) or cannot be.",
        ok={"type": "boolean"},
        message={"type": "string"},
    ),
]


def instruct(arguments: Mapping[str, Any], context: Context, *, rounds: int) -> dict[str, Any]:
    """Look, ask, act; up to *rounds* times.

    With one round the model's answer is carried out and that is that. With more it has to say that
    it is done; when it never does, the step fails with what was done.
    """
    if not 1 <= rounds <= 50:
        raise BadArgument(f"max_rounds must be from 1 to 50, not {rounds}")
    messages: list[dict[str, Any]] = [{"role": "system", "content": _SYSTEM}]
    actions: list[dict[str, Any]] = []
    for number in range(1, rounds + 1):
        messages.append(_look(arguments["instruction"], number, context))
        answer = _ask(messages, context)
        messages.append(answer)
        verdict = _carry_out(answer, actions, messages, context)
        done: dict[str, Any] = {"rounds": number, "actions": actions, **verdict}
        if verdict["done"] is False:
            raise StepFailed(f"the model gave up: {verdict['message']}", output=done)
        if verdict["done"] or rounds == 1:
            return {**done, "done": bool(verdict["done"])}
        time.sleep(_SETTLE)
    raise StepFailed(
        f"the goal was not reached in {rounds} rounds",
        output={"rounds": rounds, "actions": actions},
    )


def _ask(messages: list[Message], context: Context) -> Message:
    try:
        return ask(messages, context.environment, tools=_TOOLS, timeout=context.remaining())
    except TimedOut as late:
        raise StepTimedOut(late.message) from None
    except ModelFailed as problem:
        raise StepFailed(problem.message, hint=problem.hint) from None


def _look(instruction: str, number: int, context: Context) -> Message:
    text = instruction if number == 1 else "This is the screen now. Go on, or call done."
    return with_picture(text, encode_png(grab(context.environment)))


def _carry_out(
    answer: Mapping[str, Any],
    actions: list[dict[str, Any]],
    messages: list[dict[str, Any]],
    context: Context,
) -> dict[str, Any]:
    """Do what the model asked; each call gets its result as a message."""
    verdict: dict[str, Any] = {"done": None, "message": answer.get("content") or ""}
    calls = answer.get("tool_calls") or []
    for number, call in enumerate(calls):
        name, text = call["function"]["name"], call["function"]["arguments"]
        try:
            if number >= _ACTION_LIMIT:
                raise ValueError(f"more than {_ACTION_LIMIT} calls at once")
            wanted = json.loads(text)
            if name == "done":
                verdict = {"done": bool(wanted["ok"]), "message": str(wanted["message"])}
            else:
                _act(name, wanted, context)
            result = "ok"
        except (ValueError, KeyError, TypeError, HarnessError) as problem:
            result = f"failed: {problem}"
        actions.append({"action": name, "arguments": text, "result": result})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
    return verdict


def _act(name: str, wanted: Mapping[str, Any], context: Context) -> None:
    if name == "click":
        open_input(context.environment).click(int(wanted["x"]), int(wanted["y"]), "left", 1)
    elif name == "type_text":
        semantic.type_text({"text": str(wanted["text"]), "interval_ms": 0.0}, context)
    elif name == "press_keys":
        semantic.shortcut({"keys": str(wanted["keys"])}, context)
    else:
        raise ValueError(f"there is no tool {name!r}")
