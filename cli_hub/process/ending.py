"""Ending a process with everything it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psutil

_GRACE_SECONDS = 2.0


def ask_to_end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Let the program end what it started, in its own order; a second Ctrl-C cuts that short."""
    process.terminate()
    with suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
        process.wait(seconds)


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


def end_those_naming(path: Path) -> int:
    """End processes of this user that have *path* in their arguments, and their descendants.

    What a killed hub had started goes on without it; returns how many were ended.
    """
    import psutil

    wanted = os.fspath(path)
    own = psutil.Process()
    spared = {own.pid, *(parent.pid for parent in own.parents())}
    found: list[psutil.Process] = []
    for process in psutil.process_iter(["cmdline", "uids"]):
        uids = process.info["uids"]
        if process.pid in spared or (uids and uids.real != os.getuid()):
            continue
        if any(wanted in word for word in process.info["cmdline"] or ()):
            with suppress(psutil.NoSuchProcess):
                found += [process, *process.children(recursive=True)]
    for process in found:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(found, timeout=_GRACE_SECONDS)
    return len(found)


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
