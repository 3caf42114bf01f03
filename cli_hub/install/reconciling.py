"""Puts right what an interrupted command left of one harness."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from cli_hub import process
from cli_hub.install import links, receipt
from cli_hub.install.generations import Generations, remove_tree
from cli_hub.install.ledger import Ledger, Row, State
from cli_hub.paths import Paths
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The ledger's row of a harness that agrees with the disk, and what had to be removed."""

    row: Row | None
    removed: tuple[Path, ...] = ()


def reconcile(paths: Paths, ledger: Ledger, name: str) -> Reconciled:
    """Make ledger, links and directories of *name* agree.

    The disk has the last word. Whoever calls it holds the harness's lock.
    """
    folder = Generations(paths.environments / name)
    row = ledger.row(name)
    if row is not None and row.state is State.REMOVING:
        remove_files(paths, name)
        ledger.forget(name)
        return Reconciled(None, (folder.folder,))
    removed = tuple(folder.leftovers())
    for path in removed:
        if path.is_dir() and not path.is_symlink():
            process.end_those_naming(path)  # an installer whose hub was killed
        remove_tree(path)
    current = folder.current()
    found = receipt.read(current) if current else None
    if current and found and (row is None or row.generation != current.name):
        links.place(paths, name, found.scripts, replace=False)
        ledger.record(current, found, pinned=bool(row and row.pinned) or bool(found.requested))
        row = ledger.row(name)
    elif current is None and row is None:
        _remove_unused(folder)
    return Reconciled(row, removed)


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
