"""``text``: titles over the picture."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from cli_anything.ffmpeg import edits
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import edit, invocation
from cli_anything.ffmpeg.cli.types import COLOR, LENGTH, SECONDS
from cli_anything.ffmpeg.timeline import Anchor, Text, Timeline
from cli_anything.ffmpeg.values import Length
from cli_anything.kit.cli import emit
from cli_anything.kit.errors import UsageError


@click.group("text")
def command() -> None:
    """Add and remove texts over the picture."""


@command.command("add")
@click.argument("words", metavar="TEXT")
@click.option("--start", type=SECONDS, default="0", help="Shown from here on the timeline.")
@click.option("--end", type=SECONDS, help="Shown until here; else to the end of the timeline.")
@click.option("--duration", type=SECONDS, help="Shown for so long, instead of --end.")
@click.option("--position", type=click.Choice([each.value for each in Anchor]), default="center",
              show_default=True)  # fmt: skip
@click.option("--dx", type=LENGTH, default="0", help="So far to the right of its position.")
@click.option("--dy", type=LENGTH, default="0", help="So far below its position.")
@click.option("--size", type=LENGTH, default="11%", show_default=True)
@click.option("--max-lines", type=click.IntRange(1, 50),
              help="Make it smaller until it fits into so many lines.")  # fmt: skip
@click.option("--color", "--colour", type=COLOR, default="white", show_default=True)
@click.option("--bold", is_flag=True)
@click.option("--box", type=COLOR, help="A box of this color behind the text.")
@click.option("--fade", type=click.FloatRange(0, 60), default=0.0, help="Seconds in and out.")
@click.pass_context
def add(
    ctx: click.Context,
    /,
    words: str,
    start: float,
    end: float | None,
    duration: float | None,
    position: str,
    dx: Length,
    dy: Length,
    size: Length,
    max_lines: int | None,
    **look: Any,
) -> None:
    """Write TEXT over the picture. Put -- before a text that begins with a dash.

    Lengths are pixels (40) or parts of the frame's height (12%). Long lines are broken; a line feed
    begins a new one. A character that no font here can draw, or
    a text that does not fit the frame, is an error.
    """
    from cli_anything.ffmpeg import lettering

    if end is not None and duration is not None:
        raise UsageError("give --end or --duration, not both")
    until = end if duration is None else start + duration
    written = lettering.check_text(words)

    def change(timeline: Timeline) -> tuple[Timeline, Text]:
        height = timeline.profile.height
        pixels = max(8, size.pixels(height))
        text = Text("", written, start, until, Anchor(position), pixels, **look)
        text = replace(text, dx=dx.pixels(height), dy=dy.pixels(height))
        if max_lines is not None:
            text = lettering.shrunk(text, timeline.profile, max_lines)
        lettering.draw(text, timeline.profile)  # to find out now what cannot be drawn
        return edits.add_text(timeline, text)

    edit(
        ctx,
        change,
        lambda text, timeline: {"text": views.text_view(text, timeline)},
        lambda text, timeline: (
            f"{text.id}: shown for {views.text_view(text, timeline)['shown_s']:.2f} s "
            f"from {text.start:.2f} s"
        ),
    )


@command.command("list")
@click.pass_context
def list_texts(ctx: click.Context) -> None:
    """List the texts; later ones lie over earlier ones."""
    timeline = invocation(ctx).workspace.timeline()
    answer = [views.text_view(text, timeline) for text in timeline.texts]
    emit(ctx, answer, lambda: views.texts_table(timeline))


@command.command("remove")
@click.argument("text_id", metavar="ID")
@click.pass_context
def remove(ctx: click.Context, text_id: str) -> None:
    """Take a text away."""
    edit(
        ctx,
        lambda timeline: (edits.remove_text(timeline, text_id), text_id),
        lambda gone, _: {"removed": gone},
        lambda gone, _: f"removed {gone}",
    )
