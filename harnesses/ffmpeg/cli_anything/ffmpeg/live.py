"""Publishing every step of an edit to a live session, the failed ones too."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cli_anything.ffmpeg import ffmpeg, previews
from cli_anything.ffmpeg.previews import Recipe
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.errors import HarnessError
from cli_anything.kit.live import LiveSession
from cli_anything.kit.preview import Published, utc_now


@dataclass(frozen=True, slots=True)
class Live:
    """The live session of a project, named for it."""

    workspace: Workspace
    recipe: Recipe

    @property
    def name(self) -> str:
        return self.workspace.path.stem

    @property
    def folder(self) -> Path:
        return previews.publisher(self.workspace).root / "live" / self.name

    def open(self) -> LiveSession:
        """The session, begun if there is none."""
        return LiveSession.open(previews.publisher(self.workspace), self.recipe.name, self.name)

    def find(self) -> LiveSession:
        """Raises :class:`NotFound` when none was begun."""
        return LiveSession.find(previews.publisher(self.workspace), self.recipe.name, self.name)

    def publish(self, command: str, started_at: str, *, reason: str, note: str = "") -> Published:
        """Capture the project and add a step. A capture that fails is a step too, then raises."""
        finished_at = utc_now()
        try:
            published = previews.capture(self.workspace, self.recipe, command)
        except HarnessError as problem:
            self.record_failure(command, started_at, problem)
            raise
        self.open().publish(
            published,
            command=command,
            started_at=started_at,
            finished_at=finished_at,
            reason=reason,
            note=note,
        )
        return published

    def record_failure(self, command: str, started_at: str, problem: HarnessError) -> str:
        """Add a step that shows no new picture and says what went wrong; answers its id."""
        return self.open().publish(
            None,
            command=command,
            started_at=started_at,
            finished_at=utc_now(),
            reason="failure",
            note=ffmpeg.failed_because(problem),
        )
