"""A desktop for tests: an X display and a D-Bus session of their own, ended with the test."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.requirements import lacking, require_program

PATIENCE = 20.0


@dataclass
class Desktop:
    """One display; programs started on it end with it."""

    environment: dict[str, str]
    _stack: ExitStack

    def start(self, *argv: str) -> subprocess.Popen[bytes]:
        """Start a program on the display."""
        process = subprocess.Popen(
            argv,
            env={**os.environ, **self.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(_end, process)
        return process

    def xdotool(self, *arguments: str) -> str:
        """What xdotool answers, on this display."""
        done = subprocess.run(
            ["xdotool", *arguments],
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return done.stdout.strip()

    def wait_for_window(self, title: str) -> str:
        """The id of the window, once it is there and has the keyboard."""
        window = until(lambda: self.xdotool("search", "--onlyvisible", "--name", title))
        first = window.split()[0]
        self.xdotool("windowfocus", "--sync", first)
        return first


def until(look: Callable[[], str], seconds: float = PATIENCE) -> str:
    """Look until there is something; an assertion fails when there never is."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError("it never came")


def file_says(path: Path, text: str) -> str:
    """Wait until a file holds exactly *text*; what it holds in the end."""

    def look() -> str:
        return "yes" if path.exists() and path.read_text() == text else ""

    try:
        until(look, 8)
    except AssertionError:
        return path.read_text() if path.exists() else "<no file>"
    return text


def require_extra(extra: str, *modules: str) -> None:
    """Skip by name (or fail where all are required) without the libraries of an extra."""
    for module in modules:
        if importlib.util.find_spec(module) is None:
            lacking(module, f"pip install 'cli-anything-macrocli[{extra}]'")


@contextmanager
def desktop(home: Path, size: str = "1280x800") -> Iterator[Desktop]:
    """Start a display and a session bus; skips by name where they are not installed."""
    require_program("Xvfb", package="xvfb")
    require_program("xdotool")
    require_program("dbus-daemon", package="dbus-x11")
    home.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        environment = {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(home),
            "GSETTINGS_BACKEND": "memory",
            "NO_AT_BRIDGE": "0",
        }
        environment["DISPLAY"] = _start_display(stack, size)
        environment["DBUS_SESSION_BUS_ADDRESS"] = _start_bus(stack, environment)
        yield Desktop(environment, stack)


def _start_display(stack: ExitStack, size: str) -> str:
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [
            "Xvfb",
            "-displayfd",
            str(writing),
            "-screen",
            "0",
            f"{size}x24",
            "-nolisten",
            "tcp",
            "-noreset",
        ],
        pass_fds=(writing,),
        stderr=subprocess.DEVNULL,
    )
    stack.callback(_end, server)
    os.close(writing)
    with os.fdopen(reading) as stream:
        return f":{stream.readline().strip()}"


def _start_bus(stack: ExitStack, environment: dict[str, str]) -> str:
    bus = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address"],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    stack.callback(_end, bus)
    assert bus.stdout is not None
    return bus.stdout.readline().strip()


def _end(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()
