"""Showing a page to a person, where there is one."""

from __future__ import annotations

import shutil
import sys

from cli_hub.config import environment_value
from cli_hub.process import Command, command, start_detached


def opener(target: str, *, platform: str, has_display: bool, has_xdg_open: bool) -> Command | None:
    """What would open *target* (a path or URL) here, ``None`` where there is nobody to see it."""
    if platform == "darwin":
        return command("open", target)
    if platform == "win32":
        return command("rundll32", "url.dll,FileProtocolHandler", target)
    return command("xdg-open", target) if has_display and has_xdg_open else None


def show(target: str) -> bool:
    """Open *target* in the person's browser; ``False`` where there is none."""
    found = opener(
        target,
        platform=sys.platform,
        has_display=bool(environment_value("DISPLAY") or environment_value("WAYLAND_DISPLAY")),
        has_xdg_open=shutil.which("xdg-open") is not None,
    )
    if found is None:
        return False
    start_detached(found)
    return True
