"""The last good copy of every source outside the hub, and what the server said about it.

``<cache>/registry/<name>-<hash of location>/``: ``state.json`` points to a body named after its
SHA-256, so the two change in one step and a damaged body is noticed.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.files import write_atomically
from cli_hub.paths import Paths
from cli_hub.registry.sources import Source
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Copy:
    """One good answer. Times are seconds since the epoch; validators are empty when not sent."""

    sha256: str
    fetched_at: float
    checked_at: float
    etag: str = ""
    last_modified: str = ""
    origin: str = ""
    """For a file: the size and time of change of the original the copy was taken from."""

    def age(self, now: float) -> float:
        """Seconds since its source last confirmed it."""
        return max(0.0, now - self.checked_at)


@dataclass(frozen=True, slots=True)
class Shelf:
    """The folder of one source's copy."""

    folder: Path

    @classmethod
    def of(cls, source: Source, paths: Paths) -> Shelf:
        mark = sha256_of(source.location)[:12]
        return cls(paths.cache / "registry" / f"{source.name}-{mark}")

    def read(self) -> Copy | None:
        """What is kept, ``None`` when nothing (readable) is."""
        try:
            raw: Any = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
            copy = Copy(**raw)
        except (OSError, ValueError, TypeError):
            return None  # the cache is disposable
        return copy if self.body(copy).is_file() else None

    def body(self, copy: Copy) -> Path:
        return self.folder / f"{copy.sha256}.json"

    def intact(self, copy: Copy) -> bool:
        """Whether the body still is what was stored."""
        return sha256_of(self.body(copy).read_bytes()) == copy.sha256

    def keep(self, content: bytes, copy: Copy) -> Copy:
        """Store a good answer in place of the one before."""
        before = self.read()
        if not self.body(copy).is_file() or not self.intact(copy):
            write_atomically(self.body(copy), content)
        self.note(copy)
        if before and before.sha256 != copy.sha256:
            self.body(before).unlink(missing_ok=True)
        return copy

    def note(self, copy: Copy) -> None:
        """Write down what is known about the body that is already there."""
        write_atomically(self.folder / "state.json", json.dumps(asdict(copy)).encode())

    def set_aside(self, copy: Copy) -> Path:
        """Move a damaged body out of the way, for whoever wants to look at it."""
        aside = self.body(copy).with_suffix(".damaged")
        self.body(copy).replace(aside)
        (self.folder / "state.json").unlink(missing_ok=True)
        return aside
