"""``macro …``: what there is, whether it is sound, and running it."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from cli_anything.kit.cli import emit, note
from cli_anything.macrocli.cli import show
from cli_anything.macrocli.cli.call import current_call, parse_params
from cli_anything.macrocli.dry_run import dry_run
from cli_anything.macrocli.recorded import run_recorded

_FILE = click.Path(path_type=Path)
_macro_file = click.option("--macro-file", type=_FILE, help="A macro file instead of a name.")
_params = click.option("-p", "--param", "params", multiple=True, help="A parameter: name=value.")


WRITING: Mapping[str, tuple[str, str]] = {
    "record": ("cli_anything.macrocli.cli.record", "command"),
    "parameterize": ("cli_anything.macrocli.cli.authoring", "parameterize_command"),
    "assist": ("cli_anything.macrocli.cli.authoring", "assist_command"),
    "define": ("cli_anything.macrocli.cli.authoring", "define_command"),
}
"""Commands that make macros, by module and name: running one does not pay for importing them."""


class Macros(click.Group):
    """The commands of this module, and those that are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *WRITING]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in WRITING:
            return super().get_command(ctx, name)
        module, attribute = WRITING[name]
        found: click.Command = getattr(importlib.import_module(module), attribute)
        return found


@click.group("macro", cls=Macros)
def command() -> None:
    """Find, check and run macros."""


@command.command("run")
@click.argument("name", required=False)
@_macro_file
@_params
@click.option("--yes", is_flag=True, help="Run it although its author calls it dangerous.")
@click.pass_context
def run_command(
    ctx: click.Context,
    *,
    name: str | None,
    macro_file: Path | None,
    params: tuple[str, ...],
    yes: bool,
) -> None:
    """Run a macro to its verified result."""
    _run(ctx, name, macro_file, params, dry=current_call(ctx).dry_run, consent=yes)


@command.command("dry-run")
@click.argument("name", required=False)
@_macro_file
@_params
@click.pass_context
def dry_run_command(
    ctx: click.Context, *, name: str | None, macro_file: Path | None, params: tuple[str, ...]
) -> None:
    """Show what a run would do, and stop where it would stop before its first step."""
    _run(ctx, name, macro_file, params, dry=True, consent=False)


def _run(
    ctx: click.Context,
    name: str | None,
    file: Path | None,
    params: tuple[str, ...],
    *,
    dry: bool,
    consent: bool,
) -> None:
    call = current_call(ctx)
    recorder = call.recorder
    macro, planner = call.macro(name, file)
    given = parse_params(params)
    if dry:
        result = dry_run(planner.plan(macro, given), planner)
    else:
        result = run_recorded(
            macro, planner, given, recorder, consent=consent, progress=show.progress()
        )
    document = result.as_document()
    emit(ctx, document, lambda: show.run(document))
    ctx.exit(result.exit_code)


@command.command("list")
@click.pass_context
def list_command(ctx: click.Context) -> None:
    """List the macros that are found here."""
    from cli_anything.macrocli.cli import describe

    library = current_call(ctx).library
    clashes = library.clashes()
    entries = [describe.definition(one, library, clashes) for one in library.definitions()]
    for warning in library.warnings:
        note(f"warning: {warning}")
    emit(ctx, entries, lambda: show.definitions(entries))


@command.command("info")
@click.argument("name", required=False)
@_macro_file
@click.pass_context
def info_command(ctx: click.Context, *, name: str | None, macro_file: Path | None) -> None:
    """Show what a macro takes, does and gives."""
    from cli_anything.macrocli.cli import describe

    macro, _ = current_call(ctx).macro(name, macro_file)
    document = describe.macro(macro)
    emit(ctx, document, lambda: show.macro(document))


@command.command("validate")
@click.argument("names", nargs=-1)
@click.option("--macro-file", "files", type=_FILE, multiple=True, help="A file; may be repeated.")
@click.pass_context
def validate_command(
    ctx: click.Context, *, names: tuple[str, ...], files: tuple[Path, ...]
) -> None:
    """Check macros, all of them if none is named; every problem is told with its place."""
    from cli_anything.macrocli.validation import validate

    report = validate(current_call(ctx).library, names, files)
    emit(ctx, report.as_document(), lambda: show.validation(report.as_document()))
    ctx.exit(report.exit_code)


@command.command("explain")
@click.argument("name", required=False)
@_macro_file
@click.pass_context
def explain_command(ctx: click.Context, *, name: str | None, macro_file: Path | None) -> None:
    """Show, for each step, who would carry it out here, who would not and why."""
    from cli_anything.macrocli.cli import describe

    macro, planner = current_call(ctx).macro(name, macro_file)
    document: dict[str, Any] = describe.routes(macro, planner)
    emit(ctx, document, lambda: show.routes(document))


@command.command("map")
@click.argument("name", required=False)
@_macro_file
@click.option("--params", "sets", type=_FILE, required=True, help="JSONL, one set a line.")
@click.option("--jobs", type=click.IntRange(1, 64), default=2, show_default=True)
@click.option("--results", type=_FILE, help="JSONL; PARAMS.results.jsonl if not given.")
@click.option("--resume", is_flag=True, help="Leave out what succeeded before.")
@click.option("--yes", is_flag=True, help="Run it although its author calls it dangerous.")
@click.pass_context
def map_command(
    ctx: click.Context,
    *,
    name: str | None,
    macro_file: Path | None,
    sets: Path,
    jobs: int,
    results: Path | None,
    resume: bool,
    yes: bool,
) -> None:
    """Run one macro over many parameter sets, several at a time."""
    from cli_anything.macrocli.mapping import read_sets, run_map

    call = current_call(ctx)
    macro, planner = call.macro(name, macro_file)
    summary = run_map(
        macro,
        planner,
        read_sets(sets),
        call.recorder,
        jobs=jobs,
        results=results or sets.with_suffix(".results.jsonl"),
        resume=resume,
        consent=yes,
    )
    emit(ctx, summary.as_document(), lambda: show.mapped(summary.as_document()))
    ctx.exit(1 if summary.failed else 0)
