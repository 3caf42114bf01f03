"""The place where harnesses start programs.

A :class:`Command` is an argv, never a shell string. Every process gets its own process group and a
closed standard input; when its time is up the whole tree ends, not only the direct child; what it
prints is kept up to a limit (the beginning and the end) and decoded as UTF-8 with replacement.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from cli_anything.kit.errors import (
    ApplicationFailed,
    ApplicationMissing,
    HarnessError,
    Interrupted,
    UsageError,
)
from cli_anything.kit.process_tree import end_tree
from cli_anything.kit.watching import (
    HeadAndTail,
    OnOutput,
    Stop,
    watch_by_polling,
    watch_by_threads,
)

if TYPE_CHECKING:
    pass

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
class Command:
    """What would run: an argv, where, and what differs from the harness's own environment."""

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: tuple[tuple[str, str], ...] = ()
    unset: tuple[str, ...] = ()

    def __str__(self) -> str:
        return shlex.join(self.argv)

    def with_env(self, values: Mapping[str, str], *, unset: Iterable[str] = ()) -> Command:
        """The same command with more of its environment set or removed."""
        merged = {**dict(self.env), **values}
        return Command(self.argv, self.cwd, tuple(merged.items()), (*self.unset, *unset))


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
    started = time.monotonic()
    held = _HeldSignals()
    try:
        process = _start(command)
    except BaseException:
        held.let_go()
        raise
    kept = {"stdout": HeadAndTail(OUTPUT_LIMIT), "stderr": HeadAndTail(OUTPUT_LIMIT)}
    watch = watch_by_polling if hasattr(os, "pidfd_open") else watch_by_threads
    try:
        held.let_go()
        timed_out, left_running = watch(process, kept, timeout, on_output, stop)
    except BaseException:
        end_tree(process)
        raise
    return Completed(
        command,
        process.returncode,
        kept["stdout"].text(),
        kept["stderr"].text(),
        time.monotonic() - started,
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
            process = _start(command, stdout=output.fileno(), stderr=output.fileno())
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


def _environment(command: Command) -> dict[str, str] | None:
    """The environment it sees; None for the harness's own, unchanged."""
    if not command.env and not command.unset:
        return None
    inherited = {k: v for k, v in os.environ.items() if k not in command.unset}
    return {**inherited, **dict(command.env)}


def _resolve(command: Command) -> str:
    """The program's full path, found on the PATH the command itself will see."""
    program = command.argv[0]
    search = dict(command.env).get("PATH", os.environ.get("PATH", os.defpath))
    found = shutil.which(program, path=search)
    if found:
        return found
    if os.sep in program and Path(program).is_file():
        raise ApplicationMissing(
            f"{program} is not executable", hint=f"chmod +x {shlex.quote(program)}"
        )
    raise ApplicationMissing(
        f"there is no program {program!r}", hint=f"install {program} or mend PATH"
    )


class _HeldSignals:
    """Keeps interrupts back while a program is being started.

    One that came between the start and our knowing of it would leave the program running. Only
    the main thread gets signals; handlers that are not Python's are left as they are.
    """

    def __init__(self) -> None:
        self._came: list[int] = []
        self._handlers: dict[int, Any] = {}
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                if callable(handler := signal.getsignal(number)):
                    self._handlers[number] = handler
                    signal.signal(number, lambda came, _frame: self._came.append(came))

    def let_go(self) -> None:
        """Give the handlers back, and each signal that came to its own."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        for number in self._came:
            signal.raise_signal(number)


def _start(
    command: Command, *, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    if command.cwd is not None and not command.cwd.is_dir():
        raise UsageError(f"the working directory {command.cwd} does not exist")
    try:
        return subprocess.Popen(
            [_resolve(command), *command.argv[1:]],
            cwd=command.cwd,
            env=_environment(command),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    except OSError as problem:
        raise _start_problem(command, problem) from problem


def _start_problem(command: Command, problem: OSError) -> HarnessError:
    return ApplicationMissing(
        f"{command.argv[0]} cannot be started: {problem.strerror or problem}",
        hint="check that the file is a program for this machine",
    )
