"""JSON text read in chunks: one value at a time, in bounded memory."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, Protocol

_CHUNK = 1024 * 1024
_LONGEST_VALUE = 8 * 1024 * 1024
_BETWEEN = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_BLANK = re.compile(r"[ \t\r\n]*")


class Readable(Protocol):
    """Anything that yields bytes, ``b""`` at the end."""

    def read(self, size: int, /) -> bytes: ...


class Malformed(Exception):
    """The text is not JSON from here on."""


class JsonText:
    """JSON text that arrives in chunks; *at* is the place up to which it was understood.

    NaN and Infinity are read as ``None``. A single value may be 8 MB long.
    """

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._scan = json.JSONDecoder(parse_constant=lambda _word: None).raw_decode
        self._ended = False
        self.text = ""
        self.at = 0

    def more(self) -> bool:
        """Take in another chunk; ``False`` when there is none."""
        if self._ended:
            return False
        if len(self.text) - self.at > _LONGEST_VALUE:
            raise Malformed("a value goes on for more than 8 MB")
        chunk = self._stream.read(_CHUNK)
        self._ended = not chunk
        try:
            self.text = self.text[self.at :] + self._decode(chunk, final=self._ended)
        except UnicodeDecodeError as problem:
            raise Malformed(f"the text is not UTF-8: {problem.reason}") from None
        self.at = 0
        return not self._ended

    def peek(self) -> str:
        """The next character that is not blank, ``""`` at the end."""
        while True:
            found = _BLANK.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def expect(self, wanted: str) -> None:
        """Step over *wanted*. Raises :class:`Malformed` when something else stands there."""
        found = self.peek()
        if found != wanted:
            raise Malformed(f"{wanted!r} expected, found {found!r}" if found else "it is cut off")
        self.at += 1

    def value(self) -> Any:
        """The value that starts here."""
        self.peek()
        while True:
            try:
                value, end = self._scan(self.text, self.at)
            except json.JSONDecodeError as problem:
                if not self.more():
                    raise Malformed(_reason(problem)) from None
                continue
            except (RecursionError, ValueError) as problem:
                raise Malformed(_reason(problem)) from None
            # A number at the very end of the chunk may go on in the next one.
            if end == len(self.text) and self.more():
                continue
            self.at = end
            return value

    def elements(self) -> Iterator[Any]:
        """The elements of the list that starts here, one after the other."""
        self.expect("[")
        scan, between = self._scan, _BETWEEN.match
        while True:
            text, at = self.text, self.at
            start = at
            try:
                while True:
                    found = between(text, at)
                    start = found.end() if found else at
                    value, at = scan(text, start)
                    yield value
            except json.JSONDecodeError as problem:
                self.at = at
                if text[start : start + 1] == "]":
                    self.at = start + 1
                    return
                if not self.more():
                    raise Malformed(_reason(problem)) from None
            except (RecursionError, ValueError) as problem:
                raise Malformed(_reason(problem)) from None


def _reason(problem: Exception) -> str:
    if isinstance(problem, RecursionError):
        return "it is nested too deep"
    return problem.msg if isinstance(problem, json.JSONDecodeError) else str(problem)
