"""Puts single inputs together into actions, and says which typed text may be written down. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from cli_anything.macrocli.desktop.keys import parse_keys
from cli_anything.macrocli.recording.model import (
    Action,
    Button,
    Clicked,
    Dragged,
    Field,
    FocusChange,
    Input,
    Key,
    Pressed,
    Scrolled,
    Typed,
    Wheel,
)

_STILL = 5
"""Pixels the pointer may move between press and release of a click."""

_AGAIN = 0.5
"""Seconds within which a click belongs to the click before it."""

_SCROLLING = 1.0
_HANDOVER = 0.3
"""Seconds between the field that loses the keyboard and the one that gets it."""

_LATE = 0.05
"""Seconds by which the news of a changed focus may come after the first key."""

_ORDER = ("ctrl", "alt", "shift", "super")
_CHORD = frozenset(("ctrl", "alt", "super"))


@dataclass(slots=True)
class Gathered:
    """The actions in order, and how many keys there were that nobody can read."""

    actions: list[Action] = field(default_factory=list)
    unreadable: int = 0


def gather(inputs: Sequence[Input]) -> Gathered:
    """The actions behind *inputs*, which are in the order of their times."""
    gathered = Gathered()
    pressed: dict[str, Button] = {}
    for one in inputs:
        match one:
            case Key():
                _key(one, gathered)
            case Button(down=True):
                pressed[one.button] = one
            case Button():
                began = pressed.pop(one.button, None)
                if began is not None:
                    _released(began, one, gathered.actions)
            case Wheel():
                _turned(one, gathered.actions)
    return gathered


def _key(key: Key, gathered: Gathered) -> None:
    actions = gathered.actions
    last = actions[-1] if actions else None
    if key.character and not key.held & _CHORD:
        if isinstance(last, Typed):
            actions[-1] = replace(last, until=key.at, text=last.text + key.character)
        else:
            actions.append(Typed(key.at, key.at, key.character))
    elif key.name == "backspace" and not key.held and isinstance(last, Typed):
        shorter = replace(last, until=key.at, text=last.text[:-1])
        actions[-1:] = [shorter] if shorter.text else []
    elif combination := combination_of(key):
        actions.append(Pressed(key.at, combination))
    else:
        gathered.unreadable += 1


def combination_of(key: Key) -> str:
    """``ctrl+shift+s`` for a key and what was held with it; empty for keys nobody can press."""
    name = key.name or ("space" if key.character == " " else key.character.lower())
    combination = "+".join([*(word for word in _ORDER if word in key.held), name])
    try:
        parse_keys(combination)
    except ValueError:
        return ""
    return combination


def _released(down: Button, up: Button, actions: list[Action]) -> None:
    if not _near(down, up):
        actions.append(Dragged(down.at, down.x, down.y, up.x, up.y, up.button))
        return
    last = actions[-1] if actions else None
    again = (
        isinstance(last, Clicked)
        and last.button == down.button
        and _near(last, down)
        and down.at - last.at < _AGAIN * last.clicks
    )
    if again and isinstance(last, Clicked):
        actions[-1] = replace(last, clicks=last.clicks + 1)
    else:
        actions.append(Clicked(down.at, down.x, down.y, down.button))


def _turned(wheel: Wheel, actions: list[Action]) -> None:
    last = actions[-1] if actions else None
    if isinstance(last, Scrolled) and _near(last, wheel) and wheel.at - last.at < _SCROLLING:
        merged = replace(last, at=wheel.at, dx=last.dx + wheel.dx, dy=last.dy + wheel.dy)
        actions[-1:] = [merged] if merged.dx or merged.dy else []
    else:
        actions.append(Scrolled(wheel.at, wheel.x, wheel.y, wheel.dx, wheel.dy))


def _near(one: Button | Clicked | Scrolled, other: Button | Wheel) -> bool:
    return abs(one.x - other.x) <= _STILL and abs(one.y - other.y) <= _STILL


def field_of(typed: Typed, next_at: float, changes: Sequence[FocusChange]) -> Field:
    """What *typed* was typed into; *next_at* is when something else was done.

    A password field anywhere in that time makes it one: news of the focus comes late, and letting
    one password through is worse than withholding a harmless word.
    """
    until = min(next_at, max(typed.until + _LATE, typed.at + _HANDOVER))
    settled = _settled(changes)
    before = [change.field for change in settled if change.at <= typed.at]
    within = [change.field for change in settled if typed.at < change.at <= until]
    seen = [before[-1] if before else Field.UNKNOWN, *within]
    if Field.PASSWORD in seen:
        return Field.PASSWORD
    return Field.UNKNOWN if Field.UNKNOWN in seen else Field.PLAIN


def _settled(changes: Sequence[FocusChange]) -> list[FocusChange]:
    """Without the moments in which one field has let go and the next has not yet taken over."""
    return [
        change
        for change, following in zip_longest(changes, changes[1:])
        if change.field is not Field.UNKNOWN
        or following is None
        or following.at - change.at > _HANDOVER
    ]
