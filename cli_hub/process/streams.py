"""What a process prints, read as it comes and kept up to a limit."""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from cli_hub.process.model import OnOutput

OUTPUT_LIMIT = 1_000_000
"""Bytes kept of each stream; half of them from its beginning, half from its end."""


@dataclass(slots=True, repr=False, eq=False)
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
        with self.lock:
            gap = f"\n… {self.dropped} bytes left out …\n".encode() if self.dropped else b""
            return (bytes(self.head) + gap + b"".join(self.tail)).decode("utf-8", "replace")


class Reader(NamedTuple):
    """The thread that reads one stream, and what it keeps of it."""

    thread: threading.Thread
    kept: HeadAndTail


def read_streams(process: subprocess.Popen[bytes], on_output: OnOutput | None) -> dict[str, Reader]:
    readers = {}
    for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
        assert stream is not None  # both are pipes, see starting.start
        kept = HeadAndTail(OUTPUT_LIMIT)
        thread = threading.Thread(
            target=_drain, args=(name, stream, kept, on_output), name=f"read {name}", daemon=True
        )
        thread.start()
        readers[name] = Reader(thread, kept)
    return readers


def _drain(name: str, stream: IO[bytes], kept: HeadAndTail, on_output: OnOutput | None) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            kept.add(chunk)
            if on_output is not None:
                on_output(name, chunk)
