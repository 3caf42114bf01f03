"""Asks a model over the chat API of the OpenAI SDK.

``MACROCLI_MODEL`` and ``MACROCLI_API_KEY`` say which and as whom, ``MACROCLI_BASE_URL`` names
another server that speaks the same API.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from typing import Any

from cli_anything.kit.errors import ApplicationMissing, HarnessError, TimedOut
from cli_anything.macrocli.extras import how_to_get

_PATIENCE = 60.0
"""Seconds one answer may take when nothing else limits it."""

Message = dict[str, Any]


class ModelFailed(HarnessError):
    """The model cannot be asked, or its answer is of no use."""

    code = "model_failed"


def model_problem(environment: Mapping[str, str]) -> tuple[str, str]:
    """Why no model can be asked here and what helps, or two empty strings."""
    if importlib.util.find_spec("openai") is None:
        return "the OpenAI SDK is not installed", how_to_get("gui_agent", "visual")
    missing = [name for name in ("MACROCLI_MODEL", "MACROCLI_API_KEY") if not environment.get(name)]
    if missing:
        return (
            f"{' and '.join(missing)} not set",
            "set MACROCLI_MODEL, MACROCLI_API_KEY and, for your own server, MACROCLI_BASE_URL",
        )
    return "", ""


def require_model(environment: Mapping[str, str]) -> None:
    """Raise :class:`ApplicationMissing` where no model can be asked."""
    problem, remedy = model_problem(environment)
    if problem:
        raise ApplicationMissing(problem, hint=remedy)


def tool(name: str, description: str, **properties: Mapping[str, Any]) -> dict[str, Any]:
    """One thing the model may call; all its *properties* are required."""
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


def with_picture(text: str, png: bytes) -> Message:
    """What the user says, with a picture."""
    import base64

    address = f"data:image/png;base64,{base64.b64encode(png).decode()}"
    return {
        "role": "user",
        "content": [
            {"type": "text", "text": text},
            {"type": "image_url", "image_url": {"url": address}},
        ],
    }


def called(answer: Message, name: str) -> tuple[str, dict[str, Any]] | None:
    """The id and the arguments of the first call of the tool *name*; None without a usable one."""
    for call in answer.get("tool_calls") or ():
        if call["function"]["name"] != name:
            continue
        try:
            arguments = json.loads(call["function"]["arguments"])
        except ValueError:
            return None
        return (str(call["id"]), arguments) if isinstance(arguments, dict) else None
    return None


def ask(
    messages: list[Message],
    environment: Mapping[str, str],
    *,
    tools: list[dict[str, Any]] | None = None,
    timeout: float | None = None,
) -> Message:
    """The model's next message; raises :class:`ModelFailed` with what the server said."""
    import openai

    client = openai.OpenAI(
        api_key=environment["MACROCLI_API_KEY"],
        base_url=environment.get("MACROCLI_BASE_URL") or None,
        timeout=timeout or _PATIENCE,
        max_retries=1,
    )
    options: dict[str, Any] = {"model": environment["MACROCLI_MODEL"], "messages": messages}
    if tools:
        options["tools"] = tools
    try:
        reply = client.chat.completions.create(**options)
    except openai.APITimeoutError:
        raise TimedOut("the model did not answer in time") from None
    except openai.OpenAIError as problem:
        # The message of the SDK may quote the key it was refused with.
        said = str(problem).replace(environment["MACROCLI_API_KEY"], "***")
        raise ModelFailed(f"the model cannot be asked: {said}") from None
    if not reply.choices:
        raise ModelFailed("the model answered nothing")
    message: Message = reply.choices[0].message.model_dump(exclude_none=True)
    return message
