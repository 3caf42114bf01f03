"""What a process prints, read as it comes and kept up to a limit."""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from typing import IO

from cli_hub.process.model import OnOutput
from cli_hub.values import dataclass

OUTPUT_LIMIT = 1_000_000
"""Bytes kept of each stream; half of them from its beginning, half from its end."""


class HeadAndTail:
    """The beginning and the end of a stream of any length, in bounded memory.

    *limit* is in bytes; *dropped* is how many were left out.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.head = bytearray()
        self.tail: deque[bytes] = deque()
        self.tail_size = 0
        self.dropped = 0
        self.lock = threading.Lock()

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


@dataclass(frozen=True, slots=True)
class Reader:
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
