"""One recording from its first look at the screen to the folder with the macro."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import psutil

from cli_anything.kit.errors import HarnessError
from cli_anything.macrocli import programs
from cli_anything.macrocli.desktop.sequence import Rectangle
from cli_anything.macrocli.recording.focus import FocusWatch
from cli_anything.macrocli.recording.folder import write_folder
from cli_anything.macrocli.recording.gather import gather
from cli_anything.macrocli.recording.listening import Listener
from cli_anything.macrocli.recording.model import Anchor, Button
from cli_anything.macrocli.recording.screen import ScreenWatch, choose_anchor
from cli_anything.macrocli.recording.steps import Session, write_down
from cli_anything.macrocli.scaffold import refuse_existing

_PAUSE = 0.1
_LAST_NEWS = 0.3
"""Seconds after the end in which news of windows and focus may still come in."""


class NothingRecorded(HarnessError):
    """The recording ended before anything was done."""

    code = "nothing_recorded"


class EndedBy(Enum):
    HOT_KEY = "hot key"
    TIMEOUT = "timeout"
    PROGRAM = "the program ended"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be recorded, and what ends it. *command* is started first, if there is one."""

    name: str
    folder: Path
    hot_key: str
    timeout: float
    command: tuple[str, ...] = ()
    keep_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Recorded:
    """The macro that came of it. *withheld* are the parameters made of texts not written down."""

    file: Path
    steps: int
    seconds: float
    ended_by: EndedBy
    withheld: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(slots=True)
class _Watchers:
    """Everything that watches and listens while the person works."""

    screen: ScreenWatch
    focus: FocusWatch
    listener: Listener
    pool: ThreadPoolExecutor
    anchors: dict[float, Future[Anchor | None]] = field(default_factory=dict)


def record(wish: Wish, environment: Mapping[str, str], ready: Callable[[], None]) -> Recorded:
    """Watch until the hot key, the end of the time or of the program, and write the macro.

    *ready* is called when everything listens. Raises :class:`NothingRecorded`, and
    :class:`Conflict` before anything starts when the folder is there.
    """
    refuse_existing(wish.folder)
    with ThreadPoolExecutor(1) as pool:
        watchers = _watchers(wish, environment, pool)
        began = time.monotonic()
        try:
            watchers.screen.start()
            watchers.focus.start()
            watchers.listener.start()
            program = _start(wish)
            ready()
            ended_by = _wait(wish, watchers.listener, program, began)
            time.sleep(_LAST_NEWS)
        finally:
            watchers.listener.stop()
            watchers.focus.stop()
            watchers.screen.stop()
        return _write(wish, watchers, ended_by, time.monotonic() - began)


def _watchers(wish: Wish, environment: Mapping[str, str], pool: ThreadPoolExecutor) -> _Watchers:
    screen = ScreenWatch(environment)
    anchors: dict[float, Future[Anchor | None]] = {}

    def moved(x: int, y: int) -> None:
        screen.pointer = (x, y)

    def clicked(button: Button) -> None:
        anchors[button.at] = pool.submit(choose_anchor, screen.looks(), button.x, button.y)

    listener = Listener(wish.hot_key, moved=moved, clicked=clicked)
    return _Watchers(screen, FocusWatch(environment), listener, pool, anchors)


def _start(wish: Wish) -> psutil.Process | None:
    if not wish.command:
        return None
    pid = programs.start(wish.command, cwd=Path.cwd(), env={}, log=None, settle=0.2)
    try:
        return psutil.Process(pid)
    except psutil.NoSuchProcess:
        return None  # a starter that has handed over to the program already running


def _wait(wish: Wish, listener: Listener, program: psutil.Process | None, began: float) -> EndedBy:
    while time.monotonic() - began < wish.timeout:
        if listener.ended.wait(_PAUSE):
            return EndedBy.HOT_KEY
        if program is not None and _ended(program):
            return EndedBy.PROGRAM
    return EndedBy.TIMEOUT


def _ended(program: psutil.Process) -> bool:
    try:
        return program.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def _write(wish: Wish, watchers: _Watchers, ended_by: EndedBy, seconds: float) -> Recorded:
    inputs = sorted(watchers.listener.inputs, key=lambda one: one.at)
    gathered = gather(inputs)
    if not gathered.actions:
        raise NothingRecorded("nothing was done while this recorded, so nothing is written")
    width, height = watchers.screen.size
    found = {at: future.result() for at, future in watchers.anchors.items()}
    session = Session(
        wish.name,
        wish.command,
        str(Path.cwd()),
        Rectangle(0, 0, width, height),
        gathered.actions,
        watchers.screen.windows,
        watchers.focus.changes,
        {at: anchor for at, anchor in found.items() if anchor is not None},
        wish.keep_unknown,
    )
    written = write_down(session)
    file = write_folder(written, wish.folder)
    return Recorded(
        file,
        len(written.steps),
        seconds,
        ended_by,
        tuple(written.withheld),
        _notes(gathered.unreadable, watchers.focus.problem, written.withheld),
    )


def _notes(unreadable: int, problem: str, withheld: list[str]) -> tuple[str, ...]:
    notes = []
    if unreadable:
        notes.append(f"{unreadable} keys could not be read and are left out")
    if problem:
        notes.append(f"password fields cannot be told from others here: {problem}")
    if withheld:
        notes.append(f"not written down, and asked for at replay: {', '.join(withheld)}")
    return tuple(notes)
