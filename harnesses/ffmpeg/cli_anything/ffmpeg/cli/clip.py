"""``clip``: the pictures on the timeline, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli_anything.ffmpeg import edits, media
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import edit, invocation, totals
from cli_anything.ffmpeg.cli.types import COLOR, FILE, SECONDS
from cli_anything.ffmpeg.timeline import Clip, Pattern, Source, SourceKind, Timeline
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.cli import emit, facts
from cli_anything.kit.errors import UsageError


@click.group("clip")
def command() -> None:
    """Add, cut, order and time the clips."""


@command.command("add")
@click.argument("file", type=FILE, required=False)
@click.option("--color", "--colour", type=COLOR, help="A plain color instead of a FILE.")
@click.option("--gradient", type=(COLOR, COLOR), metavar="COLOR COLOR", help="A gradient.")
@click.option("--angle", type=click.FloatRange(-360, 360), default=90.0, show_default=True,
              help="Of the gradient: 0 left to right, 90 top to bottom.")  # fmt: skip
@click.option("--pattern", type=click.Choice([each.value for each in Pattern]),
              help="A test pattern.")  # fmt: skip
@click.option("--in", "start", type=SECONDS, default="0", help="Begin here in the source.")
@click.option("--out", "end", type=SECONDS, help="End here in the source.")
@click.option("--duration", type=SECONDS, help="Length on the timeline, instead of --out.")
@click.option("--speed", type=float, default=1.0, show_default=True, help="2 is twice as fast.")
@click.option("--volume", type=float, default=1.0, show_default=True, help="Of its own sound.")
@click.option("--position", type=int, help="Place in the order, from 1; else at the end.")
@click.pass_context
def add(
    ctx: click.Context,
    /,
    file: Path | None,
    color: str | None,
    gradient: tuple[str, str] | None,
    angle: float,
    pattern: str | None,
    **place: Any,
) -> None:
    """Add a clip: a video or picture FILE, or a color, a gradient or a pattern.

    Times are seconds (2.5) or minutes:seconds (1:02.5). Pictures and generated clips last 3 s
    unless told otherwise.
    """
    chosen = [given for given in (file, color, gradient, pattern) if given]
    if len(chosen) != 1:
        raise UsageError(
            "say what to add" if not chosen else "one clip shows one thing",
            hint="give a FILE, or one of --color, --gradient and --pattern",
        )
    if file is not None:
        source = _media_source(file, invocation(ctx).workspace)
    elif color is not None:
        source = Source(SourceKind.COLOR, colors=(color,))
    elif gradient is not None:
        source = Source(SourceKind.GRADIENT, colors=gradient, angle=angle)
    else:
        source = Source(SourceKind.PATTERN, pattern=Pattern(pattern or Pattern.TEST))
    edit(ctx, lambda timeline: edits.add_clip(timeline, source, **place), _document, _added)


def _media_source(file: Path, workspace: Workspace) -> Source:
    found = media.read(file)
    if found.video is None:
        raise UsageError(f"{file.name} has no picture", hint="add its sound with audio add")
    return Source(
        SourceKind.MEDIA,
        path=workspace.stored_path(file),
        still=found.is_still,
        audio=found.audio is not None,
        length=0.0 if found.is_still else round(float(found.video.duration), 6),
    )


def _document(clip: Clip, timeline: Timeline) -> dict[str, Any]:
    return {"clip": views.clip_view(clip, timeline)}


def _added(clip: Clip, timeline: Timeline) -> str:
    view = views.clip_view(clip, timeline)
    return (
        f"{clip.id}: {clip.source.label}, {view['duration_s']:.2f} s from {view['start_s']:.2f} s"
    )


@command.command("list")
@click.pass_context
def list_clips(ctx: click.Context) -> None:
    """List the clips in their order."""
    timeline = invocation(ctx).workspace.timeline()
    answer = [views.clip_view(clip, timeline) for clip in timeline.clips]
    emit(ctx, answer, lambda: views.clips_table(timeline))


@command.command("get")
@click.argument("clip_id", metavar="ID")
@click.pass_context
def get(ctx: click.Context, clip_id: str) -> None:
    """Show one clip."""
    timeline = invocation(ctx).workspace.timeline()
    answer = views.clip_view(edits.find(timeline.clips, clip_id, "clip"), timeline)
    emit(ctx, answer, lambda: facts(answer))


@command.command("trim")
@click.argument("clip_id", metavar="ID")
@click.option("--in", "start", type=SECONDS, help="Begin here in the source.")
@click.option("--out", "end", type=SECONDS, help="End here in the source.")
@click.option("--duration", type=SECONDS, help="Length on the timeline, instead of --out.")
@click.pass_context
def trim(ctx: click.Context, /, clip_id: str, **points: Any) -> None:
    """Move the in and out points of a clip."""
    edit(ctx, lambda timeline: edits.trim_clip(timeline, clip_id, **points), _document, _added)


@command.command("move")
@click.argument("clip_id", metavar="ID")
@click.option("--position", "--to", type=int, required=True, help="Place in the order, from 1.")
@click.pass_context
def move(ctx: click.Context, clip_id: str, position: int) -> None:
    """Give a clip another place in the order."""
    edit(
        ctx,
        lambda timeline: (edits.move_clip(timeline, clip_id, position), position),
        lambda _, timeline: {"clips": [clip.id for clip in timeline.clips]},
        lambda _, timeline: "order: " + ", ".join(clip.id for clip in timeline.clips),
    )


@command.command("remove")
@click.argument("clip_id", metavar="ID")
@click.pass_context
def remove(ctx: click.Context, clip_id: str) -> None:
    """Take a clip off the timeline, with its filters."""
    edit(
        ctx,
        lambda timeline: (edits.remove_clip(timeline, clip_id), clip_id),
        lambda gone, _: {"removed": gone},
        lambda gone, timeline: f"removed {gone}; {totals(timeline)['duration_s']:.2f} s are left",
    )


@command.command("speed")
@click.argument("clip_id", metavar="ID")
@click.argument("factor", type=float)
@click.pass_context
def speed(ctx: click.Context, clip_id: str, factor: float) -> None:
    """Play a clip FACTOR times as fast; its sound keeps its pitch."""
    edit(ctx, lambda timeline: edits.set_speed(timeline, clip_id, factor), _document, _added)
