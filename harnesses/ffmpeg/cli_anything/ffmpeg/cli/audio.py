"""``audio``: sound under the clips, and how loud everything is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli_anything.ffmpeg import edits, media
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import edit, invocation
from cli_anything.ffmpeg.cli.types import FILE, SECONDS
from cli_anything.ffmpeg.timeline import AudioTrack, Timeline
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.cli import emit
from cli_anything.kit.errors import UsageError


@click.group("audio")
def command() -> None:
    """Lay sound under the clips."""


@command.command("add")
@click.argument("file", type=FILE, required=False)
@click.option("--tone", type=click.FloatRange(20, 20_000), help="A tone of so many Hz.")
@click.option("--at", type=SECONDS, default="0", help="Begin here on the timeline.")
@click.option("--in", "start", type=SECONDS, default="0", help="Begin here in the file.")
@click.option("--out", "end", type=SECONDS, help="End here in the file.")
@click.option("--duration", type=SECONDS, help="Length, instead of --out.")
@click.option("--volume", type=float, default=1.0, show_default=True)
@click.option("--fade", type=click.FloatRange(0, 60), default=0.0, help="Seconds in and out.")
@click.pass_context
def add(
    ctx: click.Context,
    file: Path | None,
    tone: float | None,
    at: float,
    start: float,
    end: float | None,
    duration: float | None,
    volume: float,
    fade: float,
) -> None:
    """Add the sound of FILE, or a tone. It is cut where the timeline ends."""
    if (file is None) is (tone is None):
        raise UsageError("say what to add", hint="give a FILE, or --tone HZ")
    if end is not None and duration is not None:
        raise UsageError("give --out or --duration, not both")
    workspace = invocation(ctx).workspace
    length = _length(file) if file is not None else 0.0
    path = _stored(file, workspace)

    def change(timeline: Timeline) -> tuple[Timeline, AudioTrack]:
        until = start + duration if duration is not None else end
        if until is None:
            until = length or start + max(0.0, timeline.duration - at)
        if length and until > length + 0.05:
            raise UsageError(
                f"{path} lasts {length:.3f} s; {until:.3f} is past it",
                hint=f"use --out {length:.3f} or less",
            )
        track = AudioTrack("", path, tone or 0.0, at, start, until, volume, fade)
        return edits.add_track(timeline, track)

    edit(
        ctx,
        change,
        lambda track, _: {"audio": views.track_view(track)},
        lambda track, _: f"{track.id}: {track.end - track.start:.2f} s from {track.at:.2f} s",
    )


def _length(file: Path) -> float:
    found = media.read(file)
    if found.audio is None:
        raise UsageError(f"{file.name} has no sound")
    return round(float(found.audio.duration), 6)


def _stored(file: Path | None, workspace: Workspace) -> str:
    return "" if file is None else workspace.stored_path(file)


@command.command("volume")
@click.argument("item_id", metavar="ID")
@click.argument("volume", type=float)
@click.pass_context
def volume(ctx: click.Context, item_id: str, volume: float) -> None:
    """Set how loud an audio track, or a clip's own sound, is: 0 is silent, 1 as recorded."""

    def document(_: str, timeline: Timeline) -> dict[str, Any]:
        return {"id": item_id, "volume": volume, "has_sound": timeline.has_sound}

    edit(
        ctx,
        lambda timeline: (edits.set_volume(timeline, item_id, volume), item_id),
        document,
        lambda changed, _: f"{changed}: volume {volume:g}",
    )


@command.command("list")
@click.pass_context
def list_tracks(ctx: click.Context) -> None:
    """List the audio tracks."""
    timeline = invocation(ctx).workspace.timeline()
    answer = [views.track_view(track) for track in timeline.audio]
    emit(ctx, answer, lambda: views.tracks_table(timeline))


@command.command("remove")
@click.argument("track_id", metavar="ID")
@click.pass_context
def remove(ctx: click.Context, track_id: str) -> None:
    """Take an audio track away."""
    edit(
        ctx,
        lambda timeline: (edits.remove_track(timeline, track_id), track_id),
        lambda gone, _: {"removed": gone},
        lambda gone, _: f"removed {gone}",
    )
