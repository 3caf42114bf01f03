"""Reading single fields of a raw entry: the right type, or a :class:`BadField` that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class BadField(ValueError):
    """One field is not what the format promises; *where* is its path in the entry."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}")
        self.where = where
        self.problem = problem


def path(where: str, key: str) -> str:
    """The path of *key* below *where* (empty for the entry itself)."""
    return f"{where}.{key}" if where else key


def text(record: Mapping[str, Any], key: str, where: str = "") -> str:
    """A string, ``""`` when it is absent or null."""
    value = record.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise BadField(path(where, key), f"must be text, not {_kind(value)}")
    return value


def required_text(record: Mapping[str, Any], key: str) -> str:
    """A string with something in it."""
    if key not in record:
        raise BadField(key, "is missing")
    value = record[key]
    if not isinstance(value, str):
        raise BadField(key, f"must be text, not {_kind(value)}")
    if not value.strip():
        raise BadField(key, "is empty")
    return value


def words(record: Mapping[str, Any], key: str, where: str = "") -> tuple[str, ...]:
    """A list of strings; absent or null is empty."""
    value = record.get(key)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadField(path(where, key), f"must be a list, not {_kind(value)}")
    for number, word in enumerate(value):
        if not isinstance(word, str) or not word:
            raise BadField(f"{path(where, key)}[{number}]", f"must be text, not {_kind(word)}")
    return tuple(value)


def flag(record: Mapping[str, Any], key: str, where: str = "") -> bool:
    """True or false; absent or null is false."""
    value = record.get(key)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise BadField(path(where, key), f"must be true or false, not {_kind(value)}")
    return value


def number(record: Mapping[str, Any], key: str, where: str = "") -> float:
    """A number that is not negative; absent or null is 0."""
    value = record.get(key)
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise BadField(path(where, key), f"must be a number, not {_kind(value)}")
    return float(value)


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """An object."""
    if not isinstance(value, dict):
        raise BadField(where, f"must be an object, not {_kind(value)}")
    return value


def text_map(record: Mapping[str, Any], key: str, where: str = "") -> Mapping[str, str]:
    """An object of strings; absent or null is empty."""
    value = record.get(key)
    if value is None:
        return {}
    table = mapping(value, path(where, key))
    for name, member in table.items():
        if not isinstance(member, str):
            raise BadField(f"{path(where, key)}.{name}", f"must be text, not {_kind(member)}")
    return table


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false"}
    if value is None:
        return "null"
    return names.get(type(value), "a number")
