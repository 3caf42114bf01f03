"""``media``: what a file is, and a contact sheet of it. Needs no project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli_anything.ffmpeg import media
from cli_anything.ffmpeg.cli.types import FILE
from cli_anything.kit.cli import emit, facts


@click.group("media")
def command() -> None:
    """Look at media files."""


@command.command("probe")
@click.argument("file", type=FILE)
@click.pass_context
def probe(ctx: click.Context, file: Path) -> None:
    """Say what FILE holds: container, codecs, frame size and rate, exact duration."""
    answer = media.as_document(media.read(file))
    emit(ctx, answer, lambda: facts(_rows(answer)))


@command.command("sheet")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, metavar="PNG")
@click.option("--columns", type=click.IntRange(1, 12), default=4, show_default=True)
@click.option("--rows", type=click.IntRange(1, 12), default=3, show_default=True)
@click.option("--width", type=click.IntRange(32, 1920), default=320, show_default=True,
              help="Of each picture, in pixels.")  # fmt: skip
@click.option("--labels/--no-labels", default=True, help="Write the time into each picture.")
@click.option("--overwrite", is_flag=True, help="Replace the picture that is there.")
@click.pass_context
def sheet(
    ctx: click.Context,
    file: Path,
    output: Path,
    columns: int,
    rows: int,
    width: int,
    labels: bool,
    overwrite: bool,
) -> None:
    """Make a contact sheet of the video FILE: pictures at even distances, in one PNG."""
    from cli_anything.ffmpeg.sheet import Sheet, contact_sheet

    answer = contact_sheet(file, output, Sheet(columns, rows, width, labels), overwrite=overwrite)
    emit(
        ctx,
        answer,
        lambda: f"{output}: {columns}x{rows} pictures, {answer['width']}x{answer['height']}",
    )


def _rows(answer: dict[str, Any]) -> dict[str, object]:
    video, audio = answer["video"], answer["audio"]
    rows: dict[str, object] = {"file": answer["path"], "container": answer["container"]}
    rows["duration"] = "a still picture" if answer["still"] else f"{answer['duration_s']:.3f} s"
    if video:
        rate = "" if answer["still"] else f", {video['fps']} frames/s, {video['frames']} frames"
        rows["video"] = f"{video['codec']} {video['width']}x{video['height']}{rate}"
    if audio:
        rows["audio"] = f"{audio['codec']} {audio['sample_rate']} Hz {audio['channels']}"
    return rows
