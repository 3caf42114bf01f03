"""Where programs are: on PATH, or where installers that are not ours put them instead."""

from __future__ import annotations

from pathlib import Path

_USUAL = (
    ".local/bin", "bin", ".cargo/bin", "go/bin", ".bun/bin", ".deno/bin", ".npm-global/bin",
)  # fmt: skip
_SYSTEM = ("/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin")


def on_path(name: str, path: str | None = None) -> str | None:
    """The full path of *name* on PATH, or on another *path* of that form."""
    from shutil import which  # it brings all kinds of archives, 1.5 ms that few need to pay

    return which(name, path=path)


def find_program(name: str, home: Path) -> str:
    """The full path of *name*: on PATH, else where installers usually put things below *home*,
    ``~/.<tool>/bin`` included; empty when it is nowhere."""
    found = on_path(name)
    if found:
        return found
    folders = [home / relative for relative in _USUAL]
    folders += sorted(home.glob(".*/bin"))
    folders += map(Path, _SYSTEM)
    return next((path for folder in folders if (path := on_path(name, str(folder)))), "")
