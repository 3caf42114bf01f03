"""Watches the screen while a person works, and picks pictures by which clicks are found again."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from cli_anything.macrocli.desktop.display import DesktopUnavailable
from cli_anything.macrocli.desktop.sequence import Rectangle
from cli_anything.macrocli.desktop.vision import Pixels, count_places, encode_png, grab, is_plain
from cli_anything.macrocli.desktop.windows import focused_window
from cli_anything.macrocli.recording.model import Anchor, WindowChange

_PAUSE = 0.1
"""Seconds between two looks at the screen."""

_KEPT = 12
"""Looks that are kept; what came before them is of no use for a click."""

_SIZES = ((48, 28), (84, 40), (130, 60), (200, 90), (300, 140))
"""Widths and heights of pictures around a click, tried from the smallest."""

_UNIQUE = 0.9
"""Confidence from which another place on the screen could be taken for the same picture."""

_AROUND = 100
_SAME = 0.25
"""Share of the pixels around a click that may differ between two looks at the same scene.

What lights up under the pointer is a row or a button; a menu or a dialog that has come is more.
"""


@dataclass(frozen=True, slots=True)
class Look:
    """The screen at one moment, and where the pointer was."""

    at: float
    pointer: tuple[int, int]
    pixels: Pixels


class ScreenWatch:
    """Looks ten times a second: at the picture, at the pointer, at the window with the keyboard."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._wanted = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._looks: deque[Look] = deque(maxlen=_KEPT)
        self.pointer = (-1, -1)
        """Where the pointer is; whoever hears it move says so here."""
        self.windows: list[WindowChange] = []
        self.size = (0, 0)

    def start(self) -> None:
        """Look once, so that a screen that cannot be seen is told here, then go on in a thread."""
        self._look()
        self._wanted.set()
        self._thread.start()

    def stop(self) -> None:
        self._wanted.clear()
        self._thread.join(5)

    def looks(self) -> list[Look]:
        """The last looks, oldest first."""
        return list(self._looks)

    def _watch(self) -> None:
        while self._wanted.is_set():
            # A display that is going away ends the recording elsewhere; until then keep trying.
            with suppress(DesktopUnavailable):
                self._look()
            time.sleep(_PAUSE)

    def _look(self) -> None:
        now, pointer = time.monotonic(), self.pointer
        pixels = grab(self._environment)
        self.size = (pixels.shape[1], pixels.shape[0])
        looks = self._looks
        if looks and looks[-1].pointer == pointer:
            looks[-1] = Look(now, pointer, pixels)  # keep those from before the pointer came here
        else:
            looks.append(Look(now, pointer, pixels))
        self._note_window(now)

    def _note_window(self, now: float) -> None:
        found = focused_window(self._environment)
        if found is None:
            return
        window, place = found
        last = self.windows[-1] if self.windows else None
        if last is None or (last.window, last.place) != (window.id, place):
            self.windows.append(WindowChange(now, window.id, window.title, place))


def choose_anchor(looks: Sequence[Look], x: int, y: int) -> Anchor | None:
    """The smallest picture around a click that is on the screen only once; None in plain areas."""
    if not looks:
        return None
    newest = looks[-1]
    for size in _SIZES:
        box = _box(newest.pixels, x, y, size)
        look = _untouched(looks, box)
        picture = _cut(look.pixels, box)
        if is_plain(picture) or count_places(look.pixels, picture, _UNIQUE) != 1:
            continue
        return Anchor(
            encode_png(picture), x - (box.x + box.width // 2), y - (box.y + box.height // 2)
        )
    return None


def _box(screen: Pixels, x: int, y: int, size: tuple[int, int]) -> Rectangle:
    """A box of that size around a place, moved so that all of it is on the screen."""
    width, height = min(size[0], screen.shape[1]), min(size[1], screen.shape[0])
    left = min(max(0, x - width // 2), screen.shape[1] - width)
    top = min(max(0, y - height // 2), screen.shape[0] - height)
    return Rectangle(left, top, width, height)


def _cut(pixels: Pixels, box: Rectangle) -> Pixels:
    return pixels[box.y : box.y + box.height, box.x : box.x + box.width]


def _untouched(looks: Sequence[Look], box: Rectangle) -> Look:
    """The last look at the same scene before the pointer came to *box* and changed its colours."""
    newest = looks[-1]
    around = Rectangle(
        max(0, box.x - _AROUND),
        max(0, box.y - _AROUND),
        box.width + 2 * _AROUND,
        box.height + 2 * _AROUND,
    )
    for look in reversed(looks):
        if not _within(look.pointer, box):
            return look if look is newest or _same(look, newest, around) else newest
    return newest


def _within(place: tuple[int, int], box: Rectangle) -> bool:
    return box.x <= place[0] < box.x + box.width and box.y <= place[1] < box.y + box.height


def _same(look: Look, newest: Look, around: Rectangle) -> bool:
    """Whether it is the same scene around a click."""
    if look.pixels.shape != newest.pixels.shape:
        return False
    differs = (_cut(look.pixels, around) != _cut(newest.pixels, around)).any(axis=2)
    return bool(differs.mean() <= _SAME)
