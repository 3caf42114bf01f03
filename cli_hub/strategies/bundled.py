"""``bundled``: the program comes with its application."""

from __future__ import annotations

from typing import Any, ClassVar

from cli_hub.errors import UsageError
from cli_hub.process import Command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Bundled:
    """``{"strategy": "bundled", "detect": "obsidian", "notes": …}``.

    Nothing is installed: *detect* is looked up on PATH, and *notes* tell a person what to do when
    it is not there.
    """

    kind: ClassVar[Kind] = Kind.BUNDLED

    detect: str
    notes: str = ""

    @property
    def scope(self) -> Scope:
        return Scope.PRESENT

    @property
    def needs(self) -> str:
        return self.detect

    @property
    def package(self) -> str:
        return self.detect

    @property
    def version(self) -> str:
        return ""

    @property
    def consent(self) -> Consent | None:
        return None

    @property
    def downloads(self) -> tuple[Download, ...]:
        return ()

    def at_version(self, version: str) -> Bundled:
        raise UsageError(
            f"no version can be chosen ({version}): {self.detect} comes with its application",
            hint="leave the version out",
        )

    def commands(self, target: Target) -> tuple[Command, ...]:
        del target
        return ()

    def update(self, target: Target) -> tuple[Command, ...]:
        return self.commands(target)

    def removal(self, target: Target) -> tuple[Command, ...]:
        del target
        return ()

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"strategy": self.kind.value, "detect": self.detect}
        if self.notes:
            document["notes"] = self.notes
        return document
