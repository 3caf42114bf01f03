"""Finds pictures on the screen and works where they are."""

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
    Perform,
    unavailable,
)
from cli_anything.macrocli.desktop.display import NO_DISPLAY, display_problem, input_problem
from cli_anything.macrocli.extras import how_to_get
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape

_MODULES = {"mss": "mss", "PIL": "Pillow", "cv2": "OpenCV"}
_BLIND = ("type_text", "hotkey", "scroll", "drag")
"""Actions that move the pointer or press keys without looking at the screen."""

_TEMPLATE = Field(
    "template",
    Shape.PATH,
    required=True,
    aliases=("image",),
    description="a picture; a relative path is looked up beside the macro file",
)
_CONFIDENCE = Field(
    "confidence", Shape.NUMBER, default=0.85, aliases=("threshold",), description="0 to 1"
)
_SCALES = Field(
    "scales", Shape.LIST, default=[], description="sizes to look for; 0.5 to 2 if not given"
)
_WAIT = Field("timeout_ms", Shape.MILLISECONDS, default=5.0, description="how long to look for it")
_BUTTON = Field("button", default="left", choices=("left", "middle", "right"))
_CLICKS = Field("clicks", Shape.INTEGER, default=1)
_FOUND = ("x", "y", "confidence", "scale", "box")


def _lazily(name: str) -> Perform:
    """An action from the module that does the work, imported when it is first needed."""

    def performing(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        from cli_anything.macrocli.desktop import visual

        done: dict[str, Any] = getattr(visual, name)(arguments, context)
        return done

    return performing


def probe(action: str, environment: Mapping[str, str]) -> Availability:
    """A screen, and the libraries of the ``visual`` extra."""
    needed = () if action in _BLIND else tuple(_MODULES)
    missing = [_MODULES[name] for name in needed if importlib.util.find_spec(name) is None]
    if missing:
        return unavailable(f"{', '.join(missing)} not installed", how_to_get("visual"))
    problem = display_problem(environment)
    if problem:
        return unavailable(problem, NO_DISPLAY)
    problem = "" if action == "capture_region" else input_problem(environment)
    return unavailable(problem, "apt-get install xdotool") if problem else AVAILABLE


BACKEND = Backend(
    name="visual_anchor",
    priority=75,
    summary="finds pictures on the screen, clicks and types there",
    actions=(
        Action(
            "click_image",
            (_TEMPLATE, _CONFIDENCE, _SCALES, _WAIT, _BUTTON, _CLICKS),
            _FOUND,
            _lazily("click_image"),
            "click the middle of a picture",
        ),
        Action(
            "click_relative",
            (
                _TEMPLATE,
                Field("dx", Shape.INTEGER, required=True, description="pixels at the found scale"),
                Field("dy", Shape.INTEGER, required=True),
                _CONFIDENCE,
                _SCALES,
                _WAIT,
                _BUTTON,
                _CLICKS,
            ),
            _FOUND,
            _lazily("click_relative"),
            "click at a distance from the middle of a picture",
        ),
        Action(
            "wait_image",
            (
                _TEMPLATE,
                _CONFIDENCE,
                _SCALES,
                _WAIT,
                Field("gone", Shape.BOOLEAN, default=False, description="wait until it is gone"),
            ),
            _FOUND,
            _lazily("wait_image"),
            "wait until a picture is on the screen",
        ),
        Action(
            "type_text",
            (
                Field("text", required=True),
                Field("interval_ms", Shape.MILLISECONDS, default=0.0, description="between keys"),
            ),
            ("typed",),
            _lazily("type_text"),
            "type text, in any script, where the focus is",
        ),
        Action(
            "hotkey",
            (Field("keys", required=True, description="such as ctrl+s"),),
            ("keys",),
            _lazily("hotkey"),
            "press a key combination",
        ),
        Action(
            "scroll",
            (
                Field("dy", Shape.INTEGER, default=0, aliases=("amount",), description="up is > 0"),
                Field("dx", Shape.INTEGER, default=0),
                Field("x", Shape.INTEGER),
                Field("y", Shape.INTEGER),
            ),
            ("dx", "dy"),
            _lazily("scroll"),
            "turn the wheel",
        ),
        Action(
            "drag",
            (
                Field("from_x", Shape.INTEGER, required=True),
                Field("from_y", Shape.INTEGER, required=True),
                Field("to_x", Shape.INTEGER, required=True),
                Field("to_y", Shape.INTEGER, required=True),
                _BUTTON,
                Field("duration_ms", Shape.MILLISECONDS, default=0.2),
            ),
            ("from", "to"),
            _lazily("drag"),
            "drag from one place to another",
        ),
        Action(
            "drag_relative",
            (
                _TEMPLATE,
                Field("dx", Shape.INTEGER, required=True),
                Field("dy", Shape.INTEGER, required=True),
                _CONFIDENCE,
                _SCALES,
                _WAIT,
                _BUTTON,
                Field("duration_ms", Shape.MILLISECONDS, default=0.2),
            ),
            (*_FOUND, "from", "to"),
            _lazily("drag_relative"),
            "drag the middle of a picture by a distance",
        ),
        Action(
            "capture_region",
            (
                Field("output_file", Shape.PATH, required=True, aliases=("output",)),
                Field("x", Shape.INTEGER, default=0),
                Field("y", Shape.INTEGER, default=0),
                Field("width", Shape.INTEGER, description="the whole screen if not given"),
                Field("height", Shape.INTEGER),
            ),
            ("file", "width", "height"),
            _lazily("capture_region"),
            "save a part of the screen as PNG",
        ),
    ),
    probe=probe,
)
