"""The entries that the sources in force have, as every command looks them up: in the index.

What it costs does not grow with the registry; only a source that changed is read again.
"""

from __future__ import annotations

from collections.abc import Callable

from cli_hub.cli.surface import Surface
from cli_hub.errors import NotFound, UsageError
from cli_hub.registry.entry import Entry
from cli_hub.registry.index import Index, open_index
from cli_hub.registry.resolve import Lookup, resolve
from cli_hub.registry.syncing import Access


def open_entries(out: Surface, *, offline: bool = False, refresh: bool = False) -> Index:
    """Open the index and say what its sources have to tell. Raises what :func:`open_index` does."""
    if offline and refresh:
        raise UsageError("--offline and --refresh contradict each other", hint="use one of them")
    access = Access(out.paths, offline=offline or out.settings.offline, refresh=refresh)
    index = open_index(
        out.paths, out.settings, access=access, before_building=lambda size: _say_why(out, size)
    )
    for warning in index.warnings:
        out.warn(warning)
    return index


def known_entries(entries: Lookup) -> Callable[[str], Entry | None]:
    """Look names up where not finding them is an answer."""

    def known(name: str) -> Entry | None:
        try:
            return resolve(name, entries)
        except NotFound:
            return None

    return known


def _say_why(out: Surface, size: int) -> None:
    """Say what takes long before it does: about 8 MB of registries are indexed in a second."""
    if size >= 8_000_000:
        out.note(f"indexing {size // 1_000_000} MB of registries, once until they change …")
