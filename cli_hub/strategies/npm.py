"""``npm``: a Node package in a private prefix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from cli_hub.process import Command, command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass

QUIET = ("--no-fund", "--no-audit", "--no-update-notifier")


@dataclass(frozen=True, slots=True)
class Npm:
    """``{"strategy": "npm", "package": …}``. *scripts* says its life-cycle scripts are needed."""

    kind: ClassVar[Kind] = Kind.NPM

    package: str
    version: str = ""
    scripts: bool = False

    @property
    def scope(self) -> Scope:
        return Scope.PRIVATE

    @property
    def needs(self) -> str:
        return "npm"

    @property
    def consent(self) -> Consent | None:
        if not self.scripts:
            return None
        return Consent("runs the package's own life-cycle scripts", f"npm install {self.spec}")

    @property
    def downloads(self) -> tuple[Download, ...]:
        return ()

    @property
    def files(self) -> Mapping[str, str]:
        """What has to be in the generation before the commands run, by relative path."""
        return {}

    @property
    def spec(self) -> str:
        return f"{self.package}@{self.version}" if self.version else self.package

    def at_version(self, version: str) -> Npm:
        return replace(self, version=version)

    def commands(self, target: Target) -> tuple[Command, ...]:
        scripts = () if target.allow_scripts else ("--ignore-scripts",)
        return (
            command(
                "npm", "install", "--global", "--prefix", str(target.root), *scripts, *QUIET,
                "--", self.spec,
            ),
        )  # fmt: skip

    def update(self, target: Target) -> tuple[Command, ...]:
        return self.commands(target)

    def removal(self, target: Target) -> tuple[Command, ...]:
        del target  # the prefix is the generation directory
        return ()

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"strategy": self.kind.value, "package": self.package}
        if self.version:
            document["version"] = self.version
        if self.scripts:
            document["scripts"] = True
        return document
