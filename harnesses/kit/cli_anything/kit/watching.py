"""Reading what a process prints until it ends, its time is up, or it is to stop."""

from __future__ import annotations

import os
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cli_anything.kit.errors import Interrupted
from cli_anything.kit.process_tree import end_tree
from cli_anything.kit.starting import Started

_DRAIN_SECONDS = 0.3
_GLANCE_SECONDS = 0.1
"""How often a thread that waits for a process looks whether it is to stop."""

OnOutput = Callable[[str, bytes], None]
"""Called with ``"stdout"`` or ``"stderr"`` and each chunk as it arrives, from a reader thread."""


class Stop:
    """Ends the programs that were given it, from another thread than the one that waits for them.

    The main thread alone hears of Ctrl-C; this is how it passes the word on.
    """

    def __init__(self) -> None:
        self._requested = threading.Event()
        self._reading, self._writing = os.pipe()

    def request(self) -> None:
        """From now on every :func:`run` that has this ends with :class:`Interrupted`."""
        if not self._requested.is_set():
            self._requested.set()
            os.write(self._writing, b"!")

    @property
    def requested(self) -> bool:
        return self._requested.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep, but not beyond a request; whether there was one."""
        return self._requested.wait(seconds)

    def fileno(self) -> int:
        """A descriptor that can be read once it is requested."""
        return self._reading

    def close(self) -> None:
        os.close(self._reading)
        os.close(self._writing)


@dataclass(slots=True)
class HeadAndTail:
    """The beginning and the end of a stream of any length, in bounded memory."""

    limit: int
    head: bytearray = field(default_factory=bytearray)
    tail: deque[bytes] = field(default_factory=deque)
    tail_size: int = 0
    dropped: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, chunk: bytes) -> None:
        half = self.limit // 2
        with self.lock:
            room = half - len(self.head)
            if room > 0:
                self.head += chunk[:room]
                chunk = chunk[room:]
            if not chunk:
                return
            self.tail.append(chunk)
            self.tail_size += len(chunk)
            while self.tail_size - len(self.tail[0]) >= half:
                gone = self.tail.popleft()
                self.tail_size -= len(gone)
                self.dropped += len(gone)

    def text(self) -> str:
        if not self.head:
            return ""
        with self.lock:
            gap = f"\n… {self.dropped} bytes left out …\n".encode() if self.dropped else b""
            return (bytes(self.head) + gap + b"".join(self.tail)).decode("utf-8", "replace")


def watch_by_polling(
    started: Started,
    kept: Mapping[str, HeadAndTail],
    timeout: float | None,
    on_output: OnOutput | None,
    stop: Stop | None,
) -> tuple[bool, bool]:
    """Read until the process has ended: whether its time was up, and whether the pipes stay open.

    One thread: the kernel tells of the end of the process as it tells of output (Linux).
    """
    process = started.process
    streams = {descriptor: name for name, descriptor in started.pipes.items()}
    deadline = None if timeout is None else time.monotonic() + timeout
    timed_out = ended = False
    poll = select.poll()
    ending = os.pidfd_open(process.pid)
    try:
        for descriptor in (ending, *streams, *(() if stop is None else (stop.fileno(),))):
            poll.register(descriptor, select.POLLIN)
        while streams or not ended:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                if ended:
                    break  # a descendant still holds the pipes
                timed_out = ended = True
                end_tree(process)
                poll.unregister(ending)
                deadline = time.monotonic() + _DRAIN_SECONDS
                continue
            for descriptor in _ready(poll, left, stop):
                if descriptor == ending:
                    if process.poll() is None:  # somebody else has taken its exit code
                        process.wait()
                    ended = True
                    poll.unregister(ending)
                    deadline = time.monotonic() + _DRAIN_SECONDS
                    continue
                name = streams[descriptor]
                chunk = os.read(descriptor, 65536)
                if not chunk:
                    poll.unregister(descriptor)
                    del streams[descriptor]
                    started.close(name)
                    continue
                kept[name].add(chunk)
                if on_output is not None:
                    on_output(name, chunk)
    finally:
        os.close(ending)
        started.close_all()
    return timed_out, bool(streams)


def _ready(poll: select.poll, seconds: float | None, stop: Stop | None) -> list[int]:
    """The descriptors that have something, after *seconds* at most; raises when asked to stop."""
    found = poll.poll(None if seconds is None else seconds * 1000 + 1)
    if stop is not None and stop.requested:
        raise Interrupted("interrupted")
    return [descriptor for descriptor, _event in found]


def watch_by_threads(
    started: Started,
    kept: Mapping[str, HeadAndTail],
    timeout: float | None,
    on_output: OnOutput | None,
    stop: Stop | None,
) -> tuple[bool, bool]:
    """The same with a reader thread a stream, where a process has no descriptor to wait on."""
    process = started.process
    readers = []
    for name in tuple(started.pipes):
        reader = threading.Thread(
            target=_drain, args=(started, name, kept[name], on_output), daemon=True
        )
        reader.start()
        readers.append(reader)
    timed_out = not _wait(process, timeout, stop)
    if timed_out:
        end_tree(process)
    for reader in readers:
        reader.join(_DRAIN_SECONDS)
    return timed_out, any(reader.is_alive() for reader in readers)


def _wait(process: subprocess.Popen[bytes], timeout: float | None, stop: Stop | None) -> bool:
    """Wait for the end of *process*; False when its time is up."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while True:
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            process.wait(left if stop is None else min(_GLANCE_SECONDS, left or _GLANCE_SECONDS))
        except subprocess.TimeoutExpired:
            if stop is not None and stop.requested:
                raise Interrupted("interrupted") from None
            if left is not None and (stop is None or left <= _GLANCE_SECONDS):
                return False
        else:
            return True


def _drain(started: Started, name: str, kept: HeadAndTail, on_output: OnOutput | None) -> None:
    try:
        while chunk := os.read(started.pipes[name], 65536):
            kept.add(chunk)
            if on_output is not None:
                on_output(name, chunk)
    finally:
        started.close(name)
