"""Reading a trajectory of any length in bounded memory.

A history of 200,000 steps is 50 MB of JSON. It is decoded in chunks, one step at a time, and only
the steps of the wanted window are kept; the rest are counted.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from cli_hub.previews.jsonstream import JsonText, Malformed
from cli_hub.previews.leap import leap
from cli_hub.previews.models import Code, Problem
from cli_hub.previews.reading import plain, signature
from cli_hub.previews.shapes import STEP_LISTS, Document, normalise

SIZE_LIMIT = 1024 * 1024 * 1024
"""Bytes of the longest trajectory that is read."""

LONG = 4 * 1024 * 1024
"""Bytes from which on steps outside the window are skipped rather than decoded."""

_WAITS = (0.005, 0.011, 0.023, 0.047, 0.094, 0.19)
_PATIENCE = 0.04


@dataclass(frozen=True, slots=True)
class Window:
    """Which steps are wanted: the last *limit* before the newest *offset*, or one *step* number."""

    limit: int = 20
    offset: int = 0
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A raw step: its number from 1, its attempt from 1, and its fields in the current shape."""

    number: int
    attempt: int
    fields: dict[str, Any]


@dataclass(frozen=True, slots=True)
class History:
    """The wanted rows, oldest first; *count* is how many steps there are in all."""

    head: dict[str, Any] = field(default_factory=dict)
    count: int = 0
    rows: tuple[Row, ...] = ()
    problems: tuple[Problem, ...] = ()


Visit: TypeAlias = Callable[[int, dict[str, Any]], None]
"""Called with every step's number and raw fields, in order."""


def read_history(path: Path, window: Window, *, visit: Visit | None = None) -> History:
    """Read the window of the trajectory in *path*, waiting shortly for a writer in its midst.

    What was complete before the fault is kept: a file cut off after 500 steps yields 500 steps and
    a problem. Never raises for what the file holds. With *visit* every step is decoded and shown
    to it, once.
    """
    if visit is not None:
        return _read_once(path, window, visit)
    for wait in (*_WAITS, None):
        before = signature(path)
        history = _read_once(path, window)
        if wait is None or not any(problem.code.malformed for problem in history.problems):
            return history
        time.sleep(wait)
        if wait > _PATIENCE and signature(path) == before and before[1] != 0:
            return history
    raise AssertionError("the last round always returns")


def rows_of(
    items: Iterable[Any], window: Window, visit: Visit | None = None
) -> tuple[int, tuple[Row, ...]]:
    """Count *items* (steps, oldest first) and keep those of the window."""
    keep = 1 if window.step is not None else window.limit + window.offset
    kept: deque[Row] = deque(maxlen=keep)
    attempts: dict[str, int] = {}
    count = 0
    for item in items:
        count += 1
        if visit is not None:
            visit(count, item)
        name = item.get("step_id") or item.get("id")
        attempt = 1
        if isinstance(name, str):
            attempt = attempts[name] = attempts.get(name, 0) + 1
        if window.step is None or window.step == count:
            kept.append(Row(count, attempt, item))
    newest = count if window.step is not None else count - window.offset
    oldest = 0 if window.step is not None else newest - window.limit
    return count, tuple(
        Row(row.number, row.attempt, normalise(Document.STEP, plain(row.fields)))
        for row in kept
        if oldest < row.number <= newest
    )


def _read_once(path: Path, window: Window, visit: Visit | None = None) -> History:
    name = path.name
    size = signature(path)[1]
    if size < 0 or not path.is_file():
        return History(problems=(Problem(Code.MISSING_FILE, f"{name} is not there", name),))
    if size == 0:
        return History(problems=(Problem(Code.BEING_WRITTEN, f"{name} is empty", name),))
    if size > SIZE_LIMIT:
        message = f"{name} is larger than {SIZE_LIMIT} bytes and is not read"
        return History(problems=(Problem(Code.TOO_LARGE, message, name),))
    if size >= LONG and visit is None:
        skipped = _read_excerpt(path, window)
        if skipped is not None:
            return skipped
    with path.open("rb") as stream:
        return _Reader(JsonText(stream), name, window, visit).read()


def _read_excerpt(path: Path, window: Window) -> History | None:
    """The window without the steps outside it, ``None`` when skipping is not safe here.

    A fault among the skipped steps goes unseen; ``validate`` reads the whole file.
    """
    limit = window.limit if window.step is None else 1
    excerpt = leap(path, first=window.step, limit=limit, offset=window.offset)
    if excerpt is None:
        return None
    shift = excerpt.first - 1
    inner = (
        Window(limit, offset=1 if excerpt.last < excerpt.count else 0)
        if window.step is None
        else Window(step=window.step - shift)
    )
    history = _Reader(JsonText(excerpt.text), path.name, inner).read()
    if history.problems:
        return None
    rows = tuple(Row(row.number + shift, row.attempt, row.fields) for row in history.rows)
    return History(history.head, excerpt.count, rows)


class _Reader:
    """Walks the top level of one trajectory document."""

    def __init__(
        self, text: JsonText, name: str, window: Window, visit: Visit | None = None
    ) -> None:
        self._text = text
        self._name = name
        self._window = window
        self._visit = visit
        self._head: dict[str, Any] = {}
        self._count = 0
        self._rows: tuple[Row, ...] = ()
        self._strangers = 0

    def read(self) -> History:
        problems: list[Problem] = []
        try:
            self._document()
        except Malformed as problem:
            message = f"{self._name} is not valid JSON after {self._count} steps: {problem}"
            problems.append(Problem(Code.BAD_JSON, message, self._name))
        if self._strangers:
            message = f"{self._strangers} entries of {self._name} are not objects"
            problems.append(Problem(Code.BAD_FIELD, message, f"{self._name}: steps"))
        return History(plain(self._head), self._count, self._rows, tuple(problems))

    def _document(self) -> None:
        text = self._text
        if text.peek() == "[":
            self._steps()
            return
        text.expect("{")
        while text.peek() != "}":
            key = text.value()
            text.expect(":")
            if key in STEP_LISTS and text.peek() == "[" and self._better(key):
                self._steps()
            else:
                self._head[str(key)] = text.value()
            if text.peek() == ",":
                text.at += 1
        text.expect("}")

    def _better(self, key: str) -> bool:
        return key == "steps" or not self._rows

    def _steps(self) -> None:
        cut: list[Malformed] = []
        self._count, self._rows = rows_of(self._objects(cut), self._window, self._visit)
        if cut:
            raise cut[0]

    def _objects(self, cut: list[Malformed]) -> Iterator[Any]:
        """The elements up to the first fault, which is put into *cut* for later."""
        try:
            for element in self._text.elements():
                if isinstance(element, dict):
                    yield element
                else:
                    self._strangers += 1
        except Malformed as problem:
            cut.append(problem)
