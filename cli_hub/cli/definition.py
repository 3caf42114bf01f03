"""A command defined once, for two readers: the command tree, and the quick way in.

Reading a command line with the full machinery costs several times what a search does. The
commands that agents call most are therefore plain data: :mod:`cli_hub.cli.quick` reads ordinary
lines of them directly, and :func:`cli_hub.cli.defined.app_of` turns the same data into the
commands that ``--help``, completion and every less ordinary line use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from cli_hub.cli.surface import Surface
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """``--name``: a switch when *default* is a bool, else a value of the default's type."""

    name: str
    default: bool | int | float | str
    help: str
    short: str = ""
    least: int | None = None

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True, slots=True)
class Definition:
    """*run* gets the surface, the words of the positional argument, and all options by name.

    *words* names the positional argument (empty for none), of which at least one is required
    unless they are *optional*. *many* allows several, which are one text unless they stay *apart*.
    *offers* says whose names a shell completes them with.
    The docstring of *run* is the help; it returns the exit code, or nothing for 0.
    """

    name: str
    run: Callable[..., int | None]
    options: tuple[Option, ...]
    words: str = ""
    words_help: str = ""
    many: bool = False
    apart: bool = False
    optional: bool = False
    offers: Literal["entries", "installed"] | None = None

    @property
    def help(self) -> str:
        return self.run.__doc__ or ""

    def call(self, out: Surface, words: list[str], values: dict[str, Any]) -> int:
        """Run it; options that *values* lacks have their defaults."""
        chosen = {option.name: option.default for option in self.options} | values
        said = [words if self.apart else " ".join(words)] if self.words else []
        return self.run(out, *said, **chosen) or 0
