"""Keyboard, mouse and windows of an X display, through xdotool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cli_anything.macrocli import programs
from cli_anything.macrocli.desktop.display import NO_DISPLAY, DesktopUnavailable

_PATIENCE = 20.0
"""Seconds one call may take; it talks to a server on this machine."""


@dataclass(frozen=True, slots=True)
class Window:
    """A window by its X id and what its title says."""

    id: int
    title: str


@dataclass(frozen=True, slots=True)
class Xdotool:
    """One display. Every call raises :class:`DesktopUnavailable` when it cannot be reached."""

    environment: Mapping[str, str]

    def call(self, *arguments: str, timeout: float = _PATIENCE) -> str:
        """Run one command and give what it printed; a search that finds nothing prints nothing."""
        display = {"DISPLAY": self.environment["DISPLAY"]}
        done = programs.run(["xdotool", *arguments], env=display, timeout=timeout)
        searched = arguments[0] == "search" and not done.stderr.strip()
        if done.timed_out or (done.exit_code != 0 and not searched):
            said = done.stderr.strip() or f"exited with {done.exit_code}"
            raise DesktopUnavailable(f"xdotool {arguments[0]}: {said}", hint=NO_DISPLAY)
        return done.stdout.strip()

    def windows(self, title: str) -> list[Window]:
        """The visible windows with *title* in their title, whatever its case."""
        found = self.call("search", "--onlyvisible", "--name", re.escape(title))
        windows = []
        for number in found.split():
            try:
                windows.append(Window(int(number), self.call("getwindowname", number)))
            except DesktopUnavailable:
                continue  # it closed while we were looking
        return [window for window in windows if title.lower() in window.title.lower()]
