"""An installed harness, as everything above the installer sees it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli_hub.install.programs import on_path
from cli_hub.install.receipt import Receipt
from cli_hub.paths import TOOL
from cli_hub.values import dataclass

if TYPE_CHECKING:
    from cli_hub.strategies import Strategy, Uninstallable


@dataclass(frozen=True, slots=True)
class Installed:
    """One harness at one *generation* (its immutable directory); nothing is looked up again."""

    receipt: Receipt
    generation: Path
    pinned: bool = False

    @property
    def name(self) -> str:
        return self.receipt.name

    @property
    def version(self) -> str:
        return self.receipt.version

    @property
    def source(self) -> str:
        """The registry source it came from."""
        return self.receipt.source

    @property
    def package(self) -> str:
        """The distribution (pip, uv), npm package or formula that was installed."""
        return self.receipt.package

    @property
    def entry(self) -> Mapping[str, Any]:
        """The registry record it was installed from, as it was then."""
        return self.receipt.entry

    @property
    def strategy(self) -> Strategy | Uninstallable:
        from cli_hub.strategies import parse_install  # only who asks pays for parsing

        return parse_install({"install": dict(self.receipt.strategy)})

    @property
    def bin(self) -> Path:
        """The directory of its own programs, and of its interpreter."""
        return scripts_directory(python_environment(self.generation))

    @property
    def entry_point(self) -> tuple[str, ...]:
        """The argv that starts it: absolute wherever the program is known."""
        return resolve_entry_point(self.receipt.entry_point, self.generation, self.receipt.program)

    @property
    def site_packages(self) -> Path | None:
        """Where its Python modules are; ``None`` when it is not a Python package."""
        return site_packages(self.generation)

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "source": self.source,
            "package": self.package,
            "strategy": self.receipt.strategy.get("strategy", ""),
            "scope": self.receipt.scope,
            "entry_point": list(self.entry_point),
            "scripts": list(self.receipt.scripts),
            "path": str(self.generation),
            "pinned": self.pinned,
            "installed_at": self.receipt.installed_at,
        }


def scripts_directory(generation: Path) -> Path:
    """Where the programs of *generation* are, or of an environment: the same in every one."""
    return generation / ("Scripts" if os.name == "nt" else "bin")


def program_in(folder: Path, name: str) -> str | None:
    """The full path of the program *name* in *folder*, if it can be started."""
    if os.name == "nt":
        return on_path(name, str(folder))
    place = folder / name
    return str(place) if place.is_file() and os.access(place, os.X_OK) else None


def python_environment(generation: Path) -> Path:
    """The Python environment of *generation*: what ``uv tool`` made in it, else it is one."""
    made = generation.glob(f"{TOOL}/*/pyvenv.cfg")
    return next((configuration.parent for configuration in made), generation)


def site_packages(generation: Path) -> Path | None:
    pattern = "Lib/site-packages" if os.name == "nt" else "lib/python3*/site-packages"
    return next(iter(sorted(python_environment(generation).glob(pattern))), None)


def resolve_entry_point(
    words: tuple[str, ...], generation: Path, program: str = ""
) -> tuple[str, ...]:
    """The argv an entry point stands for.

    Its first word is a program of the generation, else *program*, else what PATH has; further
    words that name a file of the generation (``bun cli.mjs``) become its full path.
    """
    if not words:
        return ()
    programs = scripts_directory(python_environment(generation))
    own = program_in(programs, words[0])
    first = own or program or on_path(words[0]) or words[0]
    rest = (
        str(generation / word)
        if not word.startswith("-") and (generation / word).is_file()
        else word
        for word in words[1:]
    )
    return (first, *rest)
