"""Words for people: keys, sizes and durations as they are spoken."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_UNITS = {"_s": "s", "_ms": "ms", "_px": "px", "_mb": "MB", "_pct": "%", "_percent": "%"}
_ABBREVIATIONS = {"fps", "id", "url", "uv", "rgb", "cpu", "gpu", "png", "jpg", "mp4", "3d", "2d"}
_ABSOLUTE = re.compile(
    r"(?<![^\s='\"])(?:/|[A-Za-z]:[\\/])(?:[^\s/\\'\"]+[/\\]){2,}(?P<name>[^\s/\\'\"]+)"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def spoken(key: str) -> str:
    """``object_count`` → ``Objects``, ``duration_s`` → ``Duration``, ``fpsMax`` → ``FPS max``."""
    name = _CAMEL.sub("_", key)
    for suffix in _UNITS:
        if name.lower().endswith(suffix) and len(name) > len(suffix):
            name = name[: -len(suffix)]
            break
    if name.lower().endswith("_count"):
        name = name[: -len("_count")]
        name = name if name.endswith("s") else f"{name}s"
    words = re.split(r"[_\-\s.]+", name.strip("_-. "))
    text = " ".join(w.upper() if w.lower() in _ABBREVIATIONS else w.lower() for w in words if w)
    return text[:1].upper() + text[1:] if text else key


def filled(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that hold something."""
    empty: tuple[Any, ...] = (None, "", [], {})
    return {name: value for name, value in facts.items() if value not in empty}


def told(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Facts as pairs of words; those that hold nothing are left out."""
    return [(spoken(name), shown(name, value)) for name, value in filled(facts).items()]


def readable_command(command: str) -> str:
    """*command* with the folders of absolute paths left out: people know their files by name.

    ``tool --project /home/ann/films/relay.json undo`` → ``tool --project relay.json undo``. What is
    not plainly a path of two folders and more stays, and so does everything that is an address.
    """
    return _ABSOLUTE.sub(lambda found: found["name"], command)


def shown(key: str, value: Any) -> str:
    """A fact's value as text, with the unit its key carries."""
    unit = next((unit for suffix, unit in _UNITS.items() if key.lower().endswith(suffix)), "")
    if value is None or value == "":
        return "—"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        if key.lower() in {"bytes", "size", "file_size", "size_bytes"}:
            return size(int(value))
        number = f"{value:,}" if isinstance(value, int) else f"{value:,.6g}"
        return f"{number} {unit}".rstrip() if unit != "%" else f"{number}%"
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(not isinstance(item, dict | list) for item in value):
        return ", ".join(shown("", item) for item in value) or "—"
    return json.dumps(value, ensure_ascii=False)


def size(count: int | None) -> str:
    """Bytes as ``754 KB``; an empty text when unknown."""
    if count is None:
        return ""
    amount = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            return (
                f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
            )
        amount /= 1000
    raise AssertionError("the last unit takes everything")


def duration(seconds: float | None) -> str:
    """Seconds as ``3.9 s``, ``2 min 5 s``; an empty text when unknown or nothing."""
    if not seconds:
        return ""
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s"
