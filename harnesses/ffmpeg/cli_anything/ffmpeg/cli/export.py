"""``export``: turn the timeline into a verified file."""

from __future__ import annotations

from pathlib import Path

import click

from cli_anything.ffmpeg import ffmpeg, presets
from cli_anything.ffmpeg.cli.invocation import invocation
from cli_anything.ffmpeg.cli.progress import FramesDone
from cli_anything.ffmpeg.cli.types import FILE
from cli_anything.kit.cli import emit, table


@click.group("export")
def command() -> None:
    """Render the timeline into a file that is checked before it counts."""


@command.command("presets")
@click.pass_context
def list_presets(ctx: click.Context) -> None:
    """List what can be rendered, and whether this ffmpeg can."""
    encoders = ffmpeg.encoders()
    answer = [preset.as_document(encoders) for preset in presets.PRESETS.values()]
    rows = [
        (row["name"], row["suffix"], "yes" if row["available"] else "no", row["description"])
        for row in answer
    ]
    emit(ctx, answer, lambda: table(rows, ("preset", "file", "here", "what it is")))


@command.command("render")
@click.option("-o", "--output", type=FILE, required=True, metavar="FILE")
@click.option("--preset", metavar="NAME", help="Else the one that the suffix of FILE means.")
@click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
@click.option("--allow-black", is_flag=True, help="The picture may be all black.")
@click.option("--allow-silence", is_flag=True, help="The sound may be silent.")
@click.pass_context
def render(
    ctx: click.Context,
    output: Path,
    preset: str | None,
    overwrite: bool,
    allow_black: bool,
    allow_silence: bool,
) -> None:
    """Render the timeline into FILE.

    The file gets its name only when its container, streams, frame size, frame rate and duration
    are what the timeline says, and it is neither black nor silent unless the timeline is. The same
    project gives the same bytes.
    """
    from cli_anything.ffmpeg import rendering

    workspace = invocation(ctx).workspace
    chosen = presets.find(preset) if preset else presets.for_output(output)
    rendered = rendering.render(
        workspace,
        output,
        chosen,
        overwrite=overwrite,
        allowed=rendering.Allowance(black=allow_black, silence=allow_silence),
        on_progress=FramesDone(output.name, workspace.timeline().frames),
    )
    checks = len(rendered.verification.checks)
    emit(
        ctx,
        rendered.as_document(),
        lambda: (
            f"{output}: {rendered.timeline.duration:.2f} s, {output.stat().st_size:,} bytes, "
            f"{checks} checks passed"
        ),
    )
