"""A project file that is inspectable, saved whole, and never loses an edit.

The file is JSON: ``format``, ``format_version``, ``revision``, the harness's own ``state``, and a
``journal`` of what was done. Each journal entry keeps the state before it, so undo and redo need
nothing else. All changes go through a lock beside the file and an atomic replacement.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import BadProject, Conflict, Locked, NotFound
from cli_anything.kit.files import write_json

JOURNAL_LIMIT = 100
"""Steps that can be undone; older ones are forgotten."""

LOCK_SECONDS = 30.0

State = dict[str, Any]


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One change: *index* from 1, the *command* that made it, when, and whether it is undone."""

    index: int
    command: str
    at: str
    undone: bool

    def as_dict(self) -> dict[str, Any]:
        return {
            "index": self.index,
            "command": self.command,
            "at": self.at,
            "undone": self.undone,
        }


@dataclass(frozen=True, slots=True)
class Project:
    """What the file says now. *revision* grows by one with every change, undo and redo."""

    path: Path
    state: State
    revision: int
    undo_depth: int
    redo_depth: int


@dataclass(slots=True)
class _Document:
    """The file's content. ``journal[:done]`` has been done, the rest was undone."""

    state: State
    revision: int
    journal: list[dict[str, Any]]
    done: int
    forgotten: int
    """Changes that fell off the beginning of the journal."""


class ProjectStore:
    """Reads and changes one project file; safe to use from many processes at once."""

    def __init__(
        self,
        path: Path,
        *,
        format: str,  # noqa: A002 - the word used in the file
        version: int = 1,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        self.path = path
        self._format = format
        self._version = version
        self._lock_seconds = lock_seconds

    def create(self, state: State, command: str, *, overwrite: bool = False) -> Project:
        """Make the file. Raises :class:`Conflict` when it exists and *overwrite* is not set.

        A project that is overwritten is kept as ``<name>.bak``, in place of an earlier one; a
        file that is damaged or not a project at all as ``<name>.<stamp>.bak``, for good.
        """
        del command  # the first state has nothing before it that undo could return to
        with self._locked():
            if self.path.exists() and not overwrite:
                raise Conflict(
                    f"{self.path} already exists", hint="choose another name, or --overwrite"
                )
            if self.path.exists():
                self._set_aside()
            document = _Document(copy.deepcopy(state), 1, [], 0, 0)
            self._save(document)
            return self._project(document)

    def load(self) -> Project:
        """What the file says. Raises :class:`NotFound` or :class:`BadProject`."""
        return self._project(self._read())

    @contextmanager
    def change(self, command: str) -> Iterator[State]:
        """Change the state: the block edits what it is given, which is saved when it ends well.

        An exception in the block leaves the file as it was. What had been undone before can no
        longer be redone. Raises :class:`Locked`, :class:`NotFound`, :class:`BadProject`.
        """
        with self._locked():
            document = self._read()
            state = copy.deepcopy(document.state)
            yield state
            entry = {"command": command, "at": _now(), "before": document.state}
            journal = [*document.journal[: document.done], entry]
            surplus = max(0, len(journal) - JOURNAL_LIMIT)
            document.journal = journal[surplus:]
            document.done = len(document.journal)
            document.forgotten += surplus
            document.state = state
            document.revision += 1
            self._save(document)

    def undo(self) -> HistoryEntry:
        """Take back the latest change. Raises :class:`Conflict` when there is none."""
        with self._locked():
            document = self._read()
            if document.done == 0:
                raise Conflict("there is nothing to undo")
            document.done -= 1
            return self._exchange(document, undone=True)

    def redo(self) -> HistoryEntry:
        """Do again what was undone last. Raises :class:`Conflict` when there is nothing."""
        with self._locked():
            document = self._read()
            if document.done == len(document.journal):
                raise Conflict("there is nothing to redo")
            document.done += 1
            return self._exchange(document, undone=False)

    def history(self) -> tuple[HistoryEntry, ...]:
        """All remembered changes, oldest first."""
        document = self._read()
        return tuple(
            _entry(document, number, undone=number >= document.done)
            for number in range(len(document.journal))
        )

    def _exchange(self, document: _Document, *, undone: bool) -> HistoryEntry:
        """Swap the state with the one kept at the border between done and undone."""
        number = document.done if undone else document.done - 1
        row = document.journal[number]
        row["before"], document.state = document.state, row["before"]
        document.revision += 1
        self._save(document)
        return _entry(document, number, undone=undone)

    def _project(self, document: _Document) -> Project:
        return Project(
            self.path,
            copy.deepcopy(document.state),
            document.revision,
            document.done,
            len(document.journal) - document.done,
        )

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock  # 40 ms that only a writer pays

        if not self.path.parent.is_dir():
            raise NotFound(f"the folder {self.path.parent} does not exist")
        lock = self.path.with_name(f".{self.path.name}.lock")
        try:
            with filelock.FileLock(lock, timeout=self._lock_seconds):
                yield
        except filelock.Timeout:
            raise Locked(
                f"{self.path} is being changed by another process for more than "
                f"{self._lock_seconds:g} s",
                hint="wait for it to end, then run this again",
            ) from None

    def _read(self) -> _Document:
        try:
            raw = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            raise NotFound(
                f"there is no project {self.path}", hint="make one with: project new"
            ) from None
        except OSError as problem:
            raise NotFound(f"{self.path} cannot be read: {problem.strerror}") from None
        except ValueError as problem:
            raise self._bad(f"is damaged ({problem})") from None
        if not isinstance(raw, Mapping) or raw.get("format") != self._format:
            raise self._bad(f"is not a {self._format} file")
        version = raw.get("format_version")
        if not isinstance(version, int) or version > self._version:
            raise self._bad(
                f"has format version {version}; this program reads up to {self._version}"
            )
        try:
            return _Document(
                dict(raw["state"]),
                int(raw["revision"]),
                list(raw["journal"]),
                int(raw["done"]),
                int(raw.get("forgotten", 0)),
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise self._bad(f"lacks or breaks a field ({problem})") from None

    def _set_aside(self) -> None:
        suffix = "bak"
        try:
            self._read()
        except BadProject:
            suffix = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ.bak")
        self.path.replace(self.path.with_name(f"{self.path.name}.{suffix}"))

    def _bad(self, problem: str) -> BadProject:
        return BadProject(
            f"{self.path} {problem}",
            hint="it was left as it is; restore a copy, or begin anew with "
            "project new --overwrite, which keeps this file as a backup",
        )

    def _save(self, document: _Document) -> None:
        write_json(
            self.path,
            {
                "format": self._format,
                "format_version": self._version,
                "revision": document.revision,
                "state": document.state,
                "done": document.done,
                "forgotten": document.forgotten,
                "journal": document.journal,
            },
        )


def _entry(document: _Document, number: int, *, undone: bool) -> HistoryEntry:
    row = document.journal[number]
    index = document.forgotten + number + 1
    return HistoryEntry(index, str(row["command"]), str(row["at"]), undone)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
