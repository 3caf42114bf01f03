"""Lets a model look at the screen and act on an instruction."""

from __future__ import annotations

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
from cli_anything.macrocli.chat import model_problem
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape


def instruct(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """One look at the screen, one round of actions."""
    from cli_anything.macrocli.desktop import agent

    return agent.instruct(arguments, context, rounds=1)


def instruct_with_refine(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Look and act again until the model says the goal is reached."""
    from cli_anything.macrocli.desktop import agent

    return agent.instruct(arguments, context, rounds=arguments["max_rounds"])


def probe(_action: str, environment: Mapping[str, str]) -> Availability:
    problem, remedy = model_problem(environment)
    if problem:
        return unavailable(problem, remedy)
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
