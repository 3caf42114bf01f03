"""The action of ``gui_macro``: replays a compiled sequence on this screen, scaled or refused."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed, StepTimedOut
from cli_anything.macrocli.desktop import semantic
from cli_anything.macrocli.desktop.input import Input, drag, open_input
from cli_anything.macrocli.desktop.sequence import (
    BadSequence,
    Event,
    EventKind,
    Rectangle,
    Sequence,
    read_sequence,
)
from cli_anything.macrocli.desktop.vision import grab
from cli_anything.macrocli.desktop.windows import find_windows, window_place
from cli_anything.macrocli.desktop.xdotool import Xdotool

_LONGEST_PAUSE = 2.0
"""Seconds; a person's longer pauses are not worth repeating."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How recorded places become places here: from *recorded* into *here*."""

    recorded: Rectangle
    here: Rectangle

    @property
    def scale_x(self) -> float:
        return self.here.width / self.recorded.width

    @property
    def scale_y(self) -> float:
        return self.here.height / self.recorded.height

    def place(self, x: int, y: int) -> tuple[int, int]:
        return (
            self.here.x + round((x - self.recorded.x) * self.scale_x),
            self.here.y + round((y - self.recorded.y) * self.scale_y),
        )


def replay(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    path = context.folder / arguments["sequence"]
    try:
        sequence = read_sequence(path)
    except BadSequence as problem:
        raise BadArgument(str(problem)) from None
    if arguments["speed"] <= 0:
        raise BadArgument("speed must be greater than 0")
    missing = _missing_values(sequence, arguments["values"])
    if missing:
        raise BadArgument(f"values lacks {', '.join(missing)}")
    placement = _placement(sequence, arguments["layout_strict"], context)
    hand = open_input(context.environment)
    began, skipped, last = time.monotonic(), 0.0, 0.0
    for number, event in enumerate(sequence.events):
        pause = (event.at - last) / arguments["speed"]
        skipped += max(0.0, pause - _LONGEST_PAUSE)
        last = event.at
        _wait_until(began + event.at / arguments["speed"] - skipped, number, context)
        _do(event, hand, placement, arguments["values"], context)
    return {
        "events": len(sequence.events),
        "scale_x": round(placement.scale_x, 4),
        "scale_y": round(placement.scale_y, 4),
    }


def _missing_values(sequence: Sequence, values: Mapping[str, str]) -> list[str]:
    wanted = [event.data["value"] for event in sequence.events if "value" in event.data]
    return [name for name in dict.fromkeys(wanted) if name not in values]


def _placement(sequence: Sequence, strict: bool, context: Context) -> Placement:
    """Relative to the recorded window where there was one, else to the whole screen."""
    recorded = sequence.screen
    if sequence.window is None:
        height, width = grab(context.environment).shape[:2]
        placement = Placement(recorded, Rectangle(0, 0, width, height))
    else:
        placement = Placement(sequence.window, _window(sequence.title, context))
    if strict and (placement.scale_x != 1 or placement.scale_y != 1):
        here, was = placement.here, placement.recorded
        raise StepFailed(
            f"the layout differs: recorded at {was.width}×{was.height}, "
            f"here it is {here.width}×{here.height}",
            hint="set layout_strict: false to scale, or record it again",
        )
    return placement


def _window(title: str, context: Context) -> Rectangle:
    found = semantic.wait_for(
        lambda: next(iter(find_windows(title, context.environment)), None),
        5.0,
        context,
        f"no window has {title!r} in its title",
    )
    return window_place(Xdotool(context.environment), found.id)


def _wait_until(moment: float, number: int, context: Context) -> None:
    pause = max(0.0, moment - time.monotonic())
    left = context.remaining()
    if left is not None and left <= pause:
        raise StepTimedOut(f"the time was up before event {number}", output={"events": number})
    time.sleep(pause)


def _do(
    event: Event,
    hand: Input,
    placement: Placement,
    values: Mapping[str, str],
    context: Context,
) -> None:
    data = event.data
    if event.kind is EventKind.KEYS:
        semantic.shortcut({"keys": data["keys"]}, context)
    elif event.kind is EventKind.TEXT:
        text = values[data["value"]] if "value" in data else data["text"]
        semantic.type_text({"text": text, "interval_ms": 0.0}, context)
    elif event.kind is EventKind.SCROLL:
        hand.move(*placement.place(data["x"], data["y"]))
        hand.scroll(data["dx"], data["dy"])
    elif event.kind is EventKind.DRAG:
        start = placement.place(data["x"], data["y"])
        end = placement.place(data["to_x"], data["to_y"])
        drag(hand, start, end, data.get("button", "left"), 0.2)
    else:
        place = placement.place(data["x"], data["y"])
        hand.click(*place, data.get("button", "left"), data.get("clicks", 1))
