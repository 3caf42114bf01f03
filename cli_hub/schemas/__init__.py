"""JSON Schemas (draft 2020-12) of every document the hub reads or writes, as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from cli_hub.errors import NotFound

_FOLDER = Path(__file__).resolve().parent


def names() -> list[str]:
    """All schema names, sorted: ``entry``, ``registry``, ``error``, …"""
    return sorted(path.name.removesuffix(".schema.json") for path in _FOLDER.glob("*.schema.json"))


def load(name: str) -> dict[str, Any]:
    """The schema called *name*. Raises :class:`NotFound` naming those that exist."""
    path = _FOLDER / f"{name}.schema.json"
    if name not in names():
        raise NotFound(f"there is no schema {name!r}", hint=f"one of: {', '.join(names())}")
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document
