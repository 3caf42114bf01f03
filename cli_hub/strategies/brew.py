"""``brew``: a formula or a cask; global by nature, and recorded as such."""

from __future__ import annotations

from typing import Any, ClassVar

from cli_hub.errors import UsageError
from cli_hub.process import Command, command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Brew:
    """``{"strategy": "brew", "package": …, "cask": true}``."""

    kind: ClassVar[Kind] = Kind.BREW

    package: str
    cask: bool = False

    @property
    def scope(self) -> Scope:
        return Scope.GLOBAL

    @property
    def needs(self) -> str:
        return "brew"

    @property
    def version(self) -> str:
        return ""

    @property
    def consent(self) -> Consent | None:
        return None

    @property
    def downloads(self) -> tuple[Download, ...]:
        return ()

    def at_version(self, version: str) -> Brew:
        raise UsageError(
            f"brew cannot install version {version} of {self.package}",
            hint=f"brew search {self.package}@ lists the formulae that pin a version",
        )

    def commands(self, target: Target) -> tuple[Command, ...]:
        del target  # brew has one place for everything
        return (command("brew", "install", *self._cask, self.package),)

    def update(self, target: Target) -> tuple[Command, ...]:
        del target
        return (command("brew", "upgrade", *self._cask, self.package),)

    def removal(self, target: Target) -> tuple[Command, ...]:
        del target
        return (command("brew", "uninstall", *self._cask, self.package),)

    @property
    def _cask(self) -> tuple[str, ...]:
        return ("--cask",) if self.cask else ()

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"strategy": self.kind.value, "package": self.package}
        if self.cask:
            document["cask"] = True
        return document
