"""What changed between two states of a registry, entry by entry and field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.registry.reading import RegistryReader

Records = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one entry; ``None`` where it was or is absent."""

    field: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Comparison:
    """Names of entries, sorted; *changed* has the fields that differ."""

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: Mapping[str, tuple[Change, ...]]

    @property
    def same(self) -> bool:
        return not (self.added or self.removed or self.changed)

    def as_document(self) -> dict[str, Any]:
        return {
            "added": list(self.added),
            "removed": list(self.removed),
            "changed": {
                name: [
                    {"field": one.field, "before": one.before, "after": one.after}
                    for one in changes
                ]
                for name, changes in self.changed.items()
            },
        }


def compare(before: Records, after: Records) -> Comparison:
    """What became of *before* in *after*."""
    changed = {
        name: changes
        for name in sorted(before.keys() & after.keys())
        if (changes := tuple(_changes(before[name], after[name])))
    }
    return Comparison(
        tuple(sorted(after.keys() - before.keys())),
        tuple(sorted(before.keys() - after.keys())),
        changed,
    )


def records(file: Path) -> dict[str, Mapping[str, Any]]:
    """The raw entries of a registry file by name; what has no name is left out.

    Raises :class:`cli_hub.errors.BadDocument` when the file is no registry.
    """
    with file.open("rb") as stream:
        return {
            record["name"]: record
            for record, _line in RegistryReader(stream, str(file))
            if isinstance(record, dict) and isinstance(record.get("name"), str)
        }


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    keys = dict.fromkeys([*before, *after])
    return [
        Change(key, before.get(key), after.get(key))
        for key in keys
        if before.get(key) != after.get(key)
    ]
