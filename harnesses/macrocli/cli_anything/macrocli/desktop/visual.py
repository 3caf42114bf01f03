"""The actions of ``visual_anchor``."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed, StepTimedOut
from cli_anything.macrocli.desktop import semantic
from cli_anything.macrocli.desktop.input import Input, open_input
from cli_anything.macrocli.desktop.input import drag as drag_pointer
from cli_anything.macrocli.desktop.vision import (
    BadTemplate,
    Match,
    Pixels,
    find,
    grab,
    load_template,
    save_png,
)

_PAUSE = 0.15
"""Seconds between two looks at the screen."""


def click_image(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    match = _wait(arguments, context)
    hand = open_input(context.environment)
    hand.click(*match.middle, arguments["button"], _clicks(arguments))
    return _found(match, *match.middle)


def click_relative(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """The distance grows with the scale the picture was found at."""
    match = _wait(arguments, context)
    x, y = _away(match, arguments)
    open_input(context.environment).click(x, y, arguments["button"], _clicks(arguments))
    return _found(match, x, y)


def wait_image(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    if not arguments["gone"]:
        match = _wait(arguments, context)
        return _found(match, *match.middle)
    _wait_until_gone(arguments, context)
    return dict.fromkeys(("x", "y", "confidence", "scale", "box"))


def type_text(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    return semantic.type_text(arguments, context)


def hotkey(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    return semantic.shortcut(arguments, context)


def scroll(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    hand = open_input(context.environment)
    if arguments["x"] is not None and arguments["y"] is not None:
        hand.move(arguments["x"], arguments["y"])
    hand.scroll(arguments["dx"], arguments["dy"])
    return {"dx": arguments["dx"], "dy": arguments["dy"]}


def drag(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    start = arguments["from_x"], arguments["from_y"]
    end = arguments["to_x"], arguments["to_y"]
    return _drag(open_input(context.environment), start, end, arguments)


def drag_relative(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    match = _wait(arguments, context)
    end = _away(match, arguments)
    done = _drag(open_input(context.environment), match.middle, end, arguments)
    return {**_found(match, *match.middle), **done}


def capture_region(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    size = (arguments["width"], arguments["height"])
    if (size[0] is None) is not (size[1] is None):
        raise BadArgument("width and height belong together")
    region = None if size[0] is None else (arguments["x"], arguments["y"], *size)
    if region is not None and (min(size) < 1 or min(region) < 0):
        raise BadArgument("a region has a positive size and lies on the screen")
    pixels = grab(context.environment, region)
    path: Path = arguments["output_file"]
    try:
        save_png(pixels, path)
    except OSError as problem:
        raise StepFailed(f"{path} cannot be written: {problem.strerror or problem}") from None
    return {"file": str(path), "width": pixels.shape[1], "height": pixels.shape[0]}


def _clicks(arguments: Mapping[str, Any]) -> int:
    clicks: int = arguments["clicks"]
    if not 1 <= clicks <= 10:
        raise BadArgument(f"clicks must be from 1 to 10, not {clicks}")
    return clicks


def _away(match: Match, arguments: Mapping[str, Any]) -> tuple[int, int]:
    x, y = match.middle
    return x + round(arguments["dx"] * match.scale), y + round(arguments["dy"] * match.scale)


def _drag(
    hand: Input, start: tuple[int, int], end: tuple[int, int], arguments: Mapping[str, Any]
) -> dict[str, Any]:
    drag_pointer(hand, start, end, arguments["button"], arguments["duration_ms"])
    return {"from": list(start), "to": list(end)}


def _template(arguments: Mapping[str, Any], context: Context) -> tuple[Path, Pixels]:
    path = context.folder / arguments["template"]
    try:
        return path, load_template(path)
    except BadTemplate as problem:
        raise BadArgument(str(problem)) from None


def _look(template: Pixels, arguments: Mapping[str, Any], context: Context) -> tuple[Any, float]:
    scales = [float(scale) for scale in arguments["scales"]]
    return find(grab(context.environment), template, arguments["confidence"], scales)


def _wait(arguments: Mapping[str, Any], context: Context) -> Match:
    """Look until the picture is there, for as long as the step and the action allow."""
    path, template = _template(arguments, context)
    left = context.remaining()
    seconds = arguments["timeout_ms"] if left is None else min(arguments["timeout_ms"], left)
    deadline = time.monotonic() + seconds
    while True:
        match, best = _look(template, arguments, context)
        if match is not None:
            found: Match = match
            return found
        if time.monotonic() >= deadline:
            kind = StepTimedOut if left is not None and left <= seconds else StepFailed
            raise kind(
                f"{path.name} is not on the screen (best match {best:.2f}, "
                f"wanted {arguments['confidence']:.2f})",
                hint="capture-template makes a new picture of what is there now",
                output={"confidence": round(best, 4)},
            )
        time.sleep(_PAUSE)


def _wait_until_gone(arguments: Mapping[str, Any], context: Context) -> None:
    path, template = _template(arguments, context)
    deadline = time.monotonic() + arguments["timeout_ms"]
    while _look(template, arguments, context)[0] is not None:
        if time.monotonic() >= deadline or context.remaining() == 0:
            raise StepFailed(f"{path.name} is still on the screen")
        time.sleep(_PAUSE)


def _found(match: Match, x: int, y: int) -> dict[str, Any]:
    return {
        "x": x,
        "y": y,
        "confidence": round(match.confidence, 4),
        "scale": round(match.scale, 3),
        "box": [match.x, match.y, match.width, match.height],
    }
