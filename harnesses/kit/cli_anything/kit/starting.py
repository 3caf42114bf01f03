"""What would run, and starting it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cli_anything.kit.errors import ApplicationMissing, HarnessError, UsageError


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


@dataclass(slots=True)
class Started:
    """A program that runs, and the ends of its pipes: whoever reads one to its end closes it."""

    process: subprocess.Popen[bytes]
    pipes: dict[str, int]
    """Descriptors of what is still read, by ``stdout`` and ``stderr``."""

    def close(self, name: str) -> None:
        os.close(self.pipes.pop(name))

    def close_all(self) -> None:
        for name in tuple(self.pipes):
            self.close(name)


def start(command: Command) -> Started:
    """Start *command* in a session of its own, with both its streams to be read.

    The pipes are plain descriptors: file objects around them would cost as much as all the rest of
    a start but the system's part.
    """
    reading, writing = [], []
    try:
        for _stream in range(2):
            ends = os.pipe()
            reading.append(ends[0])
            writing.append(ends[1])
        process = start_into(command, *writing)
    except BaseException:
        for descriptor in reading:
            os.close(descriptor)
        raise
    finally:
        for descriptor in writing:
            os.close(descriptor)
    return Started(process, dict(zip(("stdout", "stderr"), reading, strict=True)))


def start_into(command: Command, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    """Start *command* in a session of its own, its output going to open descriptors."""
    if command.cwd is not None and not command.cwd.is_dir():
        raise UsageError(f"the working directory {command.cwd} does not exist")
    try:
        return subprocess.Popen(
            [_resolve(command), *command.argv[1:]],
            cwd=command.cwd,
            env=_environment(command),
            stdin=_nothing_to_read(),
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    except OSError as problem:
        raise _start_problem(command, problem) from problem


@cache
def _nothing_to_read() -> int:
    """The null device, opened once: every start would pay for opening and closing it."""
    return os.open(os.devnull, os.O_RDONLY)


def _environment(command: Command) -> dict[str, str] | None:
    """The environment it sees; None for the harness's own, unchanged."""
    if not command.env and not command.unset:
        return None
    inherited = {k: v for k, v in os.environ.items() if k not in command.unset}
    return {**inherited, **dict(command.env)}


def _resolve(command: Command) -> str:
    """The program's full path, found on the PATH the command itself will see.

    A path from the root is taken as it is: the system says whether it can be started.
    """
    program = command.argv[0]
    if program.startswith("/"):
        return program
    search = dict(command.env).get("PATH", os.environ.get("PATH", os.defpath))
    found = shutil.which(program, path=search)
    if found:
        return found
    raise _no_program(program)


def _no_program(program: str) -> ApplicationMissing:
    if os.sep in program and Path(program).is_file():
        return ApplicationMissing(
            f"{program} is not executable", hint=f"chmod +x {shlex.quote(program)}"
        )
    return ApplicationMissing(
        f"there is no program {program!r}", hint=f"install {program} or mend PATH"
    )


def _start_problem(command: Command, problem: OSError) -> HarnessError:
    program = command.argv[0]
    if program.startswith("/") and shutil.which(program) is None:
        return _no_program(program)
    return ApplicationMissing(
        f"{program} cannot be started: {problem.strerror or problem}",
        hint="check that the file is a program for this machine",
    )
