"""What one call of the program is about: the project, the command line, the live session."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import click

from cli_anything.ffmpeg import ENTRY_POINT
from cli_anything.ffmpeg.timeline import Timeline
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.cli import emit, note
from cli_anything.kit.errors import HarnessError, UsageError
from cli_anything.kit.preview import utc_now

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of the program."""

    project: Path | None
    live: bool = False
    started_at: str = field(default_factory=utc_now)

    @property
    def command(self) -> str:
        """The command line as it was typed, for histories and previews."""
        return shlex.join([ENTRY_POINT, *sys.argv[1:]])

    @property
    def workspace(self) -> Workspace:
        """Raises :class:`UsageError` when no project was named."""
        if self.project is None:
            raise UsageError("which project?", hint="add --project FILE (make one: project new)")
        return Workspace(self.project)


def invocation(ctx: click.Context) -> Invocation:
    found = ctx.find_object(Invocation)
    assert found is not None  # noqa: S101 - the root group makes one
    return found


def edit(
    ctx: click.Context,
    change: Callable[[Timeline], tuple[Timeline, Item]],
    document: Callable[[Item, Timeline], Mapping[str, Any]],
    human: Callable[[Item, Timeline], str],
) -> None:
    """Change the project, publish the step where that is wanted, and show the answer."""
    call = invocation(ctx)
    made: list[Item] = []

    def remember(timeline: Timeline) -> Timeline:
        after, item = change(timeline)
        made.append(item)
        return after

    try:
        timeline = call.workspace.change(call.command, remember)
    except HarnessError as problem:
        if call.live:
            record_failure(call, problem)
        raise
    answer = {**document(made[0], timeline), "timeline": totals(timeline)}
    if call.live:
        answer["preview"] = publish(call, "edit")
    emit(ctx, answer, lambda: human(made[0], timeline))


def publish(call: Invocation, reason: str) -> dict[str, Any]:
    """Add a step to the live session. The edit is done already: trouble is told, not raised."""
    from cli_anything.ffmpeg.live import Live
    from cli_anything.ffmpeg.previews import RECIPES

    live = Live(call.workspace, RECIPES["quick"])
    try:
        published = live.publish(call.command, call.started_at, reason=reason)
    except HarnessError as problem:
        note(f"warning: the edit is saved, its preview failed: {problem.message}")
        return {"status": "error", "message": problem.message, "session_dir": str(live.folder)}
    return {**published.as_dict(), "session_dir": str(live.folder)}


def record_failure(call: Invocation, problem: HarnessError) -> None:
    """Let the live session show that this command failed, if there is a session."""
    from cli_anything.ffmpeg.live import Live
    from cli_anything.ffmpeg.previews import RECIPES

    live = Live(call.workspace, RECIPES["quick"])
    if (live.folder / "session.json").is_file():
        live.record_failure(call.command, call.started_at, problem)


def totals(timeline: Timeline) -> dict[str, Any]:
    """The timeline in one line, as every edit answers."""
    return {
        "clips": len(timeline.clips),
        "texts": len(timeline.texts),
        "audio": len(timeline.audio),
        "filters": len(timeline.filters),
        "frames": timeline.frames,
        "duration_s": round(timeline.duration, 6),
    }
