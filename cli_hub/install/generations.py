"""The directories of one harness: ``envs/<name>/<generation>/`` and the link ``current``.

A generation is built in the place where it stays, because Python environments cannot be moved. It
is finished when its receipt is there, and in use when ``current`` points to it; replacing that link
is the one atomic step of an installation. Everything else in the folder is left over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from cli_hub.install import receipt as receipts
from cli_hub.values import dataclass

_CURRENT = "current"


@dataclass(frozen=True, slots=True)
class Generations:
    """All generations of the harness whose *folder* this is."""

    folder: Path

    def new(self) -> Path:
        """A name for a generation that does not exist yet; later ones sort later."""
        return self.folder / f"{time.time_ns() // 1_000_000:013d}-{os.urandom(3).hex()}"

    def current(self) -> Path | None:
        """The generation in use, if it is there and finished."""
        try:
            target = self.folder / (self.folder / _CURRENT).readlink().name
        except OSError:
            return None
        return target if (target / receipts.FILE).is_file() else None

    def finished(self) -> list[Path]:
        """All finished generations, oldest first."""
        return [path for path in self._all() if (path / receipts.FILE).is_file()]

    def previous(self) -> Path | None:
        """What ``rollback`` goes to: the newest that is older than the one in use, else newer."""
        current = self.current()
        others = [path for path in self.finished() if path != current]
        older = [path for path in others if current is None or path.name < current.name]
        candidates = older or others
        return candidates[-1] if candidates else None

    def leftovers(self) -> list[Path]:
        """What interrupted installations left: directories without a receipt, loose links."""
        stale = [path for path in self._all() if not (path / receipts.FILE).is_file()]
        with suppress(FileNotFoundError):
            stale += [
                path
                for path in self.folder.iterdir()
                if path.is_symlink() and (path.name != _CURRENT or self.current() is None)
            ]
        return stale

    def switch(self, generation: Path) -> None:
        """Make *generation* the one in use, in one atomic step."""
        staged = self.folder / f"{_CURRENT}.{os.urandom(3).hex()}"
        staged.symlink_to(generation.name, target_is_directory=True)
        staged.replace(self.folder / _CURRENT)
        _sync(self.folder)

    def detach(self) -> None:
        """Leave no generation in use."""
        (self.folder / _CURRENT).unlink(missing_ok=True)

    def prune(self, *, keep: Path | None = None) -> list[Path]:
        """Remove all but the current generation and *keep*; returns what was removed."""
        gone = [path for path in self.finished() if path not in (self.current(), keep)]
        for path in gone:
            remove_tree(path)
        return gone

    def remove(self) -> None:
        """Remove the folder with everything in it."""
        self.detach()
        remove_tree(self.folder)

    def _all(self) -> Iterator[Path]:
        with suppress(FileNotFoundError):
            yield from sorted(
                path for path in self.folder.iterdir() if path.is_dir() and not path.is_symlink()
            )


def remove_tree(path: Path) -> None:
    """Remove *path* whatever it is. A receipt goes first: half a tree must not look finished."""
    if path.is_symlink() or path.is_file():
        path.unlink(missing_ok=True)
        return
    from shutil import rmtree

    (path / receipts.FILE).unlink(missing_ok=True)
    for _ in range(3):  # a child of an interrupted installation may still be writing
        with suppress(OSError):
            rmtree(path)
        if not path.exists():
            return
        time.sleep(0.05)
    rmtree(path)


def _sync(folder: Path) -> None:
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
