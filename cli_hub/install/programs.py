"""Where installers that are not ours put programs when they do not put them on PATH."""

from __future__ import annotations

import shutil
from pathlib import Path

_USUAL = (
    ".local/bin", "bin", ".cargo/bin", "go/bin", ".bun/bin", ".deno/bin", ".npm-global/bin",
)  # fmt: skip
_SYSTEM = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin")


def find_program(name: str, home: Path) -> str:
    """The full path of *name*: on PATH, else where installers usually put things below *home*,
    ``~/.<tool>/bin`` included; empty when it is nowhere."""
    found = shutil.which(name)
    if found:
        return found
    folders = [home / relative for relative in _USUAL]
    folders += sorted(home.glob(".*/bin"))
    folders += map(Path, _SYSTEM)
    return next((path for folder in folders if (path := shutil.which(name, path=folder))), "")
