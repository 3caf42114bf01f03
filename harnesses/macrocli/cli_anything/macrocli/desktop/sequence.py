"""Compiled sequences: recorded pointer and key events with the screen they were recorded on.

The file is JSON: ``{"format": "macrocli-sequence/1", "screen": {"width", "height"}, "window":
{"title", "x", "y", "width", "height"} or null, "events": [{"at_ms", "type", …}]}``. Events are
``click`` (``x``, ``y``, ``button``, ``clicks``), ``drag`` (``x``, ``y``, ``to_x``, ``to_y``,
``button``), ``scroll`` (``x``, ``y``, ``dx``, ``dy``), ``keys`` (``keys``) and ``text`` (``text``,
or ``value`` with the name of one that is given at replay).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

FORMAT = "macrocli-sequence/1"
EVENT_LIMIT = 100_000


class EventKind(Enum):
    CLICK = "click"
    DRAG = "drag"
    SCROLL = "scroll"
    KEYS = "keys"
    TEXT = "text"


_NUMBERS = {
    EventKind.CLICK: ("x", "y"),
    EventKind.DRAG: ("x", "y", "to_x", "to_y"),
    EventKind.SCROLL: ("x", "y", "dx", "dy"),
    EventKind.KEYS: (),
    EventKind.TEXT: (),
}


class BadSequence(ValueError):
    """A file that is not a compiled sequence, or not of this format."""


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A place on the screen, or (at 0, 0) the screen itself."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Event:
    """One thing the person did, *at* seconds after the first."""

    at: float
    kind: EventKind
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sequence:
    """What was recorded, and on what."""

    screen: Rectangle
    window: Rectangle | None
    title: str
    events: tuple[Event, ...]


def read_sequence(path: Path) -> Sequence:
    """Read a compiled sequence; raises :class:`BadSequence` saying what is wrong."""
    try:
        raw = json.loads(path.read_text("utf-8"))
    except OSError as problem:
        raise BadSequence(f"{path} cannot be read: {problem.strerror}") from None
    except ValueError as problem:
        raise BadSequence(f"{path} is not JSON: {problem}") from None
    try:
        if raw["format"] != FORMAT:
            raise BadSequence(f"{path} is of the format {raw['format']!r}, not {FORMAT!r}")
        window = raw.get("window")
        events = tuple(_event(number, event) for number, event in enumerate(raw["events"]))
        if len(events) > EVENT_LIMIT:
            raise BadSequence(f"{path} has more than {EVENT_LIMIT} events")
        return Sequence(
            _rectangle(raw["screen"]),
            _rectangle(window) if window else None,
            str(window["title"]) if window else "",
            events,
        )
    except (KeyError, TypeError, ValueError) as problem:
        if isinstance(problem, BadSequence):
            raise
        raise BadSequence(f"{path} is not a sequence: {problem!r}") from None


def sequence_document(
    screen: Rectangle, window: Rectangle | None, title: str, events: list[dict[str, Any]]
) -> dict[str, Any]:
    """What a file of this format holds; *events* are as the format has them."""
    place = None
    if window is not None:
        size = {"width": window.width, "height": window.height}
        place = {"title": title, "x": window.x, "y": window.y, **size}
    return {
        "format": FORMAT,
        "screen": {"width": screen.width, "height": screen.height},
        "window": place,
        "events": events,
    }


def _rectangle(raw: Mapping[str, Any]) -> Rectangle:
    found = Rectangle(
        int(raw.get("x", 0)), int(raw.get("y", 0)), int(raw["width"]), int(raw["height"])
    )
    if found.width < 1 or found.height < 1:
        raise ValueError("a rectangle without a size")
    return found


def _event(number: int, raw: Mapping[str, Any]) -> Event:
    kind = EventKind(raw["type"])
    for name in _NUMBERS[kind]:
        if isinstance(raw[name], bool) or not isinstance(raw[name], int):
            raise ValueError(f"events[{number}].{name} must be a whole number")
    if kind is EventKind.KEYS and not isinstance(raw["keys"], str):
        raise ValueError(f"events[{number}].keys must be text")
    if kind is EventKind.TEXT and not isinstance(raw.get("text", raw.get("value")), str):
        raise ValueError(f"events[{number}] needs text, or the name of a value")
    return Event(float(raw["at_ms"]) / 1000, kind, dict(raw))
