"""How much of the disk the hub uses, and how much is left."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli_hub.paths import Paths


@dataclass(frozen=True, slots=True)
class Room:
    """Bytes. What several environments share is counted once in *total*."""

    total: int
    environments: int
    cache: int
    free: int


def look(paths: Paths) -> Room:
    """Measure everything below *paths*; its home must be there."""
    seen: set[tuple[int, int]] = set()
    environments = size_of(paths.environments, seen)
    cache = size_of(paths.cache, seen)
    rest = size_of(paths.home, seen)
    free = shutil.disk_usage(paths.home).free
    return Room(environments + cache + rest, environments, cache, free)


def size_of(folder: Path, seen: set[tuple[int, int]] | None = None) -> int:
    """Bytes of the files below *folder*, without what links lead to and what was *seen* before."""
    seen = set() if seen is None else seen
    return sum(_sizes(folder, seen))


def _sizes(folder: Path, seen: set[tuple[int, int]]) -> Iterator[int]:
    for top, _, names in os.walk(folder):
        for name in names:
            try:
                status = (Path(top) / name).lstat()
            except FileNotFoundError:
                continue  # another process took it away meanwhile
            if (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                yield status.st_size
