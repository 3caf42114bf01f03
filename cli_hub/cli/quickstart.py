"""``cli-hub quickstart``: the whole loop on this machine, with a preview to look at."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.install import make_installer
from cli_hub.cli.surface import Surface
from cli_hub.quickstart import STAGES, Outcome, Quickstart, Stage

app = HubApp()


@app.command("quickstart")
def quickstart(
    ctx: typer.Context,
    folder: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Where the video and its page go.", metavar="FOLDER"),
    ] = None,
    show: Annotated[bool, typer.Option("--open", help="Show the page in a browser.")] = False,
) -> None:
    """Find, install, run, verify and preview, end to end, in about a minute.

    Without -o the results go below the hub's own directory. Example: cli-hub quickstart -o demo
    """
    out = surface(ctx)
    target = (folder or out.paths.home / "quickstart").expanduser().absolute()
    loop = Quickstart(
        out.paths,
        out.settings,
        make_installer(out),
        target,
        lambda number, stage: _tell(out, number, stage),
    )
    outcome = loop.run()
    out.show(outcome.as_document(), lambda: _results(out, outcome))
    if show:
        typer.launch(outcome.html.as_uri())


def _tell(out: Surface, number: int, stage: Stage) -> None:
    """A line a stage: on a terminal already while it goes on, then for good."""
    head = f"{number}/{len(STAGES)} {stage.name:<12}"
    if stage.summary:
        line = f"{head} {stage.seconds:6.2f} s  {stage.summary}"
        if out.json:
            out.note(line)
        else:
            out.line(line)
    elif sys.stderr.isatty():
        print(f"{head} …", end="\r", file=sys.stderr, flush=True)


def _results(out: Surface, outcome: Outcome) -> None:
    total = sum(stage.seconds for stage in outcome.stages)
    out.line(f"done in {total:.1f} s", "good")
    out.line(f"  video  {outcome.artifact}")
    out.line(f"  page   {outcome.html}")
    out.line(f"  run    {outcome.run}  (cli-hub runs show {outcome.run})")
