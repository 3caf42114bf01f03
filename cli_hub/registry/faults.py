"""What a maintainer is told: one fault, with its place, its kind and how bad it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Level(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """*code* is stable; *entry* and *field* are empty where the whole file is meant."""

    file: str
    line: int
    column: int
    level: Level
    code: str
    message: str
    entry: str = ""
    field: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "level": self.level.value,
            "code": self.code,
            "message": self.message,
            "entry": self.entry,
            "field": self.field,
        }

    def as_text(self) -> str:
        """``file:line:column: level: message [code]``, as compilers write it."""
        who = f"{self.entry}: " if self.entry else ""
        what = f"{self.field}: " if self.field else ""
        return (
            f"{self.file}:{self.line}:{self.column}: {self.level.value}: "
            f"{who}{what}{self.message} [{self.code}]"
        )

    def as_github(self) -> str:
        """A workflow command: GitHub shows it beside the line of the pull request."""
        who = f"{self.entry}: " if self.entry else ""
        what = f"{self.field}: " if self.field else ""
        message = _escaped(f"{who}{what}{self.message}")
        place = f"file={_property(self.file)},line={self.line},col={self.column}"
        return f"::{self.level.value} {place},title={_property(self.code)}::{message}"


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault before its place is known."""

    level: Level
    code: str
    field: str
    message: str


def error(code: str, field: str, message: str) -> Finding:
    return Finding(Level.ERROR, code, field, message)


def warning(code: str, field: str, message: str) -> Finding:
    return Finding(Level.WARNING, code, field, message)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
