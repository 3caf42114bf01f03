"""Replays a recorded sequence of pointer and key events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli_anything.macrocli.backends.base import Action, Backend, Context
from cli_anything.macrocli.backends.visual_anchor import probe as probe_visual
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape


def replay(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Replay a compiled sequence, scaled to this screen or refused."""
    from cli_anything.macrocli.desktop import replay as desktop_replay

    return desktop_replay.replay(arguments, context)


BACKEND = Backend(
    name="gui_macro",
    priority=80,
    summary="replays a recorded sequence of clicks and keys",
    actions=(
        Action(
            "replay",
            (
                Field(
                    "sequence",
                    Shape.PATH,
                    required=True,
                    aliases=("file", "macro_file"),
                    description="a compiled sequence; relative paths start beside the macro file",
                ),
                Field("values", Shape.TEXT_MAP, default={}, description="for texts it asks for"),
                Field(
                    "layout_strict",
                    Shape.BOOLEAN,
                    default=False,
                    description="refuse a screen of another size instead of scaling",
                ),
                Field("speed", Shape.NUMBER, default=1.0, description="2 is twice as fast"),
            ),
            ("events", "scale_x", "scale_y"),
            replay,
            "replay a compiled sequence of events",
        ),
    ),
    probe=lambda _action, environment: probe_visual("", environment),
)
