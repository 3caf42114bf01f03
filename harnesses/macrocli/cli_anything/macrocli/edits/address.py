"""Addresses in a document: ``settings.theme``, ``items.0.name``, ``a\\.b`` for a dot in a key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from cli_anything.macrocli.edits import EditFailed

Keys: TypeAlias = Sequence[str]

_PART = re.compile(r"(?:[^.\\]|\\.)+")


def parse_address(text: str) -> list[str]:
    """The keys of a dotted path; raises :class:`EditFailed` when it or a part of it is empty."""
    parts = _PART.findall(text)
    if not parts or ".".join(parts) != text:
        raise EditFailed(f"{text!r} is not a path of keys such as settings.theme")
    return [re.sub(r"\\(.)", r"\1", part) for part in parts]


def shown(keys: Keys) -> str:
    """The address of *keys* as it would be written."""
    return ".".join(key.replace("\\", "\\\\").replace(".", "\\.") for key in keys)
