"""The program: ``cli-anything-macrocli``."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence

import click

from cli_anything.kit.cli import HarnessGroup, json_option, run_main
from cli_anything.macrocli import __version__
from cli_anything.macrocli.cli.call import Call, current_call

PROGRAM = "cli-anything-macrocli"

COMMANDS: Mapping[str, str] = {
    "macro": "cli_anything.macrocli.cli.macro",
    "session": "cli_anything.macrocli.cli.session",
    "capture-template": "cli_anything.macrocli.cli.capture",
    "backends": "cli_anything.macrocli.cli.backends",
}


class Commands(HarnessGroup):
    """Imports the module of a command only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx  # the same for every call
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        del ctx
        if name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(COMMANDS[name]).command
        return found


@click.group(cls=Commands, name=PROGRAM, invoke_without_command=True)
@json_option
@click.version_option(__version__, prog_name=PROGRAM)
@click.option("--dry-run", is_flag=True, help="Say what would be done and do nothing.")
@click.option("--session-id", default="", help="Record runs under this session.")
@click.pass_context
def program(ctx: click.Context, *, dry_run: bool, session_id: str) -> None:
    """Turn workflows over real software into one command with parameters, checks and a result."""
    ctx.obj = Call(dry_run=dry_run, session_id=session_id)
    if ctx.invoked_subcommand is None:
        _greet(ctx)


def _greet(ctx: click.Context) -> None:
    """Without a command: interactive at a terminal, help anywhere else."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        click.echo(ctx.get_help())
        return
    from cli_anything.macrocli.places import repl_history
    from cli_anything.macrocli.repl import interact

    call = current_call(ctx)
    names = [one.name for one in call.library.definitions()]
    ctx.exit(interact(program, main, lambda: names, repl_history(call.environment)))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (the console script's entry)."""
    return run_main(program, PROGRAM, arguments)
