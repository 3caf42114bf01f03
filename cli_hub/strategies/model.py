"""What every strategy promises, and the values it is given.

A strategy is a frozen value: the parsed ``install`` of a registry entry. It says what would run and
never runs it, so a dry run is the plan itself.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar, Protocol

from cli_hub.process import Command
from cli_hub.values import dataclass


class Kind(StrEnum):
    """The words of ``install.strategy``."""

    PIP = "pip"
    UV = "uv"
    NPM = "npm"
    BREW = "brew"
    SCRIPT = "script"
    COMMAND = "command"
    BUNDLED = "bundled"


class Scope(StrEnum):
    """Where an installation ends up."""

    PRIVATE = "private"
    """In a generation directory of the hub: isolated, and reversible by one link."""
    GLOBAL = "global"
    """Wherever the installer puts it; the hub only records that it asked for it."""
    PRESENT = "present"
    """Comes with its application; the hub installs nothing."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where one installation goes. *root* is the generation directory, *python* an interpreter or
    a version to build environments from, *shipped* finds a file that comes with the hub."""

    root: Path
    uv: str
    python: str
    shipped: Callable[[str], Path]
    allow_scripts: bool = False
    refresh: bool = False
    """Ask again what the newest version is, whatever a cache remembers."""

    @property
    def bin(self) -> Path:
        return self.root / "bin"


@dataclass(frozen=True, slots=True)
class Download:
    """A file that must be fetched before the commands run. *sha256* is empty when not pinned."""

    url: str
    file_name: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Consent:
    """What somebody has to agree to first: the *risk* in one line, and the *text* to be run."""

    risk: str
    text: str


class Strategy(Protocol):
    """One way to install. *needs* names the program that must be on PATH, if any."""

    kind: ClassVar[Kind]

    @property
    def scope(self) -> Scope: ...

    @property
    def needs(self) -> str: ...

    @property
    def package(self) -> str:
        """What is asked of the installer, as a person would name it."""

    @property
    def version(self) -> str:
        """The version the entry asks for: a number, a range, or empty for the newest."""

    @property
    def consent(self) -> Consent | None: ...

    @property
    def downloads(self) -> tuple[Download, ...]: ...

    def at_version(self, version: str) -> Strategy:
        """The same installation of exactly *version*. Raises ``UsageError`` where none is."""

    def commands(self, target: Target) -> tuple[Command, ...]:
        """What installing into *target* runs, in order."""

    def update(self, target: Target) -> tuple[Command, ...]:
        """What brings an installation that is there to the newest, built into *target*."""

    def removal(self, target: Target) -> tuple[Command, ...]:
        """What must run to undo it, besides removing the generation directory."""

    def as_document(self) -> dict[str, Any]:
        """The structured ``install`` object that parses back into this value."""


@dataclass(frozen=True, slots=True)
class Uninstallable:
    """Why an entry cannot be installed, and what could be done about it."""

    reason: str
    hint: str = ""
    text: str = ""
