"""Asking a source again, and saying what became of its entries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument, HubError
from cli_hub.registry.comparing import Comparison, Records, compare, records
from cli_hub.registry.copies import Shelf
from cli_hub.registry.sources import Source, SourceKind
from cli_hub.registry.syncing import Access, check_file, hold, keep_file
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What asking *source* again brought; *problem* when it could not be asked."""

    source: Source
    comparison: Comparison
    records: Records
    problem: HubError | None = None

    def as_document(self) -> dict[str, Any]:
        return {
            "source": self.source.name,
            "location": self.source.location,
            "entries": len(self.records),
            **self.comparison.as_document(),
            "error": self.problem.as_document()["error"] if self.problem else None,
        }


@dataclass(frozen=True, slots=True)
class Origin:
    """Where something installed came from: *version* is what the entry said then."""

    name: str
    source: str
    version: str


@dataclass(frozen=True, slots=True)
class Affected:
    """Names of what is installed and its source no longer has, and has at a newer version."""

    withdrawn: tuple[str, ...]
    newer: tuple[str, ...]


def affected(answers: Sequence[Refreshed], installed: Iterable[Origin]) -> Affected:
    """What *answers* mean for what is *installed*, whenever the entries changed.

    A source that could not be asked says nothing about what came from it.
    """
    known = {one.source.name: _versions(one.records) for one in answers if one.problem is None}
    withdrawn, newer = [], []
    for origin in sorted(installed, key=lambda one: one.name):
        if origin.source not in known:
            continue
        version = known[origin.source].get(origin.name)
        if version is None:
            withdrawn.append(origin.name)
        elif _is_newer(version, origin.version):
            newer.append(origin.name)
    return Affected(tuple(withdrawn), tuple(newer))


def refresh(source: Source, access: Access) -> Refreshed:
    """Ask *source* again. A source that fails keeps its last good copy and says so."""
    shelf = Shelf.of(source, access.paths)
    copy = shelf.read()
    before = _records(shelf.body(copy)) if copy else {}
    if source.kind is SourceKind.EMBEDDED:
        known = {name: one for file in source.files for name, one in records(file).items()}
        return Refreshed(source, compare(known, known), known)
    try:
        after = _ask(source, replace(access, refresh=True))
    except HubError as problem:
        return Refreshed(source, compare(before, before), before, problem)
    return Refreshed(source, compare(before, after), after)


def _ask(source: Source, access: Access) -> Records:
    held = hold(source, replace(access, strict=True))
    if source.kind is SourceKind.FILE:
        check_file(source)
        keep_file(source, access)
    return records(held.files[0])


def _records(body: Path) -> Records:
    try:
        return records(body)
    except BadDocument:
        return {}  # a damaged copy says nothing about before


def _versions(known: Records) -> dict[str, str]:
    """The version of each entry by every name that leads to it."""
    versions = {}
    for name, record in known.items():
        aliases = record.get("aliases")
        for each in (*(aliases if isinstance(aliases, list) else ()), name):
            versions[str(each)] = str(record.get("version", ""))
    return versions


def _is_newer(version: str, before: str) -> bool:
    """Whether *version* is later; where that cannot be told, whether it is another one."""
    from packaging.version import InvalidVersion, Version

    try:
        return Version(version) > Version(before)
    except InvalidVersion:
        return version != before
