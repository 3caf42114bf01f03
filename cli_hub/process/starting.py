"""Starting a program: from here every process of the hub comes."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from cli_hub.errors import HubError, NotFound, RequirementMissing
from cli_hub.process.model import Command

Process = subprocess.Popen[bytes]
"""A program that was started."""

OnStart = Callable[[Process], None]
"""Called with the process as soon as it runs, from the thread that waits for it."""


def start(command: Command) -> Process:
    if command.cwd is not None and not command.cwd.is_dir():
        raise NotFound(f"the working directory {command.cwd} does not exist")
    try:
        return subprocess.Popen(
            [_resolve(command), *command.argv[1:]],
            cwd=command.cwd,
            env=_environment(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as problem:
        raise _start_problem(command, problem) from problem


def _start_problem(command: Command, problem: OSError) -> HubError:
    return RequirementMissing(
        f"{command.argv[0]} cannot be started: {problem.strerror or problem}",
        hint="check that the file is a program for this machine",
    )


def replace_process(command: Command) -> NoReturn:
    """Become *command*: nothing of the hub stays between the caller and the program."""
    sys.stdout.flush()
    sys.stderr.flush()
    program = _resolve(command)
    if command.cwd is not None:
        os.chdir(command.cwd)
    try:
        os.execve(program, list(command.argv), _environment(command))
    except OSError as problem:
        raise _start_problem(command, problem) from problem


def start_detached(command: Command) -> None:
    """Start *command* and leave it alone: a browser that outlives us, say. Its output is dropped.

    Raises :class:`NotFound` when there is no such program.
    """
    try:
        subprocess.Popen(
            [_resolve(command), *command.argv[1:]],
            cwd=command.cwd,
            env=_environment(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as problem:
        raise _start_problem(command, problem) from problem


class HeldSignals:
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


def _environment(command: Command) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if k not in command.unset}
    return {**inherited, **dict(command.env)}


def _resolve(command: Command) -> str:
    """The program's full path, found on the PATH the command itself will see."""
    program = command.argv[0]
    if (path := Path(program)).is_absolute() and path.is_file() and os.access(path, os.X_OK):
        return program
    from shutil import which

    search = dict(command.env).get("PATH", os.environ.get("PATH", os.defpath))
    found = which(program, path=search)
    if found:
        return found
    if os.sep in program and Path(program).is_file():
        raise RequirementMissing(
            f"{program} is not executable", hint=f"chmod +x {shlex.quote(program)}"
        )
    raise NotFound(f"there is no program {program!r}", hint=f"install {program} or mend PATH")
