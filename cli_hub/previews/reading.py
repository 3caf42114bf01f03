"""Reading JSON that may be foreign, hostile, huge, or half-written this very moment."""

from __future__ import annotations

import json
import math
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.previews.models import Code, Problem

DOCUMENT_LIMIT = 32 * 1024 * 1024
"""Bytes of the largest manifest, summary or session that is read. Trajectories are streamed."""

_DEPTH_KEPT = 40
_LEADS_AWAY = re.compile(r"[\0\\]|^[A-Za-z]:|(^|/)\.\.(/|$)")
_WAITS = (0.005, 0.011, 0.023, 0.047, 0.094, 0.19)
"""Seconds between tries of a file that does not parse: a producer may be in the middle of it."""
_PATIENCE = 0.04


@dataclass(frozen=True, slots=True)
class Read:
    """The outcome of reading one document: its value, or the problem in its place."""

    value: dict[str, Any] | None
    problem: Problem | None = None


def read_object(path: Path, *, limit: int = DOCUMENT_LIMIT) -> Read:
    """Read the JSON object in *path*, waiting shortly for a writer that is in the middle of it.

    Numbers that JSON does not have (NaN, Infinity) come back as ``None``, lone surrogates are
    replaced, nesting beyond 40 levels is cut to ``"…"``. Never raises for what the file holds.
    """
    for wait in (*_WAITS, None):
        before = signature(path)
        content = _content(path, limit)
        if isinstance(content, Problem):
            return Read(None, content)
        outcome = _parse(content, path.name)
        if outcome.value is not None or wait is None:
            break
        time.sleep(wait)
        if wait > _PATIENCE and signature(path) == before and before[1] > 1:
            # Unchanged for a while: nobody is writing, the file simply is damaged.
            break
    return outcome


def signature(path: Path) -> tuple[int, int]:
    """When *path* was last written and its size, (0, -1) when it is not there."""
    try:
        status = path.stat()
    except OSError:
        return (0, -1)
    return (status.st_mtime_ns, status.st_size)


class Home:
    """A folder out of which nothing leads: looks up relative paths with every link followed.

    For one reading only: where inner folders really are is remembered.
    """

    def __init__(self, folder: Path) -> None:
        self._real = os.path.realpath(folder)
        self._inner: dict[str, str] = {}

    def find(self, relative: str) -> Path | None:
        """*relative* below the folder, ``None`` when it leads elsewhere.

        Absolute paths, drive letters, ``..``, backslashes, schemes and NUL all lead elsewhere.
        """
        if not relative or relative.startswith("/") or _LEADS_AWAY.search(relative):
            return None
        inner, _, name = relative.rpartition("/")
        try:
            if inner not in self._inner:
                self._inner[inner] = os.path.realpath(f"{self._real}/{inner}")
            target = f"{self._inner[inner]}/{name}"
            if os.path.islink(target) or name in {"", "."}:  # noqa: PTH114 - a text, 20,000 times
                target = os.path.realpath(target)
        except (OSError, ValueError):  # a loop of links, a name longer than the system allows
            return None
        home = self._real if self._real.endswith("/") else f"{self._real}/"
        return Path(target) if target == self._real or target.startswith(home) else None


def inside(folder: Path, relative: str) -> Path | None:
    """*relative* below *folder* with every link followed, ``None`` when it leads elsewhere."""
    return Home(folder).find(relative)


def plain(value: Any, depth: int = _DEPTH_KEPT) -> Any:
    """*value* as JSON can hold it: finite numbers, valid text, bounded nesting."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode() if _has_surrogates(value) else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        if depth <= 0:
            return "…"
        return {plain(str(key)): plain(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item, depth - 1) for item in value] if depth > 0 else "…"
    return value


def _has_surrogates(text: str) -> bool:
    return not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)


def _content(path: Path, limit: int) -> bytes | Problem:
    name = path.name
    try:
        if not path.is_file():
            return Problem(Code.MISSING_FILE, f"{name} is not there", name)
        with path.open("rb") as stream:
            content = stream.read(limit + 1)
    except (OSError, ValueError) as problem:
        return Problem(Code.MISSING_FILE, f"{name} cannot be read: {problem}", name)
    if len(content) > limit:
        return Problem(Code.TOO_LARGE, f"{name} is larger than {limit} bytes and is not read", name)
    return content


def _parse(content: bytes, name: str) -> Read:
    if not content.strip():
        return Read(None, Problem(Code.BEING_WRITTEN, f"{name} is empty", name))
    try:
        value = json.loads(content.decode("utf-8-sig"), parse_constant=lambda _word: None)
    except RecursionError:
        return Read(None, Problem(Code.BAD_JSON, f"{name} is nested too deep", name))
    except UnicodeDecodeError as problem:
        return Read(None, Problem(Code.BAD_JSON, f"{name} is not UTF-8: {problem.reason}", name))
    except json.JSONDecodeError as problem:
        message = f"{name} is not valid JSON: {problem.msg}"
        where = f"{name}: line {problem.lineno} column {problem.colno}"
        return Read(None, Problem(Code.BAD_JSON, message, where))
    except ValueError as problem:  # an integer longer than Python agrees to read
        return Read(None, Problem(Code.BAD_JSON, f"{name} is not usable: {problem}", name))
    if not isinstance(value, dict):
        kind = type(value).__name__
        return Read(None, Problem(Code.BAD_FIELD, f"{name} holds a {kind}, not an object", name))
    return Read(plain(value))
