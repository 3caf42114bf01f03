"""Whether the folder a harness was built from is still what it was."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_MADE = ("__pycache__", "build", "dist", "node_modules")
"""Folders that building and running make beside a source; they are not the source."""


def digest_of(sources: Iterable[Path]) -> str:
    """A sha256 over names and bytes of all files of *sources*; empty without any.

    Raises :class:`OSError` when a file that is there cannot be read.
    """
    import hashlib  # 2 ms that only what is built from a folder needs

    total = hashlib.sha256()
    empty = True
    for source in sources:
        for path in _files(source):
            name = path.relative_to(source).as_posix() if path != source else path.name
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            total.update(f"{content} {name}\n".encode("utf-8", "surrogateescape"))
            empty = False
        total.update(b"\n")
    return "" if empty else total.hexdigest()


def _files(source: Path) -> Iterator[Path]:
    if source.is_file():
        yield source
    for place, folders, files in os.walk(source):
        folders[:] = sorted(
            name
            for name in folders
            if name not in _MADE and not name.startswith(".") and not name.endswith(".egg-info")
        )
        for name in sorted(files):
            path = Path(place, name)
            if path.is_file():
                yield path
