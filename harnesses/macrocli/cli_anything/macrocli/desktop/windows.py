"""Finds windows by their title."""

from __future__ import annotations

from collections.abc import Mapping

from cli_anything.macrocli.desktop.display import DesktopUnavailable, xdotool_problem
from cli_anything.macrocli.desktop.xdotool import Window, Xdotool

__all__ = ["DesktopUnavailable", "Window", "find_windows"]


def find_windows(title: str, environment: Mapping[str, str]) -> list[Window]:
    """The visible windows with *title* in their title; raises :class:`DesktopUnavailable`."""
    problem, remedy = xdotool_problem(environment)
    if problem:
        raise DesktopUnavailable(problem, hint=remedy)
    return Xdotool(environment).windows(title)
