"""``application``: is ffmpeg here, which, and is it new enough?"""

from __future__ import annotations

import click

from cli_anything.ffmpeg import ffmpeg
from cli_anything.kit.cli import emit, facts
from cli_anything.kit.errors import ApplicationMissing


@click.command("application")
@click.pass_context
def command(ctx: click.Context) -> int:
    """Say which ffmpeg is used, and its version. Exits with 5 when there is none."""
    probe = ffmpeg.probe()
    emit(ctx, probe.as_dict(), lambda: facts(probe.as_dict()))
    return 0 if probe.satisfied else ApplicationMissing.exit_code
