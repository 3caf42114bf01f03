"""Puts right what an interrupted command left of one harness."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cli_hub import process
from cli_hub.install import links, receipt
from cli_hub.install.generations import Generations, remove_tree
from cli_hub.install.ledger import Ledger, State
from cli_hub.paths import Paths


def reconcile(paths: Paths, ledger: Ledger, name: str) -> list[Path]:
    """Make ledger, links and directories of *name* agree; returns what was removed.

    The disk has the last word. Whoever calls it holds the harness's lock.
    """
    folder = Generations(paths.environments / name)
    row = ledger.row(name)
    if row is not None and row.state is State.REMOVING:
        remove_files(paths, name)
        ledger.forget(name)
        return [folder.folder]
    removed = folder.leftovers()
    for path in removed:
        if path.is_dir() and not path.is_symlink():
            process.end_those_naming(path)  # an installer whose hub was killed
        remove_tree(path)
    current = folder.current()
    found = receipt.read(current) if current else None
    if current and found and (row is None or row.generation != current.name):
        links.place(paths, name, found.scripts, replace=False)
        ledger.record(current, found, pinned=bool(row and row.pinned) or bool(found.requested))
    elif current is None and row is None:
        _remove_unused(folder)
    return removed


def remove_files(paths: Paths, name: str) -> None:
    """Everything on the disk that installing *name* put there."""
    links.remove(paths, name)
    Generations(paths.environments / name).remove()


def _remove_unused(folder: Generations) -> None:
    """Generations of a harness that is not installed: a first install that never switched."""
    for path in folder.finished():
        remove_tree(path)
    with suppress(OSError):
        folder.folder.rmdir()
