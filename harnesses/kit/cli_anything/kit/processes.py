"""The place where harnesses start programs.

A :class:`Command` is an argv, never a shell string. Every process gets its own process group and a
closed standard input; when its time is up the whole tree ends, not only the direct child; what it
prints is kept up to a limit (the beginning and the end) and decoded as UTF-8 with replacement.
"""

from __future__ import annotations

import os
import select
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from cli_anything.kit.errors import (
    ApplicationFailed,
    ApplicationMissing,
    HarnessError,
    Interrupted,
    UsageError,
)

if TYPE_CHECKING:
    import psutil

OUTPUT_LIMIT = 1_000_000
"""Bytes kept of each stream; half of them from its beginning, half from its end."""

_GRACE_SECONDS = 2.0
_DRAIN_SECONDS = 0.3
_GLANCE_SECONDS = 0.1
"""How often a thread that waits for a process looks whether it is to stop."""

OnOutput = Callable[[str, bytes], None]
"""Called with ``"stdout"`` or ``"stderr"`` and each chunk as it arrives, from a reader thread."""


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


@dataclass(frozen=True, slots=True)
class Completed:
    """How a process ended. *exit_code* is negative for a signal, as in :mod:`subprocess`."""

    command: Command
    exit_code: int
    stdout: str
    stderr: str
    seconds: float
    timed_out: bool = False
    truncated: bool = False
    left_running: bool = False
    """A descendant still held the output open after the process itself had ended."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and not self.timed_out

    @property
    def output(self) -> str:
        """Both streams, standard output first."""
        return "\n".join(part for part in (self.stdout.rstrip(), self.stderr.rstrip()) if part)

    def tail(self, lines: int = 15) -> str:
        """The last lines of what it said, for an error message."""
        return "\n".join(self.output.splitlines()[-lines:])


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


class Runner(Protocol):
    """Anything that runs a command to its end; the real one is :func:`run`."""

    def __call__(
        self,
        command: Command,
        *,
        timeout: float | None = None,
        on_output: OnOutput | None = None,
    ) -> Completed: ...


def run(
    command: Command,
    *,
    timeout: float | None = None,
    on_output: OnOutput | None = None,
    stop: Stop | None = None,
) -> Completed:
    """Run *command* to its end, or end its whole tree after *timeout* seconds.

    A non-zero exit is an answer, not an error. Raises :class:`ApplicationMissing` when the program
    does not exist or may not be executed, :class:`UsageError` when its directory does not exist,
    and :class:`Interrupted`, its tree ended, when *stop* is requested.
    """
    if stop is not None and stop.requested:
        raise Interrupted("interrupted")
    started = time.monotonic()
    held = _HeldSignals()
    try:
        process = _start(command)
    except BaseException:
        held.let_go()
        raise
    kept = {"stdout": _HeadAndTail(OUTPUT_LIMIT), "stderr": _HeadAndTail(OUTPUT_LIMIT)}
    watch = _watch_by_polling if hasattr(os, "pidfd_open") else _watch_by_threads
    try:
        held.let_go()
        timed_out, left_running = watch(process, kept, timeout, on_output, stop)
    except BaseException:
        end_tree(process)
        raise
    return Completed(
        command,
        process.returncode,
        kept["stdout"].text(),
        kept["stderr"].text(),
        time.monotonic() - started,
        timed_out=timed_out,
        truncated=any(stream.dropped for stream in kept.values()),
        left_running=left_running,
    )


def start_detached(command: Command, *, log: Path | None = None, settle: float = 0.2) -> int:
    """Start *command* in a session of its own, to outlive the harness; gives its process id.

    Its output goes to *log*. It must still run after *settle* seconds, or have ended with 0: a
    program that dies at once raises :class:`ApplicationFailed` with the end of its log.
    """
    try:
        with (log or Path(os.devnull)).open("ab") as output:
            process = _start(command, stdout=output.fileno(), stderr=output.fileno())
    except OSError as problem:
        raise UsageError(f"{log} cannot be written: {problem.strerror or problem}") from None
    try:
        code = process.wait(settle)
    except subprocess.TimeoutExpired:
        process.returncode = 0  # it is not ours to wait for any more
        return process.pid
    if code:
        said = log.read_text("utf-8", "replace")[-2000:].strip() if log else ""
        raise ApplicationFailed(
            f"{command} ended at once with {code}" + (f": {said}" if said else "")
        )
    return process.pid


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


def _environment(command: Command) -> dict[str, str] | None:
    """The environment it sees; None for the harness's own, unchanged."""
    if not command.env and not command.unset:
        return None
    inherited = {k: v for k, v in os.environ.items() if k not in command.unset}
    return {**inherited, **dict(command.env)}


def _resolve(command: Command) -> str:
    """The program's full path, found on the PATH the command itself will see."""
    program = command.argv[0]
    search = dict(command.env).get("PATH", os.environ.get("PATH", os.defpath))
    found = shutil.which(program, path=search)
    if found:
        return found
    if os.sep in program and Path(program).is_file():
        raise ApplicationMissing(
            f"{program} is not executable", hint=f"chmod +x {shlex.quote(program)}"
        )
    raise ApplicationMissing(
        f"there is no program {program!r}", hint=f"install {program} or mend PATH"
    )


class _HeldSignals:
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


def _start(
    command: Command, *, stdout: int = subprocess.PIPE, stderr: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    if command.cwd is not None and not command.cwd.is_dir():
        raise UsageError(f"the working directory {command.cwd} does not exist")
    try:
        return subprocess.Popen(
            [_resolve(command), *command.argv[1:]],
            cwd=command.cwd,
            env=_environment(command),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
        )
    except OSError as problem:
        raise _start_problem(command, problem) from problem


def _start_problem(command: Command, problem: OSError) -> HarnessError:
    return ApplicationMissing(
        f"{command.argv[0]} cannot be started: {problem.strerror or problem}",
        hint="check that the file is a program for this machine",
    )


@dataclass(slots=True)
class _HeadAndTail:
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


def _watch_by_polling(
    process: subprocess.Popen[bytes],
    kept: Mapping[str, _HeadAndTail],
    timeout: float | None,
    on_output: OnOutput | None,
    stop: Stop | None,
) -> tuple[bool, bool]:
    """Read until the process has ended: whether its time was up, and whether the pipes stay open.

    One thread: the kernel tells of the end of the process as it tells of output (Linux).
    """
    streams = {
        stream.fileno(): (name, stream, kept[name])
        for name, stream in (("stdout", process.stdout), ("stderr", process.stderr))
        if stream is not None
    }
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
                    process.wait()
                    ended = True
                    poll.unregister(ending)
                    deadline = time.monotonic() + _DRAIN_SECONDS
                    continue
                name, stream, keeper = streams[descriptor]
                chunk = os.read(descriptor, 65536)
                if not chunk:
                    poll.unregister(descriptor)
                    del streams[descriptor]
                    stream.close()
                    continue
                keeper.add(chunk)
                if on_output is not None:
                    on_output(name, chunk)
    finally:
        os.close(ending)
        for _name, stream, _keeper in streams.values():
            stream.close()
    return timed_out, bool(streams)


def _ready(poll: select.poll, seconds: float | None, stop: Stop | None) -> list[int]:
    """The descriptors that have something, after *seconds* at most; raises when asked to stop."""
    found = poll.poll(None if seconds is None else seconds * 1000 + 1)
    if stop is not None and stop.requested:
        raise Interrupted("interrupted")
    return [descriptor for descriptor, _event in found]


def _watch_by_threads(
    process: subprocess.Popen[bytes],
    kept: Mapping[str, _HeadAndTail],
    timeout: float | None,
    on_output: OnOutput | None,
    stop: Stop | None,
) -> tuple[bool, bool]:
    """The same with a reader thread a stream, where a process has no descriptor to wait on."""
    readers = []
    for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
        assert stream is not None
        reader = threading.Thread(
            target=_drain, args=(name, stream, kept[name], on_output), daemon=True
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


def _drain(name: str, stream: IO[bytes], kept: _HeadAndTail, on_output: OnOutput | None) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            kept.add(chunk)
            if on_output is not None:
                on_output(name, chunk)
