"""A command defined once, for two readers: the command tree, and the quick way in.

Reading a command line with the full machinery costs several times what a search does. The
commands that agents call most are therefore plain data: :mod:`cli_hub.cli.quick` reads ordinary
lines of them directly, and :func:`cli_hub.cli.defined.app_of` turns the same data into the
commands that ``--help``, completion and every less ordinary line use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cli_hub.cli.surface import Surface


@dataclass(frozen=True, slots=True)
class Option:
    """``--name``: a switch when *default* is a bool, else a value of the default's type."""

    name: str
    default: bool | int | str
    help: str
    short: str = ""
    least: int | None = None

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Definition:
    """*run* gets the surface, the words of the positional argument, and all options by name.

    *words* names the positional argument (empty for none), of which at least one is required and
    *many* allows several. The docstring of *run* is the help.
    """

    name: str
    run: Callable[..., None]
    options: tuple[Option, ...]
    words: str = ""
    words_help: str = ""
    many: bool = False

    @property
    def help(self) -> str:
        return self.run.__doc__ or ""

    def call(self, out: Surface, words: list[str], values: dict[str, Any]) -> None:
        """Run it; options that *values* lacks have their defaults."""
        chosen = {option.name: option.default for option in self.options} | values
        if self.words:
            self.run(out, " ".join(words), **chosen)
        else:
            self.run(out, **chosen)
