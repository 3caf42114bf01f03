"""Building the index: one pass over the entries, in a draft that becomes the index when whole."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from cli_hub.registry import thesaurus
from cli_hub.registry.catalogue import Reading, read
from cli_hub.registry.entry import Entry
from cli_hub.registry.index import open_read_only
from cli_hub.registry.spelling import folded
from cli_hub.registry.stemming import stem
from cli_hub.registry.syncing import Access, Held
from cli_hub.registry.words import FILLERS, VERIFIED, stems, words

_TABLES = Path(__file__).with_name("index.sql")
_WORDS = Path(__file__).with_name("index_words.sql")
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_BATCH = 500
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}
_SOON = 2.0
"""Seconds within which a file could change again without its time of change showing it."""


def build_index(
    file: Path, origin: str, held: tuple[Held, ...], access: Access
) -> sqlite3.Connection:
    """Build the index of *held* as *file*; in memory when it cannot be written there.

    *origin* is noted in it, for who finds it later and asks what it was built from.
    """
    try:
        return read(held, access, lambda reading: _build(file, origin, reading))
    except _Unwritable:
        return read(held, access, lambda reading: _fill(_in_memory(), origin, reading))


class _Unwritable(Exception):
    """The place of the index takes no file, or has no room for it."""


def _build(file: Path, origin: str, reading: Reading) -> sqlite3.Connection:
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".index-")
    except OSError as problem:
        raise _Unwritable from problem
    os.close(handle)
    try:
        connection = sqlite3.connect(draft)
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            _fill(connection, origin, reading)
        except sqlite3.OperationalError as problem:
            if problem.sqlite_errorcode & 0xFF in _NO_ROOM:
                raise _Unwritable from problem
            raise
        finally:
            connection.close()
        Path(draft).replace(file)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise
    return open_read_only(file)


def _in_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", check_same_thread=False)


def _fill(connection: sqlite3.Connection, origin: str, reading: Reading) -> sqlite3.Connection:
    connection.executescript(_TABLES.read_text(encoding="utf-8"))
    builder = _Builder(connection)
    with connection:
        for batch in _batches(reading):
            builder.add(batch)
        builder.finish()
        facts = {
            "origin": origin,
            "size": str(builder.count),
            "digest": reading.digest,
            "warnings": json.dumps(
                [text for text in reading.warnings if text not in _told(reading.held)],
                ensure_ascii=False,
            ),
            "settled": "yes" if _settled(reading.held, reading.access) else "no",
        }
        connection.executemany("INSERT INTO fact VALUES (?, ?)", facts.items())
    return connection


class _Builder:
    """Adds entries, and remembers what is only known at the end: the words to spell."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.count = 0
        self._names: set[str] = set()
        self._in_names: set[str] = set()
        self._in_texts: set[str] = set()

    def add(self, batch: list[Entry]) -> None:
        rows, aliases, fields = [], [], []
        for entry in batch:
            self.count += 1
            rows.append(self._row(entry))
            forms = {folded(name) for name in (entry.name, entry.display_name, *entry.aliases)}
            aliases += [(form, self.count) for form in forms]
            fields.append((self.count, *self._fields(entry, forms)))
        execute = self.connection.executemany
        execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        execute("INSERT OR IGNORE INTO alias VALUES (?, ?)", aliases)
        execute(
            "INSERT INTO stem(rowid, name, capability, category, description, requires, mark)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            fields,
        )

    def finish(self) -> None:
        """Write the tables over all words: how frequent, how spelt, what they mean."""
        self.connection.executemany("INSERT INTO known VALUES (?, ?)", self._spelt())
        self.connection.executescript(_WORDS.read_text(encoding="utf-8"))
        text = thesaurus.FILE.read_text(encoding="utf-8")
        self.connection.executemany("INSERT INTO thesaurus VALUES (?, ?, ?)", thesaurus.pairs(text))

    def _row(self, entry: Entry) -> tuple[object, ...]:
        from cli_hub.strategies import Uninstallable

        form = folded(entry.name)
        shadowed = form in self._names
        self._names.add(form)
        install = entry.install
        return (
            self.count,
            entry.source,
            entry.name,
            form,
            entry.kind.value,
            str(entry.base or ""),
            "" if isinstance(install, Uninstallable) else install.kind.value,
            "" if isinstance(install, Uninstallable) else install.needs,
            install.reason if isinstance(install, Uninstallable) else "",
            entry.category,
            int(_is_verified(entry)),
            int(shadowed),
            _JSON.encode(entry.raw),
        )

    def _fields(self, entry: Entry, forms: Iterable[str]) -> tuple[str, ...]:
        names = " ".join((entry.name, entry.display_name, *entry.aliases, *entry.entry_point[:1]))
        named = words(names.replace("cli-anything-", "") + " " + " ".join(forms))
        name_words = list(dict.fromkeys(named))
        described = words(entry.description)
        needed = " ".join((entry.requires, *(need.name for need in entry.needs)))
        self._in_names.update(name_words)
        self._in_texts.update(described)
        return (
            " ".join(map(stem, name_words)),
            _stemmed(" ".join(entry.capabilities)),
            _stemmed(entry.category),
            " ".join([stem(word) for word in described if word not in FILLERS]),
            _stemmed(needed),
            VERIFIED if _is_verified(entry) else "",
        )

    def _spelt(self) -> Iterator[tuple[str, bool]]:
        """Words worth correcting towards: short ones and numbers are not. True for names."""
        for word in self._in_names:
            digits = sum(map(str.isdigit, word))
            if 4 <= len(word) <= 24 and (word.isalpha() or digits < 3):
                yield word, True
        for word in self._in_texts - self._in_names:
            if 6 <= len(word) <= 24 and word.isalpha():
                yield word, False


def _is_verified(entry: Entry) -> bool:
    return bool(entry.verified and entry.verified.entry_point)


@lru_cache(maxsize=4096)
def _stemmed(text: str) -> str:
    """The stems of all words of *text*: what stands in many entries is stemmed once."""
    return " ".join(stems(text))


def _batches(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    batch: list[Entry] = []
    for entry in entries:
        batch.append(entry)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch


def _told(held: tuple[Held, ...]) -> set[str]:
    return {warning for one in held for warning in one.warnings}


def _settled(held: tuple[Held, ...], access: Access) -> bool:
    changed = [file.stat().st_mtime for one in held for file in one.files]
    return access.now() - max(changed, default=0.0) > _SOON
