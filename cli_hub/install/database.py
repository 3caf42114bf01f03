"""Opening a file of tables, also where nothing can be written any more."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from cli_hub.errors import HubError
from cli_hub.install.failures import out_of_room

SIDE_FILES = ("-wal", "-shm")
_BUSY_SECONDS = 60.0
_LITTLE_ROOM = 1 << 16
"""Bytes; the side files of write-ahead mode need about as much."""

_NOTHING_CAN_BE_WRITTEN = {
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_READONLY,
}


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Like :func:`connect`; on a full or read-only disk without the side files."""
    connection = None
    try:
        connection = connect(path)
        connection.execute("PRAGMA user_version").fetchone()
    except sqlite3.OperationalError as problem:
        if connection is not None:
            connection.close()
        if not nothing_can_be_written(problem):
            raise
        return sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)
    return connection


def is_whole(path: Path) -> bool:
    try:
        with closing(connect(path)) as connection:
            connection.execute("SELECT count(*) FROM installed").fetchone()
    except sqlite3.DatabaseError:
        return False
    return True


def nothing_can_be_written(problem: sqlite3.Error) -> bool:
    """Whether it is the disk, not what is in the file."""
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF in _NOTHING_CAN_BE_WRITTEN


def unusable(path: Path, problem: sqlite3.Error, what: str) -> HubError:
    """The error for a file of tables that could not be read or written."""
    from shutil import disk_usage

    if disk_usage(path.parent).free < _LITTLE_ROOM:
        return out_of_room(str(path))
    return HubError(
        f"{what} {path} cannot be used: {problem}",
        hint="check that the disk has room and that its folder may be written",
    )
