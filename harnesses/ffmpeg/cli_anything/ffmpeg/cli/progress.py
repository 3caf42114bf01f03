"""Progress of a render, on standard error."""

from __future__ import annotations

import time

from cli_anything.kit.cli import note

_EVERY_SECONDS = 2.0


class FramesDone:
    """Says how far a render is, at most every two seconds, and not at all for short ones."""

    def __init__(self, what: str, frames: int) -> None:
        self._what = what
        self._frames = max(1, frames)
        self._told = time.monotonic()

    def __call__(self, done: int) -> None:
        now = time.monotonic()
        if not done or now - self._told < _EVERY_SECONDS:
            return
        self._told = now
        share = min(100, round(100 * done / self._frames))
        note(f"{self._what}: {share}% ({done} of {self._frames} frames)")
