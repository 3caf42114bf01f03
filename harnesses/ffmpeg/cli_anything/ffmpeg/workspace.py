"""One project on disk: its store, its timeline, and where its media files are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cli_anything.ffmpeg import document
from cli_anything.ffmpeg.timeline import SourceKind, Timeline
from cli_anything.kit.errors import NotFound
from cli_anything.kit.preview import fingerprint_of
from cli_anything.kit.project import ProjectStore

Edit = Callable[[Timeline], Timeline]


@dataclass(frozen=True, slots=True)
class Workspace:
    """The project in *path*."""

    path: Path

    @property
    def store(self) -> ProjectStore:
        return ProjectStore(self.path, format=document.FORMAT, version=document.VERSION)

    def create(self, timeline: Timeline, command: str, *, overwrite: bool) -> None:
        """Raises :class:`Conflict` when the file exists and may not be replaced."""
        self.path.absolute().parent.mkdir(parents=True, exist_ok=True)
        self.store.create(document.to_state(timeline), command, overwrite=overwrite)

    def timeline(self) -> Timeline:
        """Raises :class:`NotFound`, :class:`BadProject`."""
        return document.from_state(self.store.load().state, self.path.name)

    def change(self, command: str, edit: Edit) -> Timeline:
        """Save what *edit* makes of the timeline as one undoable change, and return it."""
        with self.store.change(command) as state:
            after = edit(document.from_state(state, self.path.name))
            state.clear()
            state.update(document.to_state(after))
        return after

    def media_path(self, stored: str) -> Path:
        """The real path of a stored one."""
        return (self.path.absolute().parent / stored).absolute()

    def stored_path(self, path: Path) -> str:
        """*path* relative to the project when it lies below its folder, else absolute."""
        home = self.path.absolute().parent
        full = path.absolute()
        return full.relative_to(home).as_posix() if full.is_relative_to(home) else str(full)

    def media(self, timeline: Timeline) -> dict[str, Path]:
        """Every media file the timeline uses, by its stored path."""
        stored = [c.source.path for c in timeline.clips if c.source.kind is SourceKind.MEDIA]
        stored += [track.path for track in timeline.audio if track.path]
        return {path: self.media_path(path) for path in stored}

    def missing_media(self, timeline: Timeline) -> list[str]:
        """Stored paths of media that is not there any more."""
        return [stored for stored, path in self.media(timeline).items() if not path.is_file()]

    def require_media(self, timeline: Timeline) -> None:
        """Raise :class:`NotFound` naming the first media file that is gone."""
        missing = self.missing_media(timeline)
        if missing:
            raise NotFound(
                f"the media file {missing[0]} is gone",
                hint="put it back, or remove the clip or track that uses it",
            )

    def fingerprint(self, timeline: Timeline, *extra: object) -> str:
        """``sha256:…`` of the timeline and of the size and age of the media it uses."""
        state = document.to_state(timeline)
        del state["issued"]  # bookkeeping that no picture shows
        seen = {}
        for stored, path in self.media(timeline).items():
            found = path.stat() if path.is_file() else None
            seen[stored] = [found.st_size, found.st_mtime_ns] if found else None
        return fingerprint_of([state, seen, *extra])
