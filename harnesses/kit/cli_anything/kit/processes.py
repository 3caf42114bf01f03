"""The place where harnesses start programs.

A :class:`Command` is an argv, never a shell string. Every process gets its own process group and a
closed standard input; when its time is up the whole tree ends, not only the direct child; what it
prints is kept up to a limit (the beginning and the end) and decoded as UTF-8 with replacement.
"""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from cli_anything.kit.errors import ApplicationFailed, Interrupted, UsageError
from cli_anything.kit.interrupts import Held
from cli_anything.kit.process_tree import end_tree
from cli_anything.kit.starting import Command, command, start, start_into
from cli_anything.kit.watching import (
    HeadAndTail,
    OnOutput,
    Stop,
    watch_by_polling,
    watch_by_threads,
)

__all__ = [
    "Command",
    "Completed",
    "OnOutput",
    "Runner",
    "Stop",
    "command",
    "end_tree",
    "run",
    "start_detached",
]

OUTPUT_LIMIT = 1_000_000
"""Bytes kept of each stream; half of them from its beginning, half from its end."""


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


def run(
    command: Command,
    *,
    timeout: float | None = None,
    on_output: OnOutput | None = None,
    stop: Stop | None = None,
) -> Completed:
    """Run *command* to its end, or end its whole tree after *timeout* seconds.

    A non-zero exit is an answer, not an error. Raises :class:`ApplicationMissing` when the program
    does not exist or may not be executed, :class:`UsageError` when its directory does not exist,
    and :class:`Interrupted`, its tree ended, when *stop* is requested.
    """
    if stop is not None and stop.requested:
        raise Interrupted("interrupted")
    began = time.monotonic()
    held = Held()
    try:
        started = start(command)
    except BaseException:
        held.let_go()
        raise
    kept = {"stdout": HeadAndTail(OUTPUT_LIMIT), "stderr": HeadAndTail(OUTPUT_LIMIT)}
    watch = watch_by_polling if hasattr(os, "pidfd_open") else watch_by_threads
    try:
        try:
            held.let_go()
        except BaseException:
            started.close_all()
            raise
        timed_out, left_running = watch(started, kept, timeout, on_output, stop)
    except BaseException:
        end_tree(started.process)
        raise
    return Completed(
        command,
        started.process.returncode,
        kept["stdout"].text(),
        kept["stderr"].text(),
        time.monotonic() - began,
        timed_out=timed_out,
        truncated=any(stream.dropped for stream in kept.values()),
        left_running=left_running,
    )


def start_detached(command: Command, *, log: Path | None = None, settle: float = 0.2) -> int:
    """Start *command* in a session of its own, to outlive the harness; gives its process id.

    Its output goes to *log*. It must still run after *settle* seconds, or have ended with 0: a
    program that dies at once raises :class:`ApplicationFailed` with the end of its log.
    """
    try:
        with (log or Path(os.devnull)).open("ab") as output:
            process = start_into(command, output.fileno(), output.fileno())
    except OSError as problem:
        raise UsageError(f"{log} cannot be written: {problem.strerror or problem}") from None
    try:
        code = process.wait(settle)
    except subprocess.TimeoutExpired:
        process.returncode = 0  # it is not ours to wait for any more
        return process.pid
    if code:
        said = log.read_text("utf-8", "replace")[-2000:].strip() if log else ""
        raise ApplicationFailed(
            f"{command} ended at once with {code}" + (f": {said}" if said else "")
        )
    return process.pid
