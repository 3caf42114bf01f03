"""``project``: make one, look at it, and the profiles there are."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from cli_anything.ffmpeg import document, profiles
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import Invocation, invocation, totals
from cli_anything.ffmpeg.cli.types import COLOR, FILE, RATE
from cli_anything.ffmpeg.timeline import Profile, Timeline
from cli_anything.kit.cli import emit, facts, table
from cli_anything.kit.errors import UsageError


@click.group("project")
def command() -> None:
    """Make a project, or look at it."""


@command.command("new")
@click.argument("file", type=FILE, required=False)
@click.option("--profile", "name", default=profiles.DEFAULT, show_default=True, metavar="NAME")
@click.option("--width", type=click.IntRange(16, 8192), help="Instead of the profile's.")
@click.option("--height", type=click.IntRange(16, 8192), help="Instead of the profile's.")
@click.option("--fps", type=RATE, help="Instead of the profile's: 25, 29.97, 30000/1001.")
@click.option("--background", type=COLOR, help="Shows beside pictures of another shape.")
@click.option("--overwrite", is_flag=True, help="Replace a project; the old file is kept.")
@click.pass_context
def new(
    ctx: click.Context,
    file: Path | None,
    name: str,
    width: int | None,
    height: int | None,
    fps: Fraction | None,
    background: str | None,
    overwrite: bool,
) -> None:
    """Make an empty project in FILE, or in the file --project names."""
    call = invocation(ctx)
    if file is not None and call.project is not None and file != call.project:
        raise UsageError("two files are named", hint="give FILE or --project, not both")
    workspace = Invocation(file or call.project).workspace
    base = profiles.find(name)
    profile = replace(
        base,
        width=width or base.width,
        height=height or base.height,
        rate=fps or base.rate,
        background=background or base.background,
    )
    if profile.width % 2 or profile.height % 2:
        raise UsageError(
            f"{profile.width}x{profile.height} has an odd side", hint="video needs even ones"
        )
    workspace.create(Timeline(profile), call.command, overwrite=overwrite)
    answer = {"project": str(workspace.path), "profile": document.profile_document(profile)}
    emit(ctx, answer, lambda: f"made {workspace.path}: {_line(profile)}")


@command.command("info")
@click.pass_context
def info(ctx: click.Context) -> None:
    """Show everything the project holds."""
    workspace = invocation(ctx).workspace
    timeline = workspace.timeline()
    missing = workspace.missing_media(timeline)
    answer: dict[str, Any] = {
        "project": str(workspace.path),
        "profile": document.profile_document(timeline.profile),
        "timeline": totals(timeline),
        "clips": [views.clip_view(clip, timeline) for clip in timeline.clips],
        "texts": [views.text_view(text, timeline) for text in timeline.texts],
        "audio": [views.track_view(track) for track in timeline.audio],
        "filters": [document.filter_state(use) for use in timeline.filters],
        "missing_media": missing,
    }

    def human() -> str:
        head = facts(
            {
                "project": workspace.path,
                "frame": _line(timeline.profile),
                "duration": f"{timeline.duration:.2f} s ({timeline.frames} frames)",
                "missing media": ", ".join(missing) or "none",
            }
        )
        parts = [head, views.clips_table(timeline)]
        parts += [views.texts_table(timeline)] if timeline.texts else []
        parts += [views.tracks_table(timeline)] if timeline.audio else []
        parts += [views.filters_table(timeline)] if timeline.filters else []
        return "\n\n".join(parts)

    emit(ctx, answer, human)


@command.command("profiles")
@click.pass_context
def list_profiles(ctx: click.Context) -> None:
    """List the named frame sizes and rates."""
    answer = [
        {"name": name, **document.profile_document(profile), "default": name == profiles.DEFAULT}
        for name, profile in profiles.PROFILES.items()
    ]
    rows = [(name, _line(profile)) for name, profile in profiles.PROFILES.items()]
    emit(ctx, answer, lambda: table(rows, ("profile", "frame")))


def _line(profile: Profile) -> str:
    return f"{profile.width}x{profile.height}, {document.rate_text(profile.rate)} frames/s"
