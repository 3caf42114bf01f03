"""Reading a registry file record by record, without ever holding all of it.

A hundred thousand entries are a hundred megabytes of text and several times that as objects;
streamed, they are one entry at a time. Every record comes with its line, and a file that is not
JSON is refused with line and column.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from json.decoder import JSONDecodeError
from pathlib import Path
from typing import Any, BinaryIO

from cli_hub.errors import BadDocument

_BLOCK = 1 << 20
_SPACE = re.compile(r"[ \t\r\n]+")
_NUMBER = "0123456789.eE+-"
_LONGEST_NUMBER = 1000
_LITERALS = ("true", "false", "null", "NaN", "Infinity", "-Infinity")


@dataclass(slots=True, repr=False, eq=False)
class RegistryReader:
    """Iterate over the records of *stream*; ``meta`` and ``matrices`` are whole afterwards.

    Yields ``(record, line)``. Raises :class:`BadDocument` for anything that is not a registry:
    ``{"meta": {…}, "clis": […], "matrices": […]}``. A byte order mark is accepted.
    """

    stream: BinaryIO
    name: str
    """What errors call the file."""
    meta: dict[str, Any] = field(default_factory=dict)
    matrices: list[Any] = field(default_factory=list)
    place: tuple[int, int] = (1, 1)
    """Line and column of the record that was yielded last."""
    record_text: str = ""
    """Its text."""
    _text: str = ""
    _at: int = 0
    _began: int = 0
    _line: int = 1
    _column: int = 1
    """Line and column of the start of ``_text``."""
    _ended: bool = False
    _counted: tuple[int, int] = (0, 1)
    _decoder: json.JSONDecoder = field(default_factory=json.JSONDecoder)
    _utf8: codecs.IncrementalDecoder = field(
        default_factory=codecs.getincrementaldecoder("utf-8-sig")
    )

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        self._expect("{", "a registry is an object with 'clis'")
        found, first = False, True
        while self._more("}", first=first):
            first = False
            key = self._value()
            if not isinstance(key, str):
                raise self._bad("a key must be text")
            self._expect(":", "':' is missing after a key")
            if key == "clis" and not found:
                found = True
                yield from self._records()
            else:
                self._keep(key, self._value())
        if self._peek():
            raise self._bad("there is text after the end")
        if not found:
            raise BadDocument(self.name, "'clis' is missing: this is not a registry")

    def _records(self) -> Iterator[tuple[Any, int]]:
        self._expect("[", "'clis' must be a list")
        first = True
        while self._more("]", first=first):
            first = False
            self._peek()
            self.place = self._place(self._at)
            record = self._value()
            self.record_text = self._text[self._began : self._at]
            yield record, self.place[0]

    def _keep(self, key: str, value: Any) -> None:
        if key == "meta" and value is not None:
            if not isinstance(value, dict):
                raise self._bad("'meta' must be an object")
            self.meta = value
        elif key == "matrices" and isinstance(value, list):
            self.matrices = value

    def _more(self, end: str, *, first: bool) -> bool:
        """Step over the comma before the next member; false at *end*, which is consumed."""
        char = self._peek()
        if char == end:
            self._at += 1
            return False
        if not first:
            self._expect(",", f"',' or '{end}' is missing")
            if self._peek() == end:
                raise self._bad(f"there is a ',' before '{end}'")
        return True

    def _peek(self) -> str:
        """The next character that is not space, ``""`` at the end."""
        while True:
            if space := _SPACE.match(self._text, self._at):
                self._at = space.end()
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._read():
                return ""

    def _expect(self, char: str, otherwise: str) -> None:
        if self._peek() != char:
            raise self._bad(otherwise if self._at < len(self._text) else "the file is cut off")
        self._at += 1

    def _value(self) -> Any:
        self._peek()
        while True:
            self._began = self._at
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except JSONDecodeError as problem:
                if self._unfinished(problem) and self._read():
                    continue
                cut = problem.pos >= len(self._text.rstrip()) or "Unterminated" in problem.msg
                why = "the file is cut off" if cut else problem.msg
                raise self._bad(why, at=problem.pos) from None
            except RecursionError:
                raise self._bad("it is nested too deeply") from None
            near_end = len(self._text) - end < _LONGEST_NUMBER
            if near_end and not self._text[end:].strip(_NUMBER) and self._read():
                continue  # a number may go on in the next block
            self._at = end
            return value

    def _unfinished(self, problem: JSONDecodeError) -> bool:
        """Whether more text could still make a value of this."""
        if problem.msg.startswith("Unterminated string"):
            return True
        rest = self._text[problem.pos : problem.pos + 12]
        return len(rest) < 12 and (
            not rest.strip() or any(word.startswith(rest.rstrip()) for word in _LITERALS)
            or problem.pos + 8 >= len(self._text)
        )  # fmt: skip

    def _read(self) -> bool:
        """Forget what was consumed and append one block; false at the end of the file."""
        if self._ended:
            return False
        block = self.stream.read(max(_BLOCK, len(self._text) - self._at))
        self._ended = not block
        try:
            fresh = self._utf8.decode(block, final=self._ended)
        except UnicodeDecodeError as problem:
            raise BadDocument(self.name, f"it is not UTF-8: {problem.reason}") from None
        if self._ended:
            return False
        self._line, self._column = self._place(self._at)
        self._text, self._at = self._text[self._at :] + fresh, 0
        self._counted = (0, self._line)
        return True

    def _place(self, at: int) -> tuple[int, int]:
        """Line and column of *at*, counting on from where it was last asked."""
        done, line = self._counted
        if at >= done:
            line += self._text.count("\n", done, at)
            self._counted = (at, line)
        else:
            line = self._line + self._text.count("\n", 0, at)
        newline = self._text.rfind("\n", 0, at)
        return line, (at - newline if newline >= 0 else self._column + at)

    def _bad(self, problem: str, *, at: int | None = None) -> BadDocument:
        line, column = self._place(self._at if at is None else at)
        return BadDocument(self.name, problem, where=f"line {line}, column {column}")


def read_all(file: Path) -> tuple[list[tuple[Any, int]], dict[str, Any]]:
    """All records of *file* with their lines, and its ``meta``. Raises :class:`BadDocument`."""
    with file.open("rb") as stream:
        reader = RegistryReader(stream, str(file))
        return list(reader), reader.meta
