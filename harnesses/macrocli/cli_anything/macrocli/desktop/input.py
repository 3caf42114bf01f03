"""Keys, text and the pointer, as a person at the desk would use them."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Protocol

from cli_anything.macrocli.desktop.display import DesktopUnavailable, uses_xdotool
from cli_anything.macrocli.desktop.keys import character_of, parse_keys
from cli_anything.macrocli.desktop.xdotool import Xdotool
from cli_anything.macrocli.extras import how_to_get

_BUTTONS = {"left": 1, "middle": 2, "right": 3}
_WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}
_FOREIGN_PAUSE = 0.02
"""Seconds between keys when one has to be borrowed for a character that is on no key."""

_DRAG_STEPS = 12


class Input(Protocol):
    """Anything that can act for a person. Places are pixels from the screen's upper left."""

    def keys(self, combination: str) -> None: ...
    def type(self, text: str, interval: float) -> None: ...
    def click(self, x: int, y: int, button: str, clicks: int) -> None: ...
    def scroll(self, dx: int, dy: int) -> None: ...
    def move(self, x: int, y: int) -> None: ...
    def press(self, button: str) -> None: ...
    def release(self, button: str) -> None: ...


class XdotoolInput:
    """Input to an X display."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._xdotool = Xdotool(environment)

    def keys(self, combination: str) -> None:
        modifiers, key = parse_keys(combination)
        self._xdotool.call("key", "--clearmodifiers", "+".join((*modifiers, key)))

    def type(self, text: str, interval: float) -> None:
        pause = interval if text.isascii() else max(interval, _FOREIGN_PAUSE)
        for number, line in enumerate(text.split("\n")):
            if number:
                self._xdotool.call("key", "Return")
            if line:
                limit = 30 + len(line) * (pause + 0.1)
                delay = str(max(round(pause * 1000), 4))
                self._xdotool.call(
                    "type", "--clearmodifiers", "--delay", delay, "--", line, timeout=limit
                )

    def move(self, x: int, y: int) -> None:
        self._xdotool.call("mousemove", str(x), str(y))

    def click(self, x: int, y: int, button: str, clicks: int) -> None:
        self.move(x, y)
        number = str(_BUTTONS[button])
        self._xdotool.call("click", "--repeat", str(clicks), "--delay", "60", number)

    def scroll(self, dx: int, dy: int) -> None:
        for amount, positive, negative in ((dy, "up", "down"), (dx, "right", "left")):
            if amount:
                button = _WHEEL[positive if amount > 0 else negative]
                self._xdotool.call(
                    "click", "--repeat", str(abs(amount)), "--delay", "20", str(button)
                )

    def press(self, button: str) -> None:
        self._xdotool.call("mousedown", str(_BUTTONS[button]))

    def release(self, button: str) -> None:
        self._xdotool.call("mouseup", str(_BUTTONS[button]))


class PynputInput:
    """Input through pynput: where there is no X display, or no xdotool."""

    def __init__(self) -> None:
        self._keyboard, self._mouse = pynput_modules()
        with redirect_stdout(sys.stderr):
            self._typist = self._keyboard.Controller()
            self._pointer = self._mouse.Controller()

    def keys(self, combination: str) -> None:
        modifiers, key = parse_keys(combination)
        names = {"ctrl": "ctrl", "alt": "alt", "shift": "shift", "super": "cmd"}
        held = [getattr(self._keyboard.Key, names[word]) for word in modifiers]
        with self._typist.pressed(*held):
            self._typist.tap(self._key(key))

    def _key(self, keysym: str) -> Any:
        named = {
            "Return": "enter", "Escape": "esc", "Prior": "page_up", "Next": "page_down",
            "BackSpace": "backspace", "Caps_Lock": "caps_lock", "Print": "print_screen",
        }  # fmt: skip
        special = getattr(self._keyboard.Key, named.get(keysym, keysym.lower()), None)
        if special is not None and len(keysym) > 1:
            return special
        return self._keyboard.KeyCode.from_char(character_of(keysym))

    def type(self, text: str, interval: float) -> None:
        pause = interval if text.isascii() else max(interval, _FOREIGN_PAUSE)
        for character in text:
            self._typist.tap(self._keyboard.Key.enter if character == "\n" else character)
            time.sleep(pause)

    def move(self, x: int, y: int) -> None:
        self._pointer.position = (x, y)

    def click(self, x: int, y: int, button: str, clicks: int) -> None:
        self.move(x, y)
        time.sleep(0.05)
        self._pointer.click(getattr(self._mouse.Button, button), clicks)

    def scroll(self, dx: int, dy: int) -> None:
        self._pointer.scroll(dx, dy)

    def press(self, button: str) -> None:
        self._pointer.press(getattr(self._mouse.Button, button))

    def release(self, button: str) -> None:
        self._pointer.release(getattr(self._mouse.Button, button))


def open_input(environment: Mapping[str, str]) -> Input:
    """The input of this machine: xdotool on an X display that has it, else pynput."""
    if uses_xdotool(environment):
        return XdotoolInput(environment)
    return PynputInput()


def drag(
    hand: Input, start: tuple[int, int], end: tuple[int, int], button: str, seconds: float
) -> None:
    """Press at *start*, move in small steps so that programs notice, release at *end*."""
    hand.move(*start)
    hand.press(button)
    try:
        for step in range(1, _DRAG_STEPS + 1):
            part = step / _DRAG_STEPS
            hand.move(
                round(start[0] + (end[0] - start[0]) * part),
                round(start[1] + (end[1] - start[1]) * part),
            )
            time.sleep(seconds / _DRAG_STEPS)
    finally:
        hand.release(button)


def pynput_modules() -> tuple[Any, Any]:
    """pynput's keyboard and mouse; raises :class:`DesktopUnavailable` where it finds no screen.

    python-xlib insists on an authority file even for displays that need none.
    """
    if "XAUTHORITY" not in os.environ and not (Path.home() / ".Xauthority").exists():
        os.environ["XAUTHORITY"] = os.devnull
    try:
        # python-xlib prints its warnings on standard output, which belongs to the answer.
        with redirect_stdout(sys.stderr):
            from pynput import keyboard, mouse
    except ImportError as problem:
        said = str(problem).splitlines()[0]
        raise DesktopUnavailable(
            f"pynput cannot be used: {said}", hint=how_to_get("visual")
        ) from None
    return keyboard, mouse
