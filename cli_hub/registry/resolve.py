"""From what somebody typed to exactly one entry: the one way for every verb."""

from __future__ import annotations

from collections.abc import Iterable

from cli_hub.errors import NotFound
from cli_hub.registry.catalogue import Catalogue
from cli_hub.registry.entry import Entry
from cli_hub.registry.spelling import nearest


def resolve(name: str, catalogue: Catalogue) -> Entry:
    """The entry that *name* means.

    ``source/name`` addresses one entry. A bare name means the one of the source with the highest
    priority; then come aliases. ``renamed_to`` is followed. Case does not matter where no entry
    has the name as written. Raises :class:`NotFound` with the nearest names.
    """
    source, slash, bare = name.rpartition("/")
    entries: Iterable[Entry] = catalogue.entries
    if slash:
        entries = [entry for entry in catalogue.entries if entry.source == source]
        if not entries:
            known = dict.fromkeys(entry.source for entry in catalogue.entries)
            raise NotFound(
                f"there is no source {source!r}",
                hint=f"sources with entries: {', '.join(known)}",
                nearest=nearest(source, known),
            )
    found = _named(bare, entries)
    if found is None:
        raise not_found(name, known_names(entries))
    return _follow(found, catalogue)


def not_found(name: str, known: Iterable[str]) -> NotFound:
    """The error for a name that nothing has."""
    close = nearest(name.rpartition("/")[2], known)
    return NotFound(
        f"nothing in the registry is called {name!r}",
        nearest=close,
        hint="" if close else f"cli-hub search {name} looks through descriptions too",
    )


def others(entry: Entry, catalogue: Catalogue) -> list[Entry]:
    """Entries of the same name that other sources have."""
    return [
        other
        for other in catalogue.entries
        if other.name == entry.name and other.source != entry.source
    ]


def known_names(entries: Iterable[Entry]) -> list[str]:
    """Every name and alias."""
    return [name for entry in entries for name in (entry.name, *entry.aliases)]


def _named(name: str, entries: Iterable[Entry]) -> Entry | None:
    lower = name.lower()
    tests = (
        lambda entry: entry.name == name,
        lambda entry: name in entry.aliases,
        lambda entry: entry.name.lower() == lower,
        lambda entry: lower in map(str.lower, entry.aliases),
    )
    for test in tests:
        for entry in entries:
            if test(entry):
                return entry
    return None


def _follow(entry: Entry, catalogue: Catalogue) -> Entry:
    passed = {entry.address}
    while entry.renamed_to:
        of_source = [other for other in catalogue.entries if other.source == entry.source]
        found = _named(entry.renamed_to, of_source) or _named(entry.renamed_to, catalogue.entries)
        if found is None or found.address in passed:
            return entry
        passed.add(found.address)
        entry = found
    return entry
