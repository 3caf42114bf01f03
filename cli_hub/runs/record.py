"""The record of a run, and the shelf that keeps them."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from cli_hub.errors import HubError, NotFound
from cli_hub.install.database import (
    connect,
    connect_to_read,
    nothing_can_be_written,
    unusable,
)
from cli_hub.install.failures import storage_problem
from cli_hub.paths import Paths

SCHEMA = "cli-hub-run/1"
_COLUMNS = (
    "id, harness, version, argv, cwd, pid, started_at, seconds, status, exit_code, problem, "
    "truncated"
)


class Status(StrEnum):
    RUNNING = "running"
    DONE = "done"
    """It ended by itself; *exit_code* is its own."""
    TIMED_OUT = "timed_out"
    NOT_STARTED = "not_started"
    INTERRUPTED = "interrupted"
    LOST = "lost"
    """The hub that ran it is gone without having said how it ended."""


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One dispatch. *argv* and the outputs are masked; times are UTC, *seconds* wall clock.

    *exit_code* is what the hub answers with: the child's own, 128+n for signal n, 124 when its time
    was up. The outputs are kept up to a megabyte each (*truncated* says when that was not all).
    """

    id: str
    harness: str
    version: str
    argv: tuple[str, ...]
    cwd: str
    started_at: str
    folder: Path
    pid: int = 0
    seconds: float = 0.0
    status: Status = Status.RUNNING
    exit_code: int = 0
    problem: str = ""
    truncated: bool = False

    @property
    def ok(self) -> bool:
        return self.status is Status.DONE and self.exit_code == 0

    @property
    def stdout(self) -> str:
        return self._read("stdout.txt")

    @property
    def stderr(self) -> str:
        return self._read("stderr.txt")

    def _read(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return ""

    def as_document(self, *, outputs: bool = False) -> dict[str, Any]:
        document: dict[str, Any] = {
            "schema": SCHEMA,
            "id": self.id,
            "harness": self.harness,
            "version": self.version,
            "argv": list(self.argv),
            "cwd": self.cwd,
            "started_at": self.started_at,
            "seconds": round(self.seconds, 3),
            "status": self.status.value,
            "exit_code": self.exit_code,
            "problem": self.problem,
            "truncated": self.truncated,
            "folder": str(self.folder),
        }
        if outputs:
            document |= {"stdout": self.stdout, "stderr": self.stderr}
        return document


class RunShelf:
    """All run records below ``paths.runs``."""

    def __init__(self, paths: Paths) -> None:
        self._folder = paths.runs
        self._file = paths.runs / "runs.sqlite3"

    def folder(self, run_id: str) -> Path:
        return self._folder / run_id

    def put(self, record: RunRecord) -> None:
        """Write *record*, replacing what was said of the same run before."""
        with self._connected() as connection:
            connection.execute(
                f"INSERT OR REPLACE INTO runs ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608
                (
                    record.id, record.harness, record.version, json.dumps(record.argv), record.cwd,
                    record.pid, record.started_at, record.seconds, record.status, record.exit_code,
                    record.problem, record.truncated,
                ),
            )  # fmt: skip

    def keep_outputs(self, record: RunRecord, stdout: str, stderr: str) -> None:
        """Write what the run printed into its folder."""
        with self._usable():
            record.folder.mkdir(parents=True, exist_ok=True)
            for name, text in (("stdout.txt", stdout), ("stderr.txt", stderr)):
                (record.folder / name).write_text(text, encoding="utf-8")

    def latest(self, limit: int, *, harness: str = "") -> list[RunRecord]:
        """The newest runs first."""
        if not self._file.exists():
            return []
        with self._connected(connect_to_read) as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM runs WHERE ? IN ('', harness) "  # noqa: S608
                "ORDER BY started_at DESC, id DESC LIMIT ?",
                (harness, limit),
            ).fetchall()
        return [self._record(row) for row in rows]

    def find(self, wanted: str) -> RunRecord:
        """The run whose id is or begins with *wanted*, or ``latest``. Raises :class:`NotFound`."""
        if wanted == "latest":
            rows = self.latest(1)
        elif self._file.exists():
            with self._connected(connect_to_read) as connection:
                found = connection.execute(
                    f"SELECT {_COLUMNS} FROM runs WHERE substr(id, 1, ?) = ?",  # noqa: S608
                    (len(wanted), wanted),
                ).fetchall()
            rows = [self._record(row) for row in found]
        else:
            rows = []
        if len(rows) == 1:
            return rows[0]
        if rows:
            raise NotFound(
                f"{len(rows)} runs begin with {wanted}", nearest=[row.id for row in rows[:5]]
            )
        raise NotFound(f"there is no run {wanted}", hint="cli-hub runs list shows them")

    def _record(self, row: tuple[Any, ...]) -> RunRecord:
        record = RunRecord(
            id=row[0], harness=row[1], version=row[2], argv=tuple(json.loads(row[3])), cwd=row[4],
            pid=row[5], started_at=row[6], seconds=row[7] or 0.0, status=Status(row[8]),
            exit_code=row[9] or 0, problem=row[10], truncated=bool(row[11]),
            folder=self.folder(row[0]),
        )  # fmt: skip
        if record.status is Status.RUNNING and not _alive(record.pid):
            return replace(record, status=Status.LOST)
        return record

    @contextmanager
    def _connected(
        self, opened: Callable[[Path], sqlite3.Connection] = connect
    ) -> Iterator[sqlite3.Connection]:
        with self._usable():
            self._folder.mkdir(parents=True, exist_ok=True)
            with closing(opened(self._file)) as connection, connection:
                if not connection.execute("PRAGMA user_version").fetchone()[0]:
                    tables = Path(__file__).with_name("runs.sql").read_text(encoding="utf-8")
                    connection.executescript(f"{tables}\nPRAGMA user_version = 1;")
                yield connection

    @contextmanager
    def _usable(self) -> Iterator[None]:
        """Raises :class:`HubError` that says whether the disk or the content is at fault."""
        try:
            yield
        except OSError as problem:
            raise storage_problem(problem, self._folder) from problem
        except sqlite3.DatabaseError as problem:
            if nothing_can_be_written(problem):
                raise unusable(self._file, problem, "the file of runs") from problem
            raise HubError(
                f"the run records in {self._file} cannot be used: {problem}",
                hint=f"move {self._file} away; only the history of runs is in it",
            ) from problem


def _alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        try:
            os.kill(pid, 0)
        except PermissionError:
            return True
        return True
    return False
