"""``capture-template``: a picture of a part of the screen, for macros to find again."""

from __future__ import annotations

from pathlib import Path

import click

from cli_anything.kit.cli import emit
from cli_anything.kit.errors import ApplicationMissing, UsageError
from cli_anything.macrocli.backends import visual_anchor
from cli_anything.macrocli.cli.call import current_call


@click.command("capture-template")
@click.argument("output", type=click.Path(path_type=Path))
@click.option(
    "--region",
    type=(int, int, int, int),
    required=True,
    metavar="X Y WIDTH HEIGHT",
    help="Pixels from the screen's upper left.",
)
@click.pass_context
def command(ctx: click.Context, *, output: Path, region: tuple[int, int, int, int]) -> None:
    """Save a part of the screen as PNG, and say how well it can be found again."""
    environment = current_call(ctx).environment
    found = visual_anchor.probe("wait_image", environment)
    if not found.available:
        raise ApplicationMissing(found.reason, hint=found.remedy)
    from cli_anything.macrocli.desktop import vision

    if min(region) < 0 or min(region[2:]) < 4:
        raise UsageError("a region lies on the screen and is at least 4 pixels wide and high")
    screen = vision.grab(environment)
    x, y, width, height = region
    picture = screen[y : y + height, x : x + width]
    if picture.shape[:2] != (height, width):
        raise UsageError(f"the screen is only {screen.shape[1]}×{screen.shape[0]}")
    try:
        vision.save_png(picture, output)
        template = vision.load_template(output)
    except OSError as problem:
        raise UsageError(f"{output} cannot be written: {problem.strerror}") from None
    except vision.BadTemplate as problem:
        output.unlink(missing_ok=True)
        raise UsageError(str(problem), hint="take in more of what is around it") from None
    places = vision.count_places(screen, template, 0.95)
    document = {"file": str(output.absolute()), "region": list(region), "places": places}
    emit(ctx, document, lambda: _told(document))


def _told(document: dict[str, object]) -> str:
    if document["places"] == 1:
        return f"{document['file']}: it is on the screen once"
    return f"{document['file']}: it is on the screen {document['places']} times; take in more"
