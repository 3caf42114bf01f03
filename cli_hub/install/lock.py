"""One writer a harness: a file lock that ends with its process, however that ends."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli_hub.errors import Locked

WAIT_SECONDS = 300.0
_POLL_SECONDS = 0.05

if os.name == "nt":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True
else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def held(folder: Path, name: str, *, wait: float = WAIT_SECONDS) -> Iterator[None]:
    """Hold the lock *name* in *folder*; waits at most *wait* seconds, then :class:`Locked`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.lock"
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o644)
    try:
        deadline = time.monotonic() + wait
        while not _try_lock(handle):
            if time.monotonic() >= deadline:
                raise Locked(
                    f"another cli-hub is busy with {name}",
                    hint="wait until it is done, then run this again",
                    details={"lock": str(path)},
                )
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(handle)
