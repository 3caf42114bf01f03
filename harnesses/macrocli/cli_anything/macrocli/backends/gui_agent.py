"""Lets a model look at the screen and act on an instruction."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

from cli_anything.macrocli.backends.base import (
    AVAILABLE,
    Action,
    Availability,
    Backend,
    Context,
    unavailable,
)
from cli_anything.macrocli.backends.visual_anchor import probe as probe_visual
from cli_anything.macrocli.extras import how_to_get
from cli_anything.macrocli.fields import Field, Shape


def instruct(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """One look at the screen, one round of actions."""
    from cli_anything.macrocli.desktop import agent

    return agent.instruct(arguments, context, rounds=1)


def instruct_with_refine(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Look and act again until the model says the goal is reached."""
    from cli_anything.macrocli.desktop import agent

    return agent.instruct(arguments, context, rounds=arguments["max_rounds"])


def probe(_action: str, environment: Mapping[str, str]) -> Availability:
    if importlib.util.find_spec("openai") is None:
        return unavailable("the OpenAI SDK is not installed", how_to_get("gui_agent", "visual"))
    missing = [name for name in ("MACROCLI_MODEL", "MACROCLI_API_KEY") if not environment.get(name)]
    if missing:
        return unavailable(
            f"{' and '.join(missing)} not set",
            "set MACROCLI_MODEL, MACROCLI_API_KEY and, for your own server, MACROCLI_BASE_URL",
        )
    screen = probe_visual("", environment)
    return screen if not screen.available else AVAILABLE


_INSTRUCTION = Field("instruction", required=True, aliases=("goal",), description="in plain words")

BACKEND = Backend(
    name="gui_agent",
    priority=60,
    summary="a model looks at the screen and acts",
    actions=(
        Action(
            "instruct",
            (_INSTRUCTION,),
            ("rounds", "actions", "message", "done"),
            instruct,
            "carry out one instruction from one look at the screen",
        ),
        Action(
            "instruct_with_refine",
            (
                _INSTRUCTION,
                Field("max_rounds", Shape.INTEGER, default=5),
            ),
            ("rounds", "actions", "message", "done"),
            instruct_with_refine,
            "look and act again until the goal is reached",
        ),
    ),
    probe=probe,
)
