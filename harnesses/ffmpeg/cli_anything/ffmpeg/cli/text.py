"""``text``: titles over the picture."""

from __future__ import annotations

from typing import Any

import click

from cli_anything.ffmpeg import edits
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import edit, invocation
from cli_anything.ffmpeg.cli.types import COLOR, SECONDS
from cli_anything.ffmpeg.timeline import Anchor, Text, Timeline
from cli_anything.kit.cli import emit
from cli_anything.kit.errors import UsageError

_SIZE_PART = 9
"""A text is this part of the frame's height unless told otherwise."""


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
@click.option("--dx", type=click.IntRange(-8192, 8192), default=0, help="Pixels to the right.")
@click.option("--dy", type=click.IntRange(-8192, 8192), default=0, help="Pixels down.")
@click.option("--size", type=click.IntRange(4, 2000), help="In pixels; else a ninth of the height.")
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
    size: int | None,
    **look: Any,
) -> None:
    """Write TEXT over the picture. Put -- before a text that begins with a dash.

    Long lines are broken; a line feed begins a new one. A character that no font here can draw, or
    a text that does not fit the frame, is an error.
    """
    from cli_anything.ffmpeg import lettering

    if end is not None and duration is not None:
        raise UsageError("give --end or --duration, not both")
    until = end if duration is None else start + duration
    written = lettering.check_text(words)

    def change(timeline: Timeline) -> tuple[Timeline, Text]:
        pixels = size or max(8, timeline.profile.height // _SIZE_PART)
        text = Text("", written, start, until, Anchor(position), pixels, **look)
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
