"""``launch``, ``run`` and ``runs``: start installed harnesses, and look at how that went."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.passing import split_run
from cli_hub.cli.surface import Surface
from cli_hub.errors import TimedOut, UsageError
from cli_hub.install.installer import Installer
from cli_hub.runs.dispatch import Dispatcher
from cli_hub.runs.dispatch import launch as become
from cli_hub.runs.record import RunRecord, RunShelf, Status

app = HubApp()

_HANDED_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@app.command("launch", context_settings=_HANDED_ON)
def launch(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(autocompletion=completing.installed)],
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[ARGS]…", help="Everything goes to the harness.")
    ] = None,
) -> None:
    """Become the harness: nothing is added, its exit code is the answer."""
    out = surface(ctx)
    become(Installer(out.paths, warn=out.warn).find(name), arguments or [])


@app.command("run", context_settings={**_HANDED_ON, "help_option_names": []})
def run(
    ctx: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[--timeout S] NAME [--] [ARGS]…", autocompletion=completing.installed
        ),
    ] = None,
) -> int:
    """Run a harness with a record of the run; its exit code is kept.

    Options of the hub (--timeout SECONDS, --json) are read up to the first argument of the harness,
    or up to --. Its output passes through; with --json the record with both outputs is printed
    instead.
    """
    out = surface(ctx)
    if not words or words[0] in ("--help", "-h"):
        if not words:
            raise UsageError("run needs the name of a harness", hint="cli-hub run --help")
        typer.echo(ctx.get_help())
        return 0
    line = split_run(words)
    harness = Installer(out.paths, warn=out.warn).find(line.name)
    record = Dispatcher(out.paths).run(
        harness,
        line.arguments,
        timeout=line.timeout,
        on_output=None if out.json else _pass_through,
    )
    if record.status is Status.TIMED_OUT:
        out.note(f"{line.name} was ended after {record.seconds:.1f} s (exit {TimedOut.exit_code})")
    if out.json:
        out.show(record.as_document(outputs=True), lambda: None)
    else:
        out.note(f"run {record.id}: exit {record.exit_code} after {record.seconds:.2f} s")
    return record.exit_code


def _pass_through(stream: str, chunk: bytes) -> None:
    target = sys.stdout if stream == "stdout" else sys.stderr
    target.buffer.write(chunk)
    target.buffer.flush()


runs = HubApp("runs", help="The records of runs.")


@runs.command("list")
def list_runs(
    ctx: typer.Context,
    harness: Annotated[
        str, typer.Option(help="Only the runs of one harness.", autocompletion=completing.installed)
    ] = "",
    limit: Annotated[int, typer.Option(min=1, help="How many, newest first.")] = 20,
) -> None:
    """The latest runs, newest first."""
    out = surface(ctx)
    found = RunShelf(out.paths).latest(limit, harness=harness)
    out.show([record.as_document() for record in found], lambda: _table(out, found))


@runs.command("show")
def show_run(
    ctx: typer.Context,
    run_id: Annotated[str, typer.Argument(metavar="ID|latest", autocompletion=completing.runs)],
) -> None:
    """One run with its outputs. ID may be shortened."""
    out = surface(ctx)
    record = RunShelf(out.paths).find(run_id)
    out.show(record.as_document(outputs=True), lambda: _whole(out, record))


def _table(out: Surface, found: list[RunRecord]) -> None:
    if not found:
        out.line("no runs yet: cli-hub run NAME …")
        return
    out.table(
        [
            (
                record.id,
                record.harness,
                record.status.value,
                str(record.exit_code),
                f"{record.seconds:.2f} s",
                " ".join(record.argv[1:]),
            )
            for record in found
        ],
        headers=("run", "harness", "status", "exit", "time", "arguments"),
    )


def _whole(out: Surface, record: RunRecord) -> None:
    out.line(f"{record.id}  {record.harness} {record.version}", "strong")
    out.line(f"  {' '.join(record.argv)}")
    out.line(f"  in {record.cwd}, started {record.started_at}")
    out.line(f"  {record.status.value}, exit {record.exit_code}, {record.seconds:.3f} s")
    if record.problem:
        out.line(f"  {record.problem}", "bad")
    for name, text in (("stdout", record.stdout), ("stderr", record.stderr)):
        if text.strip():
            out.line(f"── {name}", "dim")
            out.line(text.rstrip())
