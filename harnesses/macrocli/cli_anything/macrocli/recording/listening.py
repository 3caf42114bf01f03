"""Hears the keyboard and the mouse, and turns what pynput says into our inputs."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from typing import Any

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.desktop.input import pynput_modules
from cli_anything.macrocli.desktop.keys import MODIFIERS, parse_keys
from cli_anything.macrocli.recording.gather import combination_of
from cli_anything.macrocli.recording.model import Button, Input, Key, Wheel

INPUT_LIMIT = 100_000
"""Inputs after which a recording ends by itself."""

_UNICODE = 0x0100_0000
"""X names characters that have no name of their own by this number plus their code point."""

_BACKWARDS = 0xFE20
"""Tab together with shift has a symbol of its own."""

_NAMES = {
    "caps_lock": "capslock", "print_screen": "printscreen", "page_up": "pageup",
    "page_down": "pagedown",
}  # fmt: skip
_HELD = {"ctrl": "ctrl", "alt": "alt", "shift": "shift", "cmd": "super"}


class Listener:
    """Collects :attr:`inputs` between :meth:`start` and :meth:`stop`.

    *ended* is set when the *hot_key* is pressed; *moved* is told where the pointer goes,
    *clicked* hears of every button as it goes down.
    """

    def __init__(
        self,
        hot_key: str,
        *,
        moved: Callable[[int, int], None],
        clicked: Callable[[Button], None],
    ) -> None:
        self._keyboard, self._mouse = pynput_modules()
        self._hot_key = hot_key
        self._moved, self._clicked = moved, clicked
        self._held: set[str] = set()
        self._listeners: list[Any] = []
        self.inputs: list[Input] = []
        self.ended = threading.Event()

    def start(self) -> None:
        """Begin to listen; returns when both devices are heard."""
        with redirect_stdout(sys.stderr):  # python-xlib prints its warnings on standard output
            self._moved(*map(int, self._mouse.Controller().position))
            self._listeners = [
                self._keyboard.Listener(on_press=self._key_down, on_release=self._key_up),
                self._mouse.Listener(
                    on_move=lambda x, y, *_: self._moved(int(x), int(y)),
                    on_click=self._button,
                    on_scroll=self._wheel,
                ),
            ]
            for listener in self._listeners:
                listener.start()
            for listener in self._listeners:
                listener.wait()

    def stop(self) -> None:
        """Hear nothing more. The library's threads end with the next input, or the process."""
        self.ended.set()
        for listener in self._listeners:
            listener.stop()

    def _add(self, one: Input) -> bool:
        if self.ended.is_set():
            return False
        self.inputs.append(one)
        if len(self.inputs) >= INPUT_LIMIT:
            self.ended.set()
        return True

    def _key_down(self, key: Any, *_injected: bool) -> None:
        modifier = self._modifier(key)
        if modifier:
            self._held.add(modifier)
            return
        character, name = self._read(key)
        down = Key(time.monotonic(), character, name, frozenset(self._held))
        if combination_of(down) == self._hot_key:
            self.ended.set()
        else:
            self._add(down)

    def _key_up(self, key: Any, *_injected: bool) -> None:
        self._held.discard(self._modifier(key))

    def _modifier(self, key: Any) -> str:
        """The word for a modifier; empty for other keys. AltGr is part of writing a character."""
        if not isinstance(key, self._keyboard.Key):
            return ""
        return _HELD.get(key.name.removesuffix("_l").removesuffix("_r"), "")

    def _read(self, key: Any) -> tuple[str, str]:
        if key is None:
            return "", ""
        if isinstance(key, self._keyboard.Key):
            name = str(key.name)
            return (" ", "") if name == "space" else ("", _NAMES.get(name, name))
        if key.vk == _BACKWARDS:
            return "", "tab"
        if key.char and not key.is_dead:
            return key.char, ""
        code = (key.vk or 0) - _UNICODE
        return (chr(code), "") if 0x20 <= code <= 0x10FFFF and not key.is_dead else ("", "")

    def _button(self, x: float, y: float, button: Any, pressed: bool, *_injected: bool) -> None:
        one = Button(time.monotonic(), int(x), int(y), str(button.name), down=pressed)
        if one.button not in ("left", "middle", "right"):
            return
        if self._add(one) and pressed:
            self._clicked(one)

    def _wheel(self, x: float, y: float, dx: float, dy: float, *_injected: bool) -> None:
        self._add(Wheel(time.monotonic(), int(x), int(y), round(dx), round(dy)))


def hot_key(text: str) -> str:
    """*text* as :func:`combination_of` spells it; raises :class:`UsageError`."""
    try:
        modifiers, _ = parse_keys(text)
    except ValueError as problem:
        raise UsageError(f"--stop-key: {problem}") from None
    name = text.rsplit("+", 1)[-1].strip() or "+"
    held = frozenset(MODIFIERS[word] for word in modifiers)
    key = Key(0.0, name.lower(), "", held) if len(name) == 1 else Key(0.0, "", name.lower(), held)
    return combination_of(key)
