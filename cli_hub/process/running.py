"""Running a command to its end, or ending it when its time is up."""

from __future__ import annotations

import os
import select
import subprocess
import time
from contextlib import suppress

from cli_hub.process.ending import ask_to_end, end_tree
from cli_hub.process.model import Command, Completed, OnOutput
from cli_hub.process.starting import HeldSignals, OnStart, Process, start
from cli_hub.process.streams import read_streams

_DRAIN_SECONDS = 0.3


def run(
    command: Command,
    *,
    timeout: float | None = None,
    on_output: OnOutput | None = None,
    on_start: OnStart = lambda _: None,
) -> Completed:
    """Run *command* to its end, or end its whole tree after *timeout* seconds.

    A non-zero exit is an answer, not an error. Raises :class:`NotFound` when the program or its
    working directory does not exist, :class:`RequirementMissing` when it may not be executed.
    """
    started = time.monotonic()
    held = HeldSignals()
    try:
        process = start(command)
    except BaseException:
        held.let_go()
        raise
    readers = read_streams(process, on_output)
    timed_out = False
    try:
        held.let_go()
        on_start(process)
        try:
            _wait(process, timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            end_tree(process)
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt) and command.patience:
            ask_to_end(process, command.patience)
        end_tree(process)
        raise
    for reader in readers.values():
        reader.thread.join(_DRAIN_SECONDS)
    seconds = time.monotonic() - started
    return Completed(
        command,
        process.returncode,
        readers["stdout"].kept.text(),
        readers["stderr"].kept.text(),
        seconds,
        timed_out=timed_out,
        truncated=any(reader.kept.dropped for reader in readers.values()),
        left_running=any(reader.thread.is_alive() for reader in readers.values()),
    )


def _wait(process: Process, timeout: float | None) -> None:
    """Like ``process.wait(timeout)``, which looks only every 50 ms; here the system says when."""
    if timeout is not None and hasattr(os, "pidfd_open"):
        with suppress(OSError):  # a kernel that cannot
            handle = os.pidfd_open(process.pid)
            try:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                ended = poll.poll(min(timeout, 1e6) * 1000)
            finally:
                os.close(handle)
            # Who traces a program (strace, a debugger) hears of its end before its parent does.
            timeout = None if ended else 0.0
    process.wait(timeout)
