"""Ending a process with everything it has started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_GRACE_SECONDS = 2.0


def end_tree(process: subprocess.Popen[bytes]) -> None:
    """End *process* and all its descendants: asked first, killed after a short grace."""
    import psutil  # 20 ms that only a process which must be ended pays

    try:
        tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    except psutil.NoSuchProcess:
        tree = []
    _signal_group(process.pid, signal.SIGTERM)
    for member in tree:
        with suppress(psutil.NoSuchProcess):
            member.terminate()
    deadline = time.monotonic() + _GRACE_SECONDS
    while (alive := [member for member in tree if _lives(member)]) and time.monotonic() < deadline:
        time.sleep(0.01)
    if os.name == "posix":
        _signal_group(process.pid, signal.SIGKILL)
    for member in alive:
        with suppress(psutil.NoSuchProcess):
            member.kill()
    process.wait()


def _lives(member: psutil.Process) -> bool:
    """Whether it still does anything: one that nobody reaps has ended all the same."""
    import psutil

    with suppress(psutil.NoSuchProcess):
        return member.status() != psutil.STATUS_ZOMBIE
    return False


def _signal_group(pid: int, number: int) -> None:
    if os.name == "posix":
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, number)
