"""Live sessions: a head that moves (``session.json``) and a history that only grows.

The formats are ``preview-live/v1`` and ``preview-trajectory/v1``. Both files are replaced whole,
the trajectory first, so a reader always finds the step that the session calls current. Paths are
relative to the session's folder: it can be moved together with its bundles.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import BadProject, Conflict, NotFound
from cli_anything.kit.files import write_json
from cli_anything.kit.preview import Published, Publisher, utc_now

HISTORY_LIMIT = 20
"""Steps repeated in ``session.json``; the trajectory has all of them."""


class LiveSession:
    """One session folder, ``<root>/live/<session name>``; safe for several publishers at once."""

    def __init__(self, folder: Path, publisher: Publisher, recipe: str) -> None:
        self.folder = folder
        self._publisher = publisher
        self._recipe = recipe

    @classmethod
    def open(cls, publisher: Publisher, recipe: str, session_name: str) -> LiveSession:
        """The session of that name, begun if it is not there yet."""
        session = cls(publisher.root / "live" / session_name, publisher, recipe)
        session.folder.mkdir(parents=True, exist_ok=True)
        with session._locked():
            if not session._session_file.exists():
                session._begin()
        return session

    @classmethod
    def find(cls, publisher: Publisher, recipe: str, session_name: str) -> LiveSession:
        """The session of that name. Raises :class:`NotFound` when there is none."""
        folder = publisher.root / "live" / session_name
        if not (folder / "session.json").is_file():
            raise NotFound(f"there is no live session {session_name}")
        return cls(folder, publisher, recipe)

    def publish(
        self,
        published: Published | None,
        *,
        command: str,
        started_at: str,
        finished_at: str,
        reason: str,
        status: str = "",
        note: str = "",
    ) -> str:
        """Add a step and return its id. A failed step has no bundle: *published* is ``None``.

        Raises :class:`Conflict` when the session has been stopped.
        """
        with self._locked():
            session, trajectory = _read(self._session_file), _read(self._trajectory_file)
            if session["status"] != "active":
                raise Conflict("the live session is stopped", hint="start a new one")
            number = len(trajectory["steps"]) + 1
            step = {
                "step_id": f"step-{number:04d}",
                "step_index": number,
                "command": command,
                "command_started_at": started_at,
                "command_finished_at": finished_at,
                "publish_reason": reason,
                "status": status or (published.status if published else "error"),
                **self._bundle_fields(published),
                **({"note": note} if note else {}),
            }
            trajectory["steps"].append(step)
            trajectory["step_count"] = number
            trajectory["current_step_id"] = step["step_id"]
            trajectory["updated_at"] = utc_now()
            write_json(self._trajectory_file, trajectory)
            write_json(self._session_file, self._moved(session, step, published))
            if published:
                self._point_current(published)
            return str(step["step_id"])

    def head(self) -> dict[str, Any]:
        """``session.json`` as it is now."""
        return _read(self._session_file)

    def stop(self) -> None:
        """Say that nothing more will come."""
        with self._locked():
            session = _read(self._session_file)
            session |= {"status": "stopped", "updated_at": utc_now()}
            write_json(self._session_file, session)

    @property
    def _session_file(self) -> Path:
        return self.folder / "session.json"

    @property
    def _trajectory_file(self) -> Path:
        return self.folder / "trajectory.json"

    def _begin(self) -> None:
        common = self._common()
        write_json(
            self._trajectory_file,
            {
                "protocol_version": "preview-trajectory/v1",
                **common,
                "step_count": 0,
                "current_step_id": None,
                "steps": [],
            },
        )
        write_json(
            self._session_file,
            {
                "protocol_version": "preview-live/v1",
                **common,
                "status": "active",
                "live_mode": "manual",
                "trajectory_path": "trajectory.json",
                "trajectory_step_count": 0,
                "history": [],
            },
        )

    def _common(self) -> dict[str, Any]:
        project = self._publisher.project
        name = project.name if project else None
        return {
            "software": self._publisher.software,
            "recipe": self._recipe,
            "session_name": self.folder.name,
            "project_path": name,
            "project_name": name,
            "created_at": utc_now(),
            "updated_at": utc_now(),
        }

    def _bundle_fields(self, published: Published | None) -> dict[str, Any]:
        if published is None:
            return {"bundle_id": None}
        return {
            "bundle_id": published.bundle_id,
            "bundle_dir": self._relative(published.bundle_dir),
            "manifest_path": self._relative(published.manifest_path),
            "summary_path": self._relative(published.summary_path),
            "source_fingerprint": published.fingerprint,
            "cached": published.cached,
        }

    def _moved(
        self, session: dict[str, Any], step: dict[str, Any], published: Published | None
    ) -> dict[str, Any]:
        """The session with *step* as its head; a step without bundle leaves the picture."""
        session |= {
            "current_step_id": step["step_id"],
            "latest_command": step["command"],
            "latest_publish_reason": step["publish_reason"],
            "trajectory_step_count": step["step_index"],
            "history": [step, *session["history"]][:HISTORY_LIMIT],
            "updated_at": utc_now(),
        }
        if published:
            session |= {
                "current_bundle_id": published.bundle_id,
                "current_bundle_dir": self._relative(published.bundle_dir),
                "current_manifest_path": self._relative(published.manifest_path),
                "current_summary_path": self._relative(published.summary_path),
                "current_link": "current",
            }
        return session

    def _relative(self, path: Path) -> str:
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def _point_current(self, published: Published) -> None:
        """``current`` is a convenience for people; where links do not exist it is left out."""
        draft = self.folder / f".current-{os.getpid()}"
        try:
            draft.symlink_to(self._relative(published.bundle_dir), target_is_directory=True)
        except (NotImplementedError, PermissionError):
            return
        draft.replace(self.folder / "current")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        import filelock

        with filelock.FileLock(self.folder / ".lock", timeout=30):
            yield


def _read(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_bytes())
    except ValueError as problem:
        raise BadProject(f"{path} is damaged ({problem})") from None
    if not isinstance(document, dict):
        raise BadProject(f"{path} is not a session document")
    return document
