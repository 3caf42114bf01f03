"""The hub's ``bin``: links straight to the programs of harnesses, and to nothing else.

A link belongs to the harness whose folder it points into. A file somebody else put there is never
replaced and never removed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from cli_hub.errors import Conflict
from cli_hub.install.installed import scripts_directory
from cli_hub.paths import Paths


def owner(paths: Paths, link: Path) -> str | None:
    """The harness *link* belongs to; ``None`` for anything the hub did not make."""
    try:
        target = Path(os.path.normpath(link.parent / link.readlink()))
    except OSError:
        return None
    if not target.is_relative_to(paths.environments):
        return None
    return target.relative_to(paths.environments).parts[0]


def owned(paths: Paths, name: str) -> Iterator[Path]:
    """All links of the harness *name*."""
    if paths.bin.is_dir():
        for link in sorted(paths.bin.iterdir()):
            if owner(paths, link) == name:
                yield link


def check(paths: Paths, name: str, script: str, *, replace: bool) -> None:
    """Raise :class:`Conflict` when *script* in ``bin`` is somebody else's."""
    link = paths.bin / script
    if not os.path.lexists(link):
        return
    other = owner(paths, link)
    if other is None:
        raise Conflict(
            f"{link} is in the way: the hub did not put it there and leaves it alone",
            hint=f"move {link} away, then run this again",
        )
    if other != name and not replace and (paths.environments / other).exists():
        raise Conflict(
            f"the harness {other} already has a program called {script}",
            hint=f"uninstall {other}, or give {script} to {name} with --replace",
            details={"script": script, "owner": other},
        )


def place(paths: Paths, name: str, scripts: Iterable[str], *, replace: bool) -> list[str]:
    """Link *scripts* through the harness's ``current``; returns those that went to others."""
    paths.bin.mkdir(parents=True, exist_ok=True)
    refused = []
    through = scripts_directory(paths.environments / name / "current")
    for script in scripts:
        try:
            check(paths, name, script, replace=replace)
        except Conflict:
            refused.append(script)
            continue
        target = os.path.relpath(through / script, paths.bin)
        link = paths.bin / script
        if os.path.lexists(link):
            staged = paths.bin / f".{script}.{os.urandom(3).hex()}"
            staged.symlink_to(target)
            staged.replace(link)
        else:
            link.symlink_to(target)
    wanted = set(scripts)
    for link in list(owned(paths, name)):
        if link.name not in wanted:
            link.unlink(missing_ok=True)
    return refused


def remove(paths: Paths, name: str) -> None:
    """Remove every link of the harness *name*."""
    for link in list(owned(paths, name)):
        link.unlink(missing_ok=True)


def dangling(paths: Paths) -> list[Path]:
    """Our own links that lead nowhere."""
    if not paths.bin.is_dir():
        return []
    return [
        link for link in sorted(paths.bin.iterdir()) if owner(paths, link) and not link.exists()
    ]
