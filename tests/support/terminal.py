"""A program with a terminal of its own, as a person has it: it can be typed to, and interrupted."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

CTRL_C = "\x03"

_TAKE_THE_TERMINAL = """\
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


@dataclass
class Terminal:
    """What a person at the terminal sees and does."""

    process: subprocess.Popen[bytes]
    leader: int
    shown: str = ""

    def type(self, text: str) -> None:
        os.write(self.leader, text.encode())

    def until(self, text: str, seconds: float = 30) -> None:
        """Wait until *text* stands on the screen; what was shown up to it is taken as read."""
        read = self.shown
        deadline = time.monotonic() + seconds
        while text not in read:
            assert time.monotonic() < deadline, f"never showed {text!r}:\n{read}"
            chunk = self._chunk()
            assert chunk is not None, f"ended without {text!r}:\n{read}"
            read += chunk
        self.shown = read.partition(text)[2]

    def interrupt(self, seconds: float = 60) -> int:
        """Press Ctrl-C as people do, again and again until the program ends.

        One key may be lost: readline takes the terminal after the question has been shown, and
        drops what was typed until then.
        """
        deadline = time.monotonic() + seconds
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"Ctrl-C did not end it:\n{self.shown}"
            self.type(CTRL_C)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(1)
        return self.end(seconds)

    def end(self, seconds: float = 60) -> int:
        """Wait for the program's end; what it still showed is in *shown*."""
        deadline = time.monotonic() + seconds
        while (chunk := self._chunk()) is not None:
            self.shown += chunk
            assert time.monotonic() < deadline, f"never ended:\n{self.shown}"
        return self.process.wait(seconds)

    def _chunk(self) -> str | None:
        """What is shown now, without colours; ``None`` once nobody has the terminal any more."""
        if not select.select([self.leader], [], [], 0.1)[0]:
            return "" if self.process.poll() is None else None
        try:
            seen = os.read(self.leader, 65536).decode(errors="replace")
        except OSError:
            return None
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen).replace("\r\n", "\n")


@contextmanager
def terminal(
    argv: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[Terminal]:
    """*argv* at a terminal of its own, which ends it when the block does."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", _TAKE_THE_TERMINAL, *argv],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=dict(os.environ if env is None else env),
        cwd=cwd,
        start_new_session=True,
    )
    os.close(follower)
    try:
        yield Terminal(process, leader)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(leader)
