"""``gc``: give back the room that nothing needs any more."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from cli_hub.install import failures, links, lock
from cli_hub.install.environment import python_command, uv_program
from cli_hub.install.generations import Generations, remove_tree
from cli_hub.install.installer import Installer
from cli_hub.process import command

KEPT_LOGS = 20


@dataclass(frozen=True, slots=True)
class Cleaned:
    """What went, and how many bytes of files that nothing else links to it had."""

    removed: tuple[Path, ...]
    freed: int


def collect(installer: Installer, *, former: bool = False, cache: bool = False) -> Cleaned:
    """Remove what interrupted commands left, old logs and loose links.

    With *former* also the generations kept for ``rollback``; with *cache* the whole download cache.
    """
    paths = installer.paths
    removed: list[Path] = []
    freed = 0
    for name in _names(installer):
        before = _sizes(paths.environments / name)
        removed += installer.clean(name)
        if former:
            with lock.held(paths.locks, name):
                removed += Generations(paths.environments / name).prune()
        after = _sizes(paths.environments / name)
        freed += sum(size for path, size in before.items() if path not in after)
    for link in links.dangling(paths):
        link.unlink(missing_ok=True)
        removed.append(link)
    for log in _old_logs(paths.logs):
        freed += log.stat().st_size
        log.unlink(missing_ok=True)
        removed.append(log)
    if cache and paths.cache.is_dir():
        freed += _clear_cache(installer)
        removed.append(paths.cache)
    return Cleaned(tuple(removed), freed)


def _clear_cache(installer: Installer) -> int:
    """uv is asked to clear its own cache: it knows who else is using it."""
    paths = installer.paths
    before = sum(_sizes(paths.cache).values())
    clean = python_command(command(uv_program(), "cache", "clean"), paths, offline=False)
    done = installer.run(clean, timeout=300)
    if not done.ok:
        raise failures.explain(done, name="the cache", log=Path())
    for folder in ("npm", "cargo", "go"):
        if (paths.cache / folder).exists():
            remove_tree(paths.cache / folder)
    return before - sum(_sizes(paths.cache).values())


def _names(installer: Installer) -> list[str]:
    folder = installer.paths.environments
    on_disk = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    return sorted(on_disk | set(installer.ledger.rows()))


def _old_logs(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    logs = sorted(folder.glob("*.log"), key=lambda path: path.stat().st_mtime)
    return logs[:-KEPT_LOGS]


def _sizes(folder: Path) -> dict[Path, int]:
    """Bytes by file, of those whose only name is in here."""
    sizes = {}
    for top, _, names in os.walk(folder):
        for name in names:
            status = (Path(top) / name).lstat()
            if status.st_nlink == 1:
                sizes[Path(top) / name] = status.st_size
    return sizes
