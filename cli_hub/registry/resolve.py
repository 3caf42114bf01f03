"""From what somebody typed to exactly one entry: the one way for every verb."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from cli_hub.errors import NotFound
from cli_hub.registry.entry import Entry
from cli_hub.registry.spelling import nearest


class Lookup(Protocol):
    """Where names are looked up: a catalogue, or the index that stands for it."""

    def named(self, name: str) -> Sequence[Entry]:
        """Entries that have the name or alias, give or take case and separators, best first."""

    def names_near(self, name: str) -> Sequence[str]: ...

    def sources(self) -> Sequence[str]: ...


def resolve(name: str, lookup: Lookup) -> Entry:
    """The entry that *name* means.

    ``source/name`` addresses one entry. A bare name means the one of the source with the highest
    priority; then come aliases. Case does not matter where no entry has the name as written.
    ``renamed_to`` is followed. Raises :class:`NotFound` with the nearest names.
    """
    source, _slash, bare = name.rpartition("/")
    if source and source not in lookup.sources():
        known = lookup.sources()
        raise NotFound(
            f"there is no source {source!r}",
            nearest=nearest(source, known),
            hint=f"sources with entries: {', '.join(known)}",
        )
    found = _named(bare, lookup, source)
    if found is None:
        raise not_found(name, lookup)
    return _follow(found, lookup)


def not_found(name: str, lookup: Lookup) -> NotFound:
    """The error for a name that nothing has."""
    bare = name.rpartition("/")[2]
    close = nearest(bare, lookup.names_near(bare))
    return NotFound(
        f"nothing in the registry is called {name!r}",
        nearest=close,
        hint="" if close else f"cli-hub search {bare} looks through descriptions too",
    )


def others(entry: Entry, lookup: Lookup) -> list[Entry]:
    """Entries of the same name that other sources have."""
    return [
        other
        for other in lookup.named(entry.name)
        if other.name == entry.name and other.source != entry.source
    ]


def _named(name: str, lookup: Lookup, source: str = "") -> Entry | None:
    lower = name.lower()
    tests: tuple[Callable[[Entry], bool], ...] = (
        lambda entry: entry.name == name,
        lambda entry: name in entry.aliases,
        lambda entry: entry.name.lower() == lower,
        lambda entry: lower in map(str.lower, entry.aliases),
    )
    found = [entry for entry in lookup.named(name) if source in ("", entry.source)]
    return next((entry for test in tests for entry in found if test(entry)), None)


def _follow(entry: Entry, lookup: Lookup) -> Entry:
    passed = {entry.address}
    while entry.renamed_to:
        found = _named(entry.renamed_to, lookup, entry.source) or _named(entry.renamed_to, lookup)
        if found is None or found.address in passed:
            return entry
        passed.add(found.address)
        entry = found
    return entry
