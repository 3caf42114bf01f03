"""One thing that was looked at, and what would mend it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from cli_hub.install.installed import Installed
from cli_hub.install.manifest import Manifest


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """What *check* found. *fix* is what to type, or to do, and there unless all is well.

    *harness* is empty for what concerns the hub as a whole.
    """

    harness: str
    check: str
    level: Level
    message: str
    fix: str = ""

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


Look = Callable[[Installed, Manifest], Iterable[Finding]]
"""Looks at what a harness brings along: its skill, say, or its macros."""
