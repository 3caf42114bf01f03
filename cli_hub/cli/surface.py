"""What the user sees: one JSON document, or text for people.

Answers go to standard output, everything else to standard error. Colour only on a terminal that
wants it. Text that came from outside (registries, manifests, harness output) loses its control
characters here, at the one place where text leaves the program.
"""

from __future__ import annotations

import json as jsonlib
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TextIO

from cli_hub.config import Settings
from cli_hub.errors import HubError
from cli_hub.paths import Paths

_STYLES = {"good": "32", "bad": "31", "warn": "33", "dim": "2", "strong": "1", "name": "36"}
_KEPT_CONTROLS = "\n\t"
PATIENCE = 1.0
"""Seconds that a piped command may take before it says what it is doing."""


class OutputLost(HubError):
    """The answer did not get to where it should: the disk is full, or its reader has gone.

    A reader that has gone (head, less) has seen enough, and nothing is wrong.
    """

    def __init__(self, problem: OSError) -> None:
        super().__init__(
            f"the answer cannot be written: {problem.strerror}",
            hint="it goes to standard output: see what that was redirected to",
        )
        self.wanted = not isinstance(problem, BrokenPipeError)


@contextmanager
def _told_of_loss() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise OutputLost(problem) from problem


@dataclass(slots=True, repr=False, eq=False)
class Surface:
    """How this invocation speaks. *json* is set by ``--json`` anywhere on the line."""

    paths: Paths
    settings: Settings
    json: bool = False

    def show(self, document: Any, human: Callable[[], None]) -> None:
        """Print the answer: *document* with ``--json``, else whatever *human* says."""
        if self.json:
            self._answer(jsonlib.dumps(document, indent=2, ensure_ascii=False))
        else:
            human()

    def line(self, text: str = "", style: str = "") -> None:
        """One line of the answer for people."""
        self._answer(self._styled(printable(text), style, sys.stdout))

    def table(self, rows: Sequence[Sequence[str]], *, headers: Sequence[str] = ()) -> None:
        """Aligned columns; the last one is cut to the terminal's width, never when piped."""
        cells = [[printable(cell).replace("\n", " ") for cell in row] for row in rows]
        heads = [list(headers)] if headers else []
        widths = [max(map(display_width, column)) for column in zip(*heads, *cells, strict=True)]
        limit = os.get_terminal_size().columns if sys.stdout.isatty() else None
        for number, row in enumerate([*heads, *cells]):
            text = "  ".join(
                cell + " " * (width - display_width(cell))
                for cell, width in zip(row, widths, strict=True)
            ).rstrip()
            if limit and display_width(text) > limit:
                text = text[: limit - 1] + "…"
            self._answer(self._styled(text, "dim" if number < len(heads) else "", sys.stdout))

    def note(self, text: str) -> None:
        """Progress, or a remark beside the answer: standard error."""
        print(self._styled(printable(text), "dim", sys.stderr), file=sys.stderr, flush=True)

    def warn(self, text: str) -> None:
        """Something is off, but the answer stands: standard error."""
        print(self._styled(f"warning: {printable(text)}", "warn", sys.stderr), file=sys.stderr)

    def fail(self, problem: HubError) -> None:
        """Say what went wrong and what to do next."""
        self.problem(problem.message, problem.hint)
        if self.json:
            self._answer(jsonlib.dumps(problem.as_document(), indent=2, ensure_ascii=False))

    def problem(self, message: str, hint: str = "") -> None:
        """An error and its next step, for people: standard error."""
        text = self._styled(f"error: {printable(message)}", "bad", sys.stderr)
        print(text, file=sys.stderr)
        if hint:
            print(f"  next: {printable(hint)}", file=sys.stderr)

    def flush(self) -> None:
        """See that the answer has gone out. Raises :class:`OutputLost`."""
        with _told_of_loss():
            sys.stdout.flush()

    def _answer(self, text: str) -> None:
        with _told_of_loss():
            print(text)

    def _styled(self, text: str, style: str, stream: TextIO) -> str:
        if not style or not self.settings.colour or not stream.isatty():
            return text
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"

    @contextmanager
    def working(self, text: str) -> Iterator[None]:
        """A spinner on a terminal; elsewhere one line, once the work has taken :data:`PATIENCE`."""
        if self.json or not sys.stderr.isatty():
            with _later(PATIENCE, lambda: self.note(f"{text} …")):
                yield
            return
        from rich.console import Console

        with Console(stderr=True).status(printable(text)):
            yield


@contextmanager
def _later(seconds: float, say: Callable[[], None]) -> Iterator[None]:
    """Call *say* if what is done inside takes longer than *seconds*."""
    import threading  # 1 ms that an answer given at once does not need

    timer = threading.Timer(seconds, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def printable(text: str) -> str:
    """*text* without anything that could steer a terminal or hide what it says.

    Control and format characters (escape sequences, bidirectional overrides, zero-width and tag
    characters) become their ``\\u…`` spelling; line feeds and tabs stay.
    """
    return "".join(
        char
        if char in _KEPT_CONTROLS or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co"}
        else f"\\u{ord(char):04x}"
        for char in text
    )


def display_width(text: str) -> int:
    """Columns a terminal needs for *text*: wide East Asian characters take two."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )
