"""The ledger: one SQLite file that says what is installed.

It is an index over what the disk proves. The link ``current`` says which generation is in use and
the receipt in it what that is, so a ledger that is lost or damaged is set aside and built again.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from pathlib import Path

from cli_hub.errors import BadDocument, HubError
from cli_hub.install import lock, receipt
from cli_hub.install.database import SIDE_FILES, connect, connect_to_read, is_whole, unusable
from cli_hub.install.generations import Generations
from cli_hub.install.receipt import Receipt
from cli_hub.paths import Paths
from cli_hub.values import dataclass

VERSION = 1


class State(StrEnum):
    READY = "ready"
    REMOVING = "removing"
    """Its removal began and was not finished."""


@dataclass(frozen=True, slots=True)
class Row:
    generation: str
    state: State
    pinned: bool
    receipt: Receipt


class Ledger:
    """Every method opens the file, does one transaction and closes it. *warn* hears of repairs."""

    def __init__(self, paths: Paths, warn: Callable[[str], None]) -> None:
        self._paths = paths
        self._warn = warn

    def rows(self) -> dict[str, Row]:
        """All rows by name; creates nothing where nothing was ever installed."""
        if not self._paths.ledger.exists() and not self._paths.environments.exists():
            return {}
        with self._connected() as connection:
            found = connection.execute(
                "SELECT name, generation, state, pinned, receipt FROM installed ORDER BY name"
            ).fetchall()
        rows = {}
        for name, *columns in found:
            row = self._row(name, *columns)
            if row is not None:
                rows[name] = row
        return rows

    def row(self, name: str) -> Row | None:
        """One harness, or ``None``."""
        if not self._paths.ledger.exists() and not self._paths.environments.exists():
            return None
        with self._connected() as connection:
            found = connection.execute(
                "SELECT generation, state, pinned, receipt FROM installed WHERE name = ?", (name,)
            ).fetchone()
        return self._row(name, *found) if found else None

    def record(self, generation: Path, found: Receipt, *, pinned: bool) -> None:
        """Say that *generation* is what ``name`` is now."""
        with self._connected() as connection:
            _put(connection, generation.name, found, pinned=pinned)
            connection.execute("DELETE FROM unfinished WHERE name = ?", (found.name,))

    def pin(self, name: str, *, pinned: bool) -> None:
        with self._connected() as connection:
            connection.execute("UPDATE installed SET pinned = ? WHERE name = ?", (pinned, name))

    def begin_removal(self, name: str) -> None:
        """From here on the harness counts as gone, and what is left of it as left over."""
        with self._connected() as connection:
            connection.execute(
                "UPDATE installed SET state = ? WHERE name = ?", (State.REMOVING, name)
            )

    def forget(self, name: str) -> None:
        with self._connected() as connection:
            connection.execute("DELETE FROM installed WHERE name = ?", (name,))

    def approved(self, sha256: str) -> bool:
        """Whether somebody agreed to run exactly these bytes."""
        with self._connected() as connection:
            query = "SELECT 1 FROM approvals WHERE sha256 = ?"
            return connection.execute(query, (sha256,)).fetchone() is not None

    def approve(self, sha256: str, what: str) -> None:
        with self._connected() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO approvals VALUES (?, ?, ?)", (sha256, what, _now())
            )

    def unfinished(self) -> dict[str, str]:
        """What ``install --resume`` takes up: name to the request as it was typed."""
        with self._connected() as connection:
            return dict(connection.execute("SELECT name, request FROM unfinished ORDER BY name"))

    def note_unfinished(self, name: str, request: str, problem: str) -> None:
        with self._connected() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO unfinished VALUES (?, ?, ?)", (name, request, problem)
            )

    def note_finished(self, name: str) -> None:
        """It is there by now, whoever installed it."""
        with self._connected() as connection:
            connection.execute("DELETE FROM unfinished WHERE name = ?", (name,))

    def check(self) -> None:
        """Open it, repairing as needed; raises what cannot be repaired."""
        with self._connected():
            return

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._open()
        except sqlite3.OperationalError as problem:
            raise unusable(self._paths.ledger, problem, "the ledger") from problem
        except sqlite3.DatabaseError:
            self._set_aside()
            connection = self._open()
        with closing(connection), connection:
            try:
                yield connection
            except sqlite3.OperationalError as problem:
                raise unusable(self._paths.ledger, problem, "the ledger") from problem

    def _open(self) -> sqlite3.Connection:
        path = self._paths.ledger
        connection = None
        try:
            if path.exists():
                connection = connect_to_read(path)
                if connection.execute("PRAGMA user_version").fetchone()[0] == VERSION:
                    connection.execute("SELECT count(*) FROM installed").fetchone()
                    return connection
                connection.close()
            with lock.held(self._paths.locks, ".ledger"):
                return self._create()
        except BaseException:
            if connection is not None:
                connection.close()
            raise

    def _create(self) -> sqlite3.Connection:
        """Make the tables, and fill them from the receipts on disk. Called under the lock."""
        self._paths.home.mkdir(parents=True, exist_ok=True)
        connection = connect(self._paths.ledger)
        found = connection.execute("PRAGMA user_version").fetchone()[0]
        if found > VERSION:
            connection.close()
            raise HubError(
                f"{self._paths.ledger} was written by a newer cli-hub (format {found})",
                hint="upgrade cli-hub",
            )
        if found == VERSION:
            return connection
        connection.execute("PRAGMA journal_mode = WAL")
        tables = Path(__file__).with_name("ledger.sql").read_text(encoding="utf-8")
        connection.executescript(tables)
        with connection:
            for generation, receipt_found in installations_on_disk(self._paths):
                _put(
                    connection, generation.name, receipt_found, pinned=bool(receipt_found.requested)
                )
            connection.execute(f"PRAGMA user_version = {VERSION}")
        return connection

    def _set_aside(self) -> None:
        with lock.held(self._paths.locks, ".ledger"):
            if is_whole(self._paths.ledger):
                return  # somebody else repaired it meanwhile
            stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
            aside = self._paths.ledger.with_name(f"{self._paths.ledger.name}.corrupt-{stamp}")
            self._paths.ledger.replace(aside)
            for suffix in SIDE_FILES:
                side = Path(f"{self._paths.ledger}{suffix}")
                if side.exists():
                    side.replace(f"{aside}{suffix}")
        self._warn(
            f"the ledger was damaged: it is kept as {aside.name}, and a new one was built from "
            "what is installed"
        )

    def _row(self, name: str, generation: str, state: str, pinned: int, text: str) -> Row | None:
        try:
            found = Receipt.parse(json.loads(text), f"ledger: {name}")
        except (ValueError, BadDocument) as problem:
            self._warn(f"the ledger's record of {name} cannot be read and is left out: {problem}")
            return None
        return Row(generation, State(state), bool(pinned), found)


def installations_on_disk(paths: Paths) -> Iterator[tuple[Path, Receipt]]:
    """Every generation in use with its receipt, whatever the ledger says."""
    if not paths.environments.is_dir():
        return
    for folder in sorted(paths.environments.iterdir()):
        current = Generations(folder).current()
        found = receipt.read(current) if current else None
        if current and found and found.name == folder.name:
            yield current, found


def _put(connection: sqlite3.Connection, generation: str, found: Receipt, *, pinned: bool) -> None:
    text = json.dumps(found.as_document(), ensure_ascii=False)
    connection.execute(
        "INSERT OR REPLACE INTO installed VALUES (?, ?, ?, ?, ?)",
        (found.name, generation, State.READY, pinned, text),
    )


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
