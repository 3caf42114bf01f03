"""Skipping over the steps nobody asked for, in a trajectory too long to decode whole.

Where one step ends and the next begins is found as a byte pattern taken from the file's first two
steps. The pattern holds a raw quotation mark behind a brace, which valid JSON cannot have inside
a string, so every occurrence is a real border. The number of borders must agree with the
``step_count`` the producer wrote; otherwise nothing is skipped and the whole file is decoded.
"""

from __future__ import annotations

import io
import json
import mmap
import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO

_OPENING = re.compile(rb'"steps"\s*:\s*\[\s*(\{\s*"step_id"\s*:)')
_HEAD_BYTES = 256 * 1024
_CHUNK = 4 * 1024 * 1024
LOOK_BACK = 200
"""Steps before the window that are decoded too, to see which steps were tried again."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A whole JSON document with most steps left out.

    It holds the steps *first* to *last* (numbers from 1) and, if *last* is not the newest, one
    more: the newest. *count* is the number of steps of the original.
    """

    text: io.BytesIO
    count: int
    first: int
    last: int


def leap(path: Path, *, first: int | None, limit: int, offset: int) -> Excerpt | None:
    """Excerpt *limit* steps: from number *first*, or before the newest *offset*.

    ``None`` when the file's shape gives no certainty.
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
        opening = _OPENING.search(head)
        if opening is None or not _at_the_top(head[: opening.start()]):
            return None
        border = re.compile(rb"\}\s*,\s*" + re.escape(opening.group(1))).search(head)
        if border is None:
            return None
        count = _occurrences(stream, border.group()) + 1
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
            inset = len(border.group()) - len(opening.group(1))
            newest = content.rfind(border.group()) + inset
            tail = content[newest:]
            if not _agrees(head[: opening.start()], tail, count):
                return None
            wanted_first = count - offset - limit + 1 if first is None else first
            wanted_first = max(1, wanted_first - LOOK_BACK)
            last = count - offset if first is None else min(count, first + limit - 1)
            if last < 1 or wanted_first > count:
                return None
            begin = opening.start(1)
            if wanted_first > 1:
                begin = _border(content, border.group(), wanted_first - 1, count) + inset
            middle = content[begin:newest]
            if last < count:
                middle = content[begin : _border(content, border.group(), last, count) + 1] + b","
    text = head[: opening.start()] + b'"steps":[' + middle + tail
    return Excerpt(io.BytesIO(text), count, wanted_first, last)


def _at_the_top(before: bytes) -> bool:
    """The list belongs to the document itself, not to an object inside it."""
    try:
        json.loads(before + b'"steps":[]}')
    except ValueError:
        return False
    return True


def _agrees(before: bytes, tail: bytes, count: int) -> bool:
    """The producer's own count, before or behind the steps, is *count*."""
    try:
        document = json.loads(before + b'"steps":[' + tail)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("step_count") == count


def _occurrences(stream: IO[bytes], pattern: bytes) -> int:
    stream.seek(0)
    found, rest = 0, b""
    while chunk := stream.read(_CHUNK):
        found += (rest + chunk).count(pattern)
        rest = (rest + chunk)[-(len(pattern) - 1) :]
    return found


def _border(content: mmap.mmap, border: bytes, number: int, count: int) -> int:
    """Where the border between the steps *number* and *number* + 1 begins."""
    at = -1
    if number <= count // 2:
        for _ in range(number):
            at = content.find(border, at + 1)
        return at
    at = len(content)
    for _ in range(count - number):
        at = content.rfind(border, 0, at)
    return at
