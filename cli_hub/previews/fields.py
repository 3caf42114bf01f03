"""Taking typed fields out of a foreign document, noting what is not as promised."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cli_hub.previews.models import Code, Problem, Status, status_of

_PROBLEM_LIMIT = 50
_MISSING: Any = object()


@dataclass(slots=True)
class Fields:
    """One object of a document; *where* names it in problems (``manifest.json: artifacts[2]``).

    What was taken is remembered, so that :meth:`rest` can keep the unknown fields.
    """

    raw: Mapping[str, Any]
    where: str
    problems: list[Problem]
    taken: set[str] = field(default_factory=set)

    def text(self, name: str, default: str = "", *, required: bool = False) -> str:
        value = self._take(name, required=required)
        if value is _MISSING:
            return default
        if isinstance(value, str):
            return value
        if isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
        self._wrong(name, value, "text")
        return default

    def whole(self, name: str) -> int | None:
        value = self._take(name)
        if value is _MISSING or (value is None and name != "bytes"):
            return None
        if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
            return int(value)
        self._wrong(name, value, "a whole number")
        return None

    def number(self, name: str) -> float | None:
        value = self._take(name)
        if value is _MISSING or value is None:
            return None
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
        self._wrong(name, value, "a number")
        return None

    def flag(self, name: str) -> bool:
        value = self._take(name)
        return value is True

    def table(self, name: str) -> dict[str, Any]:
        value = self._take(name)
        if value is _MISSING or value is None:
            return {}
        if isinstance(value, dict):
            return value
        self._wrong(name, value, "an object")
        return {}

    def rows(self, name: str, *, required: bool = False) -> list[Any]:
        value = self._take(name, required=required)
        if value is _MISSING:
            return []
        if isinstance(value, list):
            return value
        self._wrong(name, value, "a list")
        return []

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts; a lone text counts as a list of one, an object as its message."""
        value = self._take(name)
        if value is _MISSING or value is None or value == "":
            return ()
        if isinstance(value, str):
            return (value,)
        if isinstance(value, list):
            return tuple(_as_text(item) for item in value)
        self._wrong(name, value, "a list of texts")
        return ()

    def status(self, name: str = "status", *, required: bool = False) -> Status:
        word = self.text(name, required=required)
        found = status_of(word)
        if found is None:
            self._wrong(name, word, "a known status")
        return found or Status.UNKNOWN

    def rest(self) -> dict[str, Any]:
        return {name: value for name, value in self.raw.items() if name not in self.taken}

    def note(self, code: Code, message: str, name: str = "") -> None:
        """Add a problem about *name*; a flood of them is cut and said to be cut."""
        if len(self.problems) < _PROBLEM_LIMIT:
            self.problems.append(Problem(code, message, self._place(name)))
        elif len(self.problems) == _PROBLEM_LIMIT:
            more = "there are more problems; only the first are listed"
            self.problems.append(Problem(code, more, self.where))

    def _take(self, name: str, *, required: bool = False) -> Any:
        self.taken.add(name)
        if name in self.raw:
            return self.raw[name]
        if required:
            self.note(Code.MISSING_FIELD, f"{name} is missing", name)
        return _MISSING

    def _wrong(self, name: str, value: Any, wanted: str) -> None:
        shown = "null" if value is None else repr(value)
        self.note(Code.BAD_FIELD, f"{name} should be {wanted}, found {shown[:60]}", name)

    def _place(self, name: str) -> str:
        if not name:
            return self.where
        joint = ": " if self.where.endswith(".json") else "."
        return f"{self.where}{joint}{name}"


@dataclass(frozen=True, slots=True)
class Protocol:
    """``preview-bundle/v1.2`` taken apart. *major* is 0 when the text is not of that form."""

    name: str
    major: int
    minor: int


_VERSION = re.compile(
    r"(?P<name>[a-z-]+)/v(?P<major>\d{1,4})(?:\.(?P<minor>\d{1,4}))?", re.IGNORECASE
)


def protocol_of(text: str) -> Protocol:
    """Take a ``protocol_version`` apart."""
    found = _VERSION.fullmatch(text.strip())
    if found is None:
        return Protocol(text, 0, 0)
    return Protocol(found["name"].lower(), int(found["major"]), int(found["minor"] or 0))


def _as_text(item: Any) -> str:
    if isinstance(item, dict):
        for name in ("message", "text", "detail", "title"):
            if isinstance(item.get(name), str):
                return str(item[name])
    return item if isinstance(item, str) else str(item)
