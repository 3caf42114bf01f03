"""Whether there is a screen to work on."""

from __future__ import annotations

import importlib.util
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from cli_anything.kit.errors import HarnessError


class DesktopUnavailable(HarnessError):
    """There is no screen here, or a program to reach it is missing."""

    code = "desktop_unavailable"
    exit_code = 5


_LOCAL = re.compile(r"(?:unix)?:(\d+)(?:\.\d+)?\Z")
NO_DISPLAY = "start one: Xvfb :99 & export DISPLAY=:99, or run this in a desktop session"


def display_problem(environment: Mapping[str, str]) -> str:
    """Why there is no usable screen, or nothing when there is one."""
    if sys.platform in ("win32", "darwin"):
        return ""
    display = environment.get("DISPLAY", "")
    if not display:
        return "there is no display (DISPLAY is not set)"
    local = _LOCAL.match(display)
    if local is None:
        return ""  # a remote display is found out when it is used
    import socket

    path = Path(f"/tmp/.X11-unix/X{local[1]}")  # noqa: S108 - where X servers listen
    for address in (str(path), f"\0{path}"):
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(1)
            try:
                probe.connect(address)
            except OSError:
                continue
            return ""
    return f"nothing answers at the display {display}"


def xdotool_problem(environment: Mapping[str, str]) -> tuple[str, str]:
    """Why xdotool cannot be used and what helps, or two empty strings."""
    problem = display_problem(environment)
    if problem:
        return problem, NO_DISPLAY
    if not _has_xdotool(environment):
        return "xdotool is not on PATH", "apt-get install xdotool"
    return "", ""


def input_problem(environment: Mapping[str, str]) -> str:
    """Why nothing here can press keys, or nothing."""
    if uses_xdotool(environment) or importlib.util.find_spec("pynput") is not None:
        return ""
    return "neither xdotool nor pynput is installed"


def uses_xdotool(environment: Mapping[str, str]) -> bool:
    """Whether input goes through xdotool: on an X display that has it."""
    if sys.platform in ("win32", "darwin"):
        return False
    return _has_xdotool(environment)


def _has_xdotool(environment: Mapping[str, str]) -> bool:
    import shutil  # only a step that goes to the screen needs it

    return shutil.which("xdotool", path=environment.get("PATH")) is not None
