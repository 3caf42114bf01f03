"""Writing proofs into registry files, touching nothing but ``verified`` of the entries proven."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument
from cli_hub.files import write_atomically
from cli_hub.registry import canonical


def record_proofs(file: Path, proofs: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Set ``verified`` of the entries of *file* named in *proofs*; returns their names.

    A proof that says the same but for its day changes nothing, so that a second run leaves the
    file as it was. Raises :class:`BadDocument` when the file is not JSON.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as problem:
        raise BadDocument(str(file), str(problem)) from None
    changed: list[str] = []
    for entry in document.get("clis", []):
        name = str(entry.get("name")) if isinstance(entry, dict) else ""
        if name in proofs and _differs(entry.get("verified"), proofs[name]):
            entry["verified"] = dict(proofs[name])
            changed.append(name)
    if changed:
        ordered = [
            canonical.entry(entry) if isinstance(entry, dict) and entry.get("name") in changed
            else entry
            for entry in document["clis"]
        ]  # fmt: skip
        write_atomically(file, canonical.as_text(document | {"clis": ordered}).encode())
    return changed


def _differs(before: Any, after: Mapping[str, Any]) -> bool:
    """Whether the finding differs; how long it took and how big it was vary by themselves."""
    if not isinstance(before, dict):
        return True
    return any(
        before.get(key) != after.get(key)
        for key in ("version", "entry_point", "reason", "platform")
    )
