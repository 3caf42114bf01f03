"""What would run, how it ended, and what anything that runs commands promises."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cli_hub.values import dataclass

OnOutput = Callable[[str, bytes], None]
"""Called with ``"stdout"`` or ``"stderr"`` and each chunk as it arrives, from a reader thread."""


@dataclass(frozen=True, slots=True)
class Command:
    """What would run: an argv, where, and what differs from the hub's own environment.

    *patience* is how many seconds it gets to end its own work after Ctrl-C, before its tree is.
    """

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: tuple[tuple[str, str], ...] = ()
    unset: tuple[str, ...] = ()
    patience: float = 0.0

    def __str__(self) -> str:
        return shlex.join(self.argv)

    @property
    def line(self) -> str:
        """How it is typed into a shell, with the variables it sets."""
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in self.env), str(self)])

    def with_env(self, values: Mapping[str, str], *, unset: Iterable[str] = ()) -> Command:
        """The same command with more of its environment set or removed."""
        merged = {**dict(self.env), **values}
        return replace(self, env=tuple(merged.items()), unset=(*self.unset, *unset))


def command(*argv: str | os.PathLike[str], cwd: Path | None = None) -> Command:
    """Spell a :class:`Command` without the tuple."""
    return Command(tuple(os.fspath(part) for part in argv), cwd=cwd)


@dataclass(frozen=True, slots=True)
class Completed:
    """How a process ended. *exit_code* is negative for a signal, as in :mod:`subprocess`."""

    command: Command
    exit_code: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False
    truncated: bool = False
    left_running: bool = False
    """A descendant still held the output open after the process itself had ended."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out

    @property
    def output(self) -> str:
        """Both streams, standard output first."""
        return "\n".join(part for part in (self.stdout.rstrip(), self.stderr.rstrip()) if part)

    def tail(self, lines: int = 15) -> str:
        """The last lines of what it said, for an error message."""
        return "\n".join(self.output.splitlines()[-lines:])


class Runner(Protocol):
    """Anything that runs a command to its end; the real one is :func:`run`."""

    def __call__(
        self,
        command: Command,
        *,
        timeout: float | None = None,
        on_output: OnOutput | None = None,
    ) -> Completed: ...
