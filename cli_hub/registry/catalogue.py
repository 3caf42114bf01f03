"""All entries of the sources in force, with whatever was wrong with the others."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, TypeVar

from cli_hub.config import Settings
from cli_hub.errors import BadDocument
from cli_hub.paths import Paths
from cli_hub.registry import sources
from cli_hub.registry.copies import Shelf
from cli_hub.registry.entry import Entry
from cli_hub.registry.fields import BadField
from cli_hub.registry.reading import RegistryReader
from cli_hub.registry.sources import Source, SourceKind
from cli_hub.registry.spelling import folded
from cli_hub.registry.syncing import (
    Access,
    Held,
    check_file,
    fall_back,
    hold,
    keep_file,
    state_of,
)
from cli_hub.registry.vocabulary import Kind

Taken = TypeVar("Taken")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """What is known. *entries* stand by the priority of their source, then as in its files.

    *warnings* name file, entry and field of everything that was left out, and tell when a source
    is answered for by its last good copy. *digest* is the SHA-256 of all that was read.
    """

    entries: tuple[Entry, ...]
    warnings: tuple[str, ...] = ()
    digest: str = ""
    held: tuple[Held, ...] = ()

    def named(self, name: str) -> list[Entry]:
        """The entries that have *name* as name or alias, give or take case and separators."""
        form = folded(name)
        return [entry for entry in self.entries if form in map(folded, entry.names)]

    def names_near(self, name: str) -> list[str]:
        """Names and aliases that may have been meant by *name*: all of them."""
        del name
        return [known for entry in self.entries for known in entry.names]

    def sources(self) -> list[str]:
        """The names of the sources that entries came from, highest priority first."""
        return list(dict.fromkeys(entry.source for entry in self.entries))


@dataclass(slots=True, repr=False, eq=False)
class Reading:
    """Entries one at a time; warnings and digest are whole once it has been iterated over.

    Raises :class:`BadDocument` in the midst of a file that is not a registry. With *careful* such a
    file is noticed before any entry of it is given out, and the last good copy of the same source
    answers; that reads every file twice, so it is for those who met the error (:func:`read`).

    A name that a source of higher priority has already used is kept: ``source/name`` still finds
    it. A name used twice within one source is not.
    """

    held: tuple[Held, ...]
    access: Access
    careful: bool = False
    warnings: list[str] = field(default_factory=list)
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        return self._hash.hexdigest()

    def __iter__(self) -> Iterator[Entry]:
        for held in self.held:
            self.warnings += held.warnings
            seen: set[str] = set()
            sound = self._sound(held)
            before = state_of(held.source)
            for file in sound.files:
                yield from self._file(file, held.source, seen)
            if sound.files == held.source.files and before == state_of(held.source):
                keep_file(held.source, self.access)

    def _sound(self, held: Held) -> Held:
        """*held* when its files can be read whole, else the last good copy of the same source."""
        source = held.source
        if source.kind is SourceKind.EMBEDDED:
            return held
        shelf = Shelf.of(source, self.access.paths)
        if held.copy is None:
            if not self.careful:
                return held
            try:
                check_file(source)
            except BadDocument as problem:
                held = fall_back(source, shelf, shelf.read(), problem, self.access)
                self.warnings += held.warnings
            else:
                return held
        if held.copy and not shelf.intact(held.copy):
            aside = shelf.set_aside(held.copy)
            self.warnings.append(f"{source}: its copy was damaged, and is now {aside}")
            held = hold(source, self.access)
            self.warnings += held.warnings
        return held

    def _file(self, file: Path, source: Source, seen: set[str]) -> Iterator[Entry]:
        base = file.parent
        with file.open("rb") as stream:
            hashed = _Hashed(stream, self._hash)
            reader = RegistryReader(hashed, str(file))  # type: ignore[arg-type]
            for number, (record, line) in enumerate(reader):
                try:
                    entry = Entry.parse(
                        _vouched(record, reader),
                        source=source.name,
                        kind=_kind(reader),
                        base=base,
                    )
                except BadField as problem:
                    name = _label(record, number)
                    self.warnings.append(
                        f"{file}:{line}: {name}: {problem.where}: {problem.problem}; skipped"
                    )
                    continue
                if entry.name in seen:
                    self.warnings.append(
                        f"{file}:{line}: {entry.name}: name: is there twice; skipped"
                    )
                    continue
                seen.add(entry.name)
                yield entry


class _Hashed:
    """A stream that is hashed as it is read."""

    def __init__(self, stream: BinaryIO, running: hashlib._Hash) -> None:
        self._stream, self._running = stream, running

    def read(self, size: int = -1) -> bytes:
        block = self._stream.read(size)
        self._running.update(block)
        return block


def open_catalogue(paths: Paths, settings: Settings, *, access: Access | None = None) -> Catalogue:
    """Read every source in force. Raises what :func:`cli_hub.registry.syncing.hold` raises."""
    access = access or Access(paths, offline=settings.offline)
    held = hold_all(sources.active(paths, settings), access)
    return read(held, access, lambda reading: _whole(reading, held))


def read(held: tuple[Held, ...], access: Access, take: Callable[[Reading], Taken]) -> Taken:
    """What *take* makes of the entries of *held*, which it is given anew if a file fails it."""
    try:
        return take(Reading(held, access))
    except BadDocument:
        return take(Reading(held, access, careful=True))


def _whole(reading: Reading, held: tuple[Held, ...]) -> Catalogue:
    entries = tuple(reading)
    return Catalogue(entries, tuple(reading.warnings), reading.digest, held)


def hold_all(chosen: Iterable[Source], access: Access) -> tuple[Held, ...]:
    """The files of all *chosen* sources."""
    return tuple(hold(source, access) for source in chosen)


_KINDS = {kind.value: kind for kind in Kind}


def _kind(reader: RegistryReader) -> Kind | None:
    value = reader.meta.get("kind")
    return _KINDS.get(value) if isinstance(value, str) else None


def _vouched(record: object, reader: RegistryReader) -> object:
    """*record*, official when its registry's ``meta.official`` names it, whatever it claims."""
    if not isinstance(record, dict):
        return record
    names = reader.meta.get("official")
    if isinstance(names, list) and record.get("name") in names:
        return record | {"official": True}
    if "official" in record:
        return {key: value for key, value in record.items() if key != "official"}
    return record


def _label(record: object, number: int) -> str:
    name = record.get("name") if isinstance(record, dict) else None
    return name if isinstance(name, str) and name else f"clis[{number}]"
