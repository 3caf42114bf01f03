"""The index that search, ranking and "did you mean" share: SQLite with FTS5.

It is built once for what the sources hold and found again by the names, sizes and times of their
files, so a warm search never reads a registry. It is disposable: a damaged one is built again.
"""

from __future__ import annotations

import json
import sqlite3
from _thread import LockType, allocate_lock  # threading costs 2 ms
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli_hub.config import Settings
from cli_hub.paths import Paths
from cli_hub.registry import sources
from cli_hub.registry.spelling import folded, shapes
from cli_hub.registry.syncing import Access, Held, hold
from cli_hub.values import dataclass

if TYPE_CHECKING:
    from cli_hub.registry.entry import Entry

VERSION = 4
FEW = 2000
"""Entries that are compared one by one for "did you mean"."""
KEPT = 6
"""Indexes that stay in the cache; the oldest go first."""
RULES = tuple(
    Path(__file__).with_name(name) for name in ("thesaurus.txt", "stemming.py", "words.py")
)
"""The files that say what a word means: when they change, indexes built before are of no use."""


@dataclass(frozen=True, slots=True)
class Index:
    """An open index. *warnings* are those of the sources and of the entries left out.

    Its methods may be called from several threads; *connection* is its opener's.
    """

    connection: sqlite3.Connection
    warnings: tuple[str, ...]
    _one_at_a_time: LockType = field(default_factory=allocate_lock, compare=False, repr=False)

    @property
    def size(self) -> int:
        return int(self.fact("size"))

    @property
    def digest(self) -> str:
        """The SHA-256 of the registry files it was built from."""
        return self.fact("digest")

    def named(self, name: str) -> list[Entry]:
        """The entries that have *name* as name or alias, give or take case and separators."""
        rows = self._rows(
            "SELECT e.raw, e.source, e.kind, e.base FROM alias a JOIN entry e ON e.id = a.id"
            " WHERE a.folded = ? ORDER BY e.id",
            (folded(name),),
        )
        return [_entry(*row) for row in rows]

    def names_near(self, name: str) -> list[str]:
        """Names and aliases that may have been meant by *name*."""
        form = folded(name)
        if self.size <= FEW:
            rows = self._rows("SELECT raw, source, kind, base FROM entry ORDER BY id")
            return [known for row in rows for known in _entry(*row).names]
        rows = self._rows(
            "SELECT DISTINCT e.name FROM alias a JOIN entry e ON e.id = a.id WHERE a.folded IN"
            " (SELECT word FROM spelling WHERE name = 1"
            "  AND shape IN (SELECT value FROM json_each(:shapes)))"
            " OR (a.folded >= :form AND a.folded < :end) LIMIT 200",
            {"shapes": json.dumps(sorted(shapes(form))), "form": form, "end": form + "\uffff"},
        )
        return [row[0] for row in rows]

    def sources(self) -> list[str]:
        """The names of the sources that entries came from, highest priority first."""
        rows = self._rows("SELECT source FROM entry GROUP BY source ORDER BY min(id)")
        return [row[0] for row in rows]

    def names_beginning(self, beginning: str, most: int = 200) -> list[str]:
        """The names of entries that begin so, in order, at most so many."""
        rows = self._rows(
            "SELECT DISTINCT name FROM entry WHERE substr(name, 1, ?) = ? ORDER BY name LIMIT ?",
            (len(beginning), beginning, most),
        )
        return [name for (name,) in rows]

    def categories(self) -> list[str]:
        """The categories that entries have, sorted."""
        rows = self._rows("SELECT DISTINCT category FROM entry ORDER BY category")
        return [row[0] for row in rows]

    def fact(self, key: str) -> str:
        return str(self._rows("SELECT value FROM fact WHERE key = ?", (key,))[0][0])

    def _rows(
        self, query: str, values: Sequence[str | int] | Mapping[str, str] = ()
    ) -> list[tuple[Any, ...]]:
        with self._one_at_a_time:
            return self.connection.execute(query, values).fetchall()


def open_index(
    paths: Paths,
    settings: Settings,
    *,
    access: Access | None = None,
    before_building: Callable[[int], None] = lambda _size: None,
) -> Index:
    """The index over all sources in force, built now if it must be.

    *before_building* hears how many bytes of registries will be read for that. Raises what
    :func:`cli_hub.registry.syncing.hold` raises for a source that fails.
    """
    access = access or Access(paths, offline=settings.offline)
    held = tuple(hold(source, access) for source in sources.active(paths, settings))
    origin = _origin(held)
    file = paths.cache / "index" / f"{_mark(origin)}.sqlite3"
    told = tuple(warning for one in held for warning in one.warnings)
    found = _open(file, origin, held)
    if found is not None:
        return Index(found, (*told, *_warnings(found)))
    from cli_hub.registry.building import build_index

    before_building(sum(path.stat().st_size for one in held for path in one.files))
    built = build_index(file, origin, held, access)
    _forget_old(file.parent)
    return Index(built, (*told, *_warnings(built)))


def _entry(raw: str, source: str, kind: str, base: str) -> Entry:
    from cli_hub.registry.entry import Entry  # 4 ms that searching does not need
    from cli_hub.registry.vocabulary import Kind

    return Entry.parse(
        json.loads(raw), source=source, kind=Kind(kind), base=Path(base) if base else None
    )


def open_read_only(file: Path) -> sqlite3.Connection:
    """A connection that threads may share, as :class:`Index` does."""
    return sqlite3.connect(f"file:{file}?mode=ro", uri=True, check_same_thread=False)


def _open(file: Path, origin: str, held: Iterable[Held]) -> sqlite3.Connection | None:
    if not file.exists():
        return None
    try:
        connection = open_read_only(file)
        facts = dict(connection.execute("SELECT key, value FROM fact"))
    except sqlite3.DatabaseError:
        with suppress(OSError):  # it is disposable, and where it cannot be removed none is built
            file.unlink(missing_ok=True)
        return None
    if facts.get("origin") == origin and (
        facts.get("settled") != "no" or _settle(file, facts, held)
    ):
        return connection
    connection.close()
    return None


def _settle(file: Path, facts: dict[str, str], held: Iterable[Held]) -> bool:
    """Whether files that changed while the index was being built still are what it was built from.

    A file may change twice within one tick of its clock and look the same, so an index built that
    shortly after a change is checked against the files once.
    """
    import hashlib  # 2 ms that an index which has settled does not need

    running = hashlib.sha256()
    for one in held:
        for path in one.files:
            with path.open("rb") as stream:
                while block := stream.read(1 << 20):
                    running.update(block)
    if running.hexdigest() != facts.get("digest"):
        file.unlink(missing_ok=True)
        return False
    try:
        with sqlite3.connect(file) as connection:
            connection.execute("UPDATE fact SET value = 'yes' WHERE key = 'settled'")
    except sqlite3.OperationalError:
        return True  # read-only or busy: checked again next time
    return True


def _warnings(connection: sqlite3.Connection) -> tuple[str, ...]:
    row = connection.execute("SELECT value FROM fact WHERE key = 'warnings'").fetchone()
    return tuple(json.loads(row[0]))


def _origin(held: Iterable[Held]) -> str:
    """What an index is built from and by which rules; it is of use as long as this is the same."""
    lines = [f"index {VERSION}", *map(stamp, RULES)]
    for one in held:
        lines += [f"{one.source.name} {one.source.priority}", *map(stamp, one.files)]
    return "\n".join(lines)


def _mark(origin: str) -> str:
    """A short name for *origin*. Two may share one: the index says itself what it is built from."""
    return f"{int.from_bytes(origin.encode(), 'big') % ((1 << 127) - 1):032x}"


def stamp(file: Path) -> str:
    """What tells that a file changed, without reading it."""
    found = file.stat()
    return f"{file} {found.st_size} {found.st_mtime_ns} {found.st_ino}"


def _forget_old(folder: Path) -> None:
    by_age = sorted(folder.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime)
    for file in by_age[:-KEPT]:
        file.unlink(missing_ok=True)
