"""Asking a source again, and saying what became of its entries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument, HubError
from cli_hub.registry.comparing import Comparison, compare, records
from cli_hub.registry.copies import Shelf
from cli_hub.registry.sources import Source, SourceKind
from cli_hub.registry.syncing import Access, check_file, hold, keep_file


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What asking *source* again brought; *problem* when it could not be asked."""

    source: Source
    comparison: Comparison
    entries: int
    problem: HubError | None = None

    def as_document(self) -> dict[str, Any]:
        return {
            "source": self.source.name,
            "location": self.source.location,
            "entries": self.entries,
            **self.comparison.as_document(),
            "error": self.problem.as_document()["error"] if self.problem else None,
        }


def refresh(source: Source, access: Access) -> Refreshed:
    """Ask *source* again. A source that fails keeps its last good copy and says so."""
    shelf = Shelf.of(source, access.paths)
    copy = shelf.read()
    before = _records(shelf.body(copy)) if copy else {}
    if source.kind is SourceKind.EMBEDDED:
        known = {name: one for file in source.files for name, one in records(file).items()}
        return Refreshed(source, compare(known, known), len(known))
    try:
        after = _ask(source, replace(access, refresh=True), shelf)
    except HubError as problem:
        return Refreshed(source, compare(before, before), len(before), problem)
    return Refreshed(source, compare(before, after), len(after))


def _ask(source: Source, access: Access, shelf: Shelf) -> Mapping[str, Mapping[str, Any]]:
    held = hold(source, replace(access, strict=True))
    if source.kind is SourceKind.FILE:
        check_file(source)
        keep_file(source, shelf.read(), access)
    return records(held.files[0])


def _records(body: Path) -> Mapping[str, Mapping[str, Any]]:
    try:
        return records(body)
    except BadDocument:
        return {}  # a damaged copy says nothing about before
