"""Finds windows by their title, and the one that has the keyboard."""

from __future__ import annotations

from collections.abc import Mapping

from cli_anything.macrocli.desktop.display import DesktopUnavailable, xdotool_problem
from cli_anything.macrocli.desktop.sequence import Rectangle
from cli_anything.macrocli.desktop.xdotool import Window, Xdotool

__all__ = ["DesktopUnavailable", "Window", "find_windows", "focused_window", "window_place"]


def find_windows(title: str, environment: Mapping[str, str]) -> list[Window]:
    """The visible windows with *title* in their title; raises :class:`DesktopUnavailable`."""
    problem, remedy = xdotool_problem(environment)
    if problem:
        raise DesktopUnavailable(problem, hint=remedy)
    return Xdotool(environment).windows(title)


def window_place(xdotool: Xdotool, window: int) -> Rectangle:
    """Where a window is on the screen."""
    return _place(xdotool.call("getwindowgeometry", "--shell", str(window)))


def focused_window(environment: Mapping[str, str]) -> tuple[Window, Rectangle] | None:
    """The window that has the keyboard and where it is; None when no window has it."""
    if xdotool_problem(environment)[0]:
        return None
    try:
        shown = Xdotool(environment).call(
            "getwindowfocus", "getwindowgeometry", "--shell", "getwindowname"
        )
    except DesktopUnavailable:
        return None  # it closed while we were looking, or the focus is nowhere
    geometry, _, title = shown.partition("SCREEN=")
    title = title.partition("\n")[2].strip()
    number = geometry.partition("WINDOW=")[2].split("\n", 1)[0]
    return Window(int(number), title), _place(geometry)


def _place(shell: str) -> Rectangle:
    facts = dict(line.split("=", 1) for line in shell.splitlines() if "=" in line)
    return Rectangle(*(int(facts[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")))
