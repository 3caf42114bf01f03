"""Reading the fields of an ``install`` object, and saying what is wrong with one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Refused(Exception):
    """An entry that cannot be understood as an installation: why, and what would help."""

    def __init__(self, reason: str, hint: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.hint = hint


class Fields:
    """The fields of one object; every reader raises :class:`Refused` and names its field."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._raw = raw

    def text(self, key: str) -> str:
        """A string, empty when absent."""
        value = self._raw.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise Refused(f"{key} is not text")
        if "\0" in value:
            raise Refused(f"{key} has a NUL character")
        return value.strip()

    def required(self, key: str) -> str:
        """A string that must be there, and cannot be taken for an option."""
        value = self.name(key)
        if not value:
            raise Refused(f"install.{key} is missing")
        return value

    def name(self, key: str) -> str:
        """A string that cannot be taken for an option, empty when absent."""
        value = self.text(key)
        if value.startswith("-"):
            raise Refused(f"install.{key} {value!r} looks like an option")
        return value

    def flag(self, key: str) -> bool:
        value = self._raw.get(key, False)
        if not isinstance(value, bool):
            raise Refused(f"install.{key} is neither true nor false")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """A list of strings, empty when absent."""
        return _words(key, self._raw.get(key) or [])

    def argvs(self, key: str) -> tuple[tuple[str, ...], ...]:
        """A list of commands, each a list of strings."""
        rows = self._raw.get(key) or []
        if not isinstance(rows, list):
            raise Refused(f"install.{key} is not a list of commands")
        argvs = tuple(_words(f"{key}[{number}]", row) for number, row in enumerate(rows))
        if not all(argvs):
            raise Refused(f"install.{key} has an empty command")
        return argvs

    def digest(self) -> str:
        """``sha256`` as 64 lower-case hexadecimal digits, empty when absent."""
        value = self.text("sha256").lower().removeprefix("sha256:")
        if value and not _DIGEST.fullmatch(value):
            raise Refused("install.sha256 is not 64 hexadecimal digits")
        return value

    def first_word(self, key: str) -> str:
        """The first word of a text or a list; empty when it is neither."""
        value = self._raw.get(key)
        if isinstance(value, list) and value and isinstance(value[0], str):
            return value[0]
        return value.split()[0] if isinstance(value, str) and value.strip() else ""


def _words(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
        raise Refused(f"install.{key} is not a list of texts")
    return tuple(value)
