"""From a name to what is installed under it, with the least that is needed for it."""

from __future__ import annotations

from cli_hub.install import receipt
from cli_hub.install.generations import Generations
from cli_hub.install.installed import Installed
from cli_hub.install.ledger import Ledger, Row, State
from cli_hub.paths import Paths


def in_use(paths: Paths, ledger: Ledger, name: str) -> Installed | None:
    """The harness *name* as it is installed, ``None`` when it is not."""
    row = ledger.row(name)
    if row is None or row.state is not State.READY:
        return None
    return of_row(paths, row)


def of_row(paths: Paths, row: Row) -> Installed:
    """What the disk says is in use; the row alone when the disk says nothing."""
    folder = Generations(paths.environments / row.receipt.name)
    current = folder.current()
    if current is not None and current.name != row.generation:
        found = receipt.read(current)
        if found is not None:
            return Installed(found, current, row.pinned)
    return Installed(row.receipt, folder.folder / row.generation, row.pinned)
