"""Interrupts that wait while a program is being started.

One that came between the start and our knowing of it would leave the program running. Only the
main thread gets signals; handlers that are not Python's are left as they are.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class _Doorkeeper:
    """Stands in for a program's own handlers: passes signals on to them, or keeps them back."""

    def __init__(self) -> None:
        self.keeping = False
        self._own: dict[int, Any] = {}
        self._came: list[int] = []

    @property
    def in_place(self) -> bool:
        return bool(self._own)

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.keeping:
            self._came.append(number)
        else:
            self._own[number](number, frame)

    def step_in(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            if callable(handler := signal.getsignal(number)):
                self._own[number] = handler
                signal.signal(number, self)

    def step_out(self) -> None:
        """Give the handlers back, but for one that somebody has replaced meanwhile."""
        for number, handler in self._own.items():
            if signal.getsignal(number) is self:
                signal.signal(number, handler)
        self._own = {}

    def came(self) -> list[int]:
        """What was kept back, once."""
        came, self._came = self._came, []
        return came


_doorkeeper = _Doorkeeper()


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


class Held:
    """Keeps interrupts back from its making until :meth:`let_go`."""

    def __init__(self) -> None:
        self._here = _in_main_thread()
        self._alone = self._here and not _doorkeeper.in_place
        if self._alone:
            _doorkeeper.step_in()
        if self._here:
            _doorkeeper.keeping = True

    def let_go(self) -> None:
        """Let each signal that came go to its own handler, which may raise."""
        if not self._here:
            return
        _doorkeeper.keeping = False
        if self._alone:
            _doorkeeper.step_out()
        for number in _doorkeeper.came():
            signal.raise_signal(number)


@contextmanager
def watched_for() -> Iterator[None]:
    """For a time in which many programs are started: the handlers are exchanged once for all."""
    if not _in_main_thread() or _doorkeeper.in_place:
        yield
        return
    _doorkeeper.step_in()
    try:
        yield
    finally:
        _doorkeeper.step_out()
