"""The actions of ``gui_agent``: a model looks at the screen and says what to do.

It speaks the chat API of the OpenAI SDK, with ``MACROCLI_MODEL``, ``MACROCLI_API_KEY`` and, for
another server, ``MACROCLI_BASE_URL``. The model only ever gets four tools; nothing it says is
executed as code.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Mapping
from typing import Any

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed, StepTimedOut
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


def _tool(name: str, description: str, **properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {
                "type": "object",
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            },
        },
    }


_TOOLS = [
    _tool("click", "Click at a place.", x={"type": "integer"}, y={"type": "integer"}),
    _tool("type_text", "Type text where the focus is.", text={"type": "string"}),
    _tool("press_keys", "Press a combination such as ctrl+s.", keys={"type": "string"}),
    _tool(
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
        answer = ask(messages, context, tools=_TOOLS)
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


def ask(
    messages: list[dict[str, Any]], context: Context, *, tools: list[dict[str, Any]] | None = None
) -> dict[str, Any]:
    """The model's next message; raises :class:`StepFailed` with what the server said."""
    import openai

    environment = context.environment
    client = openai.OpenAI(
        api_key=environment["MACROCLI_API_KEY"],
        base_url=environment.get("MACROCLI_BASE_URL") or None,
        timeout=context.remaining() or 60.0,
        max_retries=1,
    )
    options: dict[str, Any] = {"model": environment["MACROCLI_MODEL"], "messages": messages}
    if tools:
        options["tools"] = tools
    try:
        reply = client.chat.completions.create(**options)
    except openai.APITimeoutError:
        raise StepTimedOut("the model did not answer in time") from None
    except openai.OpenAIError as problem:
        # The message of the SDK may quote the key it was refused with.
        said = str(problem).replace(environment["MACROCLI_API_KEY"], "***")
        raise StepFailed(f"the model cannot be asked: {said}") from None
    if not reply.choices:
        raise StepFailed("the model answered nothing")
    message: dict[str, Any] = reply.choices[0].message.model_dump(exclude_none=True)
    return message


def _look(instruction: str, number: int, context: Context) -> dict[str, Any]:
    png = base64.b64encode(encode_png(grab(context.environment))).decode()
    text = instruction if number == 1 else "This is the screen now. Go on, or call done."
    return {
        "role": "user",
        "content": [
            {"type": "text", "text": text},
            {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{png}"}},
        ],
    }


def _carry_out(
    answer: Mapping[str, Any],
    actions: list[dict[str, Any]],
    messages: list[dict[str, Any]],
    context: Context,
) -> dict[str, Any]:
    """Do what the model asked; each call gets its result as a message."""
    verdict: dict[str, Any] = {"done": None, "message": answer.get("content") or ""}
    calls = answer.get("tool_calls") or []
    for call in calls[:_ACTION_LIMIT]:
        name, text = call["function"]["name"], call["function"]["arguments"]
        try:
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
