"""The program: builds the command tree and turns what happened into output and an exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer
from typer import _click

from cli_hub import __version__, config, paths
from cli_hub.cli.app import HubApp, LazyGroup
from cli_hub.cli.ending import carry_out
from cli_hub.cli.passing import own_words
from cli_hub.cli.surface import Surface
from cli_hub.errors import Interrupted, UsageError

COMMANDS = {
    "list": "cli_hub.cli.catalogue",
    "search": "cli_hub.cli.catalogue",
    "info": "cli_hub.cli.catalogue",
    "can": "cli_hub.cli.catalogue",
    "install": "cli_hub.cli.installing",
    "uninstall": "cli_hub.cli.installing",
    "update": "cli_hub.cli.lifecycle",
    "outdated": "cli_hub.cli.lifecycle",
    "rollback": "cli_hub.cli.lifecycle",
    "pin": "cli_hub.cli.lifecycle",
    "unpin": "cli_hub.cli.lifecycle",
    "export": "cli_hub.cli.lifecycle",
    "import": "cli_hub.cli.lifecycle",
    "gc": "cli_hub.cli.lifecycle",
    "lock": "cli_hub.cli.lock",
    "sync": "cli_hub.cli.lock",
    "doctor": "cli_hub.cli.doctor",
    "launch": "cli_hub.cli.run",
    "run": "cli_hub.cli.run",
    "runs": "cli_hub.cli.runs",
    "previews": "cli_hub.cli.previews",
    "skill": "cli_hub.cli.skill",
    "macro": "cli_hub.cli.macro",
    "quickstart": "cli_hub.cli.quickstart",
    "registry": "cli_hub.cli.registry",
    "schema": "cli_hub.cli.schema",
}


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"cli-hub {__version__}")
        raise typer.Exit


class Commands(LazyGroup):
    modules = COMMANDS


app = HubApp(
    help="Find, install, run and watch agent-native harnesses over real software.", completion=True
)


@app.callback(cls=Commands, invoke_without_command=False)
def root(
    ctx: typer.Context,
    json: Annotated[
        bool, typer.Option("--json", help="Print exactly one JSON document on standard output.")
    ] = False,
    _version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version."),
    ] = False,
) -> None:
    """Find, install, run and watch agent-native harnesses over real software."""
    if json:
        ctx.find_root().obj.json = True


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code (the console script's entry)."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    surface = Surface(
        paths=paths.from_environment(),
        settings=config.load(),
        json="--json" in own_words(argv),
    )
    return carry_out(surface, lambda: _dispatch(argv, surface))


def _dispatch(argv: list[str], surface: Surface) -> int:
    try:
        result = typer.main.get_command(app).main(
            args=argv, prog_name="cli-hub", standalone_mode=False, obj=surface
        )
    except _click.exceptions.ClickException as problem:
        raise UsageError(problem.format_message(), hint=_usage_hint(problem)) from None
    except (typer.Abort, KeyboardInterrupt):
        raise Interrupted("interrupted") from None
    if result == Interrupted.exit_code:
        raise Interrupted("interrupted")
    return result if isinstance(result, int) else 0


def _usage_hint(problem: _click.exceptions.ClickException) -> str:
    context = getattr(problem, "ctx", None)
    return f"{context.command_path if context else 'cli-hub'} --help shows what it takes"


if __name__ == "__main__":
    raise SystemExit(main())
