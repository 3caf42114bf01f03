"""What a person does, first as single inputs, then as actions a macro can repeat.

Times are seconds on the monotonic clock, places are pixels from the screen's upper left.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from cli_anything.macrocli.desktop.sequence import Rectangle


@dataclass(frozen=True, slots=True)
class Key:
    """A key went down: a *character*, or a key with a *name* such as ``enter``.

    Both are empty for a key that cannot be read. *held* are the modifiers in the words of
    :data:`cli_anything.macrocli.desktop.keys.MODIFIERS`.
    """

    at: float
    character: str = ""
    name: str = ""
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the mouse went down or up."""

    at: float
    x: int
    y: int
    button: str
    down: bool


@dataclass(frozen=True, slots=True)
class Wheel:
    """The wheel was turned; up and right are positive."""

    at: float
    x: int
    y: int
    dx: int
    dy: int


Input: TypeAlias = Key | Button | Wheel


@dataclass(frozen=True, slots=True)
class Typed:
    """Text typed in one go, from its first key to its last."""

    at: float
    until: float
    text: str


@dataclass(frozen=True, slots=True)
class Pressed:
    """A key or combination that is not text."""

    at: float
    keys: str


@dataclass(frozen=True, slots=True)
class Clicked:
    at: float
    x: int
    y: int
    button: str
    clicks: int = 1


@dataclass(frozen=True, slots=True)
class Dragged:
    at: float
    x: int
    y: int
    to_x: int
    to_y: int
    button: str


@dataclass(frozen=True, slots=True)
class Scrolled:
    at: float
    x: int
    y: int
    dx: int
    dy: int


Action: TypeAlias = Typed | Pressed | Clicked | Dragged | Scrolled


class Field(Enum):
    """What the keyboard was connected to, as far as the accessibility tree says."""

    PLAIN = "plain"
    PASSWORD = "password"  # noqa: S105 - a kind of field
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FocusChange:
    """From here on the keyboard went to a field of this kind."""

    at: float
    field: Field


@dataclass(frozen=True, slots=True)
class WindowChange:
    """From here on this window had the keyboard; *place* is where it was."""

    at: float
    window: int
    title: str
    place: Rectangle


@dataclass(frozen=True, slots=True)
class Anchor:
    """A picture around a click by which its place is found again: PNG, and from its middle."""

    png: bytes
    dx: int
    dy: int
