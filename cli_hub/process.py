"""The only place where the hub starts processes.

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
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, Protocol

from cli_hub.errors import HubError, NotFound, RequirementMissing

if TYPE_CHECKING:
    import psutil

OUTPUT_LIMIT = 1_000_000
"""Bytes kept of each stream; half of them from its beginning, half from its end."""

_GRACE_SECONDS = 2.0
_DRAIN_SECONDS = 0.3

OnOutput = Callable[[str, bytes], None]
"""Called with ``"stdout"`` or ``"stderr"`` and each chunk as it arrives, from a reader thread."""


@dataclass(frozen=True, slots=True)
class Command:
    """What would run: an argv, where, and what differs from the hub's own environment.

    *patience* is how many seconds it gets to end its own work after Ctrl-C, before its tree is.
    """

    argv: tuple[str, ...]
    cwd: Path | None = None
    env: tuple[tuple[str, str], ...] = ()
    unset: tuple[str, ...] = ()
    patience: float = 0.0

    def __str__(self) -> str:
        return shlex.join(self.argv)

    @property
    def line(self) -> str:
        """How it is typed into a shell, with the variables it sets."""
        return " ".join([*(f"{name}={shlex.quote(value)}" for name, value in self.env), str(self)])

    def with_env(self, values: Mapping[str, str], *, unset: Iterable[str] = ()) -> Command:
        """The same command with more of its environment set or removed."""
        merged = {**dict(self.env), **values}
        return replace(self, env=tuple(merged.items()), unset=(*self.unset, *unset))


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
    command: Command, *, timeout: float | None = None, on_output: OnOutput | None = None
) -> Completed:
    """Run *command* to its end, or end its whole tree after *timeout* seconds.

    A non-zero exit is an answer, not an error. Raises :class:`NotFound` when the program or its
    working directory does not exist, :class:`RequirementMissing` when it may not be executed.
    """
    started = time.monotonic()
    held = _HeldSignals()
    try:
        process = _start(command)
    except BaseException:
        held.let_go()
        raise
    readers = _read_streams(process, on_output)
    timed_out = False
    try:
        held.let_go()
        try:
            _wait(process, timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            end_tree(process)
    except BaseException as problem:
        if isinstance(problem, KeyboardInterrupt) and command.patience:
            _ask_to_end(process, command.patience)
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


def _ask_to_end(process: subprocess.Popen[bytes], seconds: float) -> None:
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


def _wait(process: subprocess.Popen[bytes], timeout: float | None) -> None:
    """Like ``process.wait(timeout)``, which looks only every 50 ms; here the system says when."""
    if timeout is not None and hasattr(os, "pidfd_open"):
        with suppress(OSError):  # a kernel that cannot
            handle = os.pidfd_open(process.pid)
            try:
                poll = select.poll()
                poll.register(handle, select.POLLIN)
                poll.poll(min(timeout, 1e6) * 1000)
            finally:
                os.close(handle)
            timeout = 0.0
    process.wait(timeout)


def _environment(command: Command) -> dict[str, str]:
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
        raise RequirementMissing(
            f"{program} is not executable", hint=f"chmod +x {shlex.quote(program)}"
        )
    raise NotFound(f"there is no program {program!r}", hint=f"install {program} or mend PATH")


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


def _start(command: Command) -> subprocess.Popen[bytes]:
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


@dataclass(frozen=True, slots=True)
class _Reader:
    thread: threading.Thread
    kept: _HeadAndTail


def _read_streams(
    process: subprocess.Popen[bytes], on_output: OnOutput | None
) -> dict[str, _Reader]:
    readers = {}
    for name, stream in (("stdout", process.stdout), ("stderr", process.stderr)):
        assert stream is not None  # both are pipes, see _start
        kept = _HeadAndTail(OUTPUT_LIMIT)
        thread = threading.Thread(
            target=_drain, args=(name, stream, kept, on_output), name=f"read {name}", daemon=True
        )
        thread.start()
        readers[name] = _Reader(thread, kept)
    return readers


def _drain(name: str, stream: IO[bytes], kept: _HeadAndTail, on_output: OnOutput | None) -> None:
    with stream:
        while chunk := os.read(stream.fileno(), 65536):
            kept.add(chunk)
            if on_output is not None:
                on_output(name, chunk)
