"""``cli-anything-ffmpeg``: the root command, its global options, and the entry point."""

from __future__ import annotations

import importlib
from pathlib import Path

import click

from cli_anything.ffmpeg import ENTRY_POINT, __version__
from cli_anything.ffmpeg.cli.invocation import Invocation
from cli_anything.kit.cli import HarnessGroup, json_option, run_main

COMMANDS = (
    "application", "project", "media", "clip", "text", "audio", "filter", "export", "preview",
    "session",
)  # fmt: skip


class _Root(HarnessGroup):
    """Imports the module of a command only when it is called or listed."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"cli_anything.ffmpeg.cli.{cmd_name}")
        command: click.Command = module.command
        return command


@click.group(
    cls=_Root,
    no_args_is_help=False,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Begin with: "
    f"{ENTRY_POINT} --project film.json project new, then clip add, text add, export render.",
)
@click.option(
    "--project",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The project file. This and the next two may stand anywhere on the line.",
)
@json_option
@click.option(
    "--live",
    is_flag=True,
    help="After an edit, publish a preview of it to the project's live session.",
)
@click.version_option(__version__, prog_name=ENTRY_POINT)
@click.pass_context
def cli(ctx: click.Context, project: Path | None, live: bool) -> None:
    """Edit, title, render and verify video through the real ffmpeg.

    A project is a timeline in a JSON file: clips that follow each other, texts, audio tracks and
    filters. An export counts as done only when the file is what the timeline says.
    """
    ctx.obj = Invocation(project, live=live)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> int:
    """The console script."""
    return run_main(cli, ENTRY_POINT)
