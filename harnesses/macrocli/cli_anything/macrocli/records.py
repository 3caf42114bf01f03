"""The record of every run, by session, in one SQLite file; secrets are masked before that."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import BadProject, NotFound, UsageError

if TYPE_CHECKING:
    import sqlite3

DEFAULT_SESSION = "default"
_SESSION = r"[A-Za-z0-9_-]{1,128}\Z"
_PATIENCE = 10.0
"""Seconds to wait for another process that writes."""

_COLUMNS = (
    "id, session, macro, version, started_at, duration_ms, status, success, exit_code, parameters"
)


def session_name(wanted: str) -> str:
    """*wanted*, or the default session; raises :class:`UsageError` for what cannot name one."""
    if not wanted:
        return DEFAULT_SESSION
    if not re.match(_SESSION, wanted):
        raise UsageError(
            f"{wanted!r} cannot name a session",
            hint="use 1 to 128 letters, digits, _ or -",
        )
    return wanted


def new_run_id() -> str:
    return os.urandom(8).hex()


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Run:
    """One run as it is kept."""

    id: str
    session: str
    macro: str
    version: str
    started_at: str
    duration_ms: float
    status: str
    success: bool
    exit_code: int
    parameters: Mapping[str, Any]
    answer: Mapping[str, Any]


class Records:
    """The runs in one file; it is made when the first run is kept."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def add(self, run: Run) -> None:
        """Keep *run*; raises :class:`BadProject` when the file cannot be used."""
        with self._open() as database, database:
            database.execute(
                f"INSERT INTO runs ({_COLUMNS}, answer) VALUES (?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
                (
                    run.id,
                    run.session,
                    run.macro,
                    run.version,
                    run.started_at,
                    run.duration_ms,
                    run.status,
                    run.success,
                    run.exit_code,
                    json.dumps(run.parameters, ensure_ascii=False),
                    json.dumps(run.answer, ensure_ascii=False),
                ),
            )

    def history(self, session: str, limit: int) -> list[dict[str, Any]]:
        """The last runs of a session, newest first, without their answers."""
        with self._open() as database:
            rows = database.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE session = ?"  # noqa: S608 - our own constant
                " ORDER BY started_at DESC, rowid DESC LIMIT ?",
                (session, limit),
            )
            return [_as_document(row) for row in rows]

    def sessions(self) -> list[dict[str, Any]]:
        """Every session: how many runs, how many of them failed, first and last."""
        with self._open() as database:
            rows = database.execute(
                "SELECT session, count(*) AS runs, sum(NOT success) AS failed,"
                " min(started_at) AS first, max(started_at) AS last"
                " FROM runs GROUP BY session ORDER BY last DESC"
            )
            return [dict(row) for row in rows]

    def status(self, session: str) -> dict[str, Any]:
        """One session in numbers; raises :class:`NotFound` when nothing was run in it."""
        for found in self.sessions():
            if found["session"] == session:
                (latest,) = self.history(session, 1)
                return {**found, "latest": latest, "file": str(self.file)}
        raise NotFound(
            f"nothing was run in session {session!r}",
            nearest=[found["session"] for found in self.sessions()][:3],
        )

    def export(self, session: str) -> dict[str, Any]:
        """A whole session, answers included, oldest run first."""
        with self._open() as database:
            rows = database.execute(
                "SELECT * FROM runs WHERE session = ? ORDER BY started_at, rowid", (session,)
            )
            runs = [{**_as_document(row), "answer": json.loads(row["answer"])} for row in rows]
        return {**self.status(session), "history": runs}

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        import sqlite3

        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            if not self.file.exists():
                self.file.touch(mode=0o600)
            with closing(sqlite3.connect(self.file, timeout=_PATIENCE)) as database:
                database.row_factory = sqlite3.Row
                database.execute("PRAGMA journal_mode = WAL")
                database.executescript(_schema())
                yield database
        except (sqlite3.DatabaseError, OSError) as problem:
            raise BadProject(
                f"the run records in {self.file} cannot be used: {problem}",
                hint=f"move the file away: mv {self.file} {self.file}{os.extsep}damaged",
            ) from None


def _schema() -> str:
    return (Path(__file__).parent / "schemas" / "records.sql").read_text("utf-8")


def _as_document(row: sqlite3.Row) -> dict[str, Any]:
    document = {key: row[key] for key in row.keys() if key != "answer"}  # noqa: SIM118 - a Row
    document["success"] = bool(document["success"])
    document["parameters"] = json.loads(document["parameters"])
    return document
