"""``cli-hub macro``: macros of harnesses, the user and the project, run by the macro runtime."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.macro_text import tell
from cli_hub.cli.surface import Surface
from cli_hub.install.installer import Installer
from cli_hub.macros.definitions import Macro, choose
from cli_hub.macros.dispatch import MacroRunner
from cli_hub.runs.dispatch import Dispatcher

app = HubApp("macro", help="Find, check, explain and run macros.")

Name = Annotated[
    str,
    typer.Argument(
        help="NAME, or HARNESS/NAME, user/NAME, project/NAME.", autocompletion=completing.macros
    ),
]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="KEY=VALUE", help="A parameter.")
]


@app.command("list")
def list_macros(ctx: typer.Context) -> None:
    """List all macros: of installed harnesses, your own, and those in ./macros.

    Example: cli-hub macro list --json
    """
    out = surface(ctx)
    found = _runner(out).found
    out.show(
        [macro.as_document() for macro in found.macros],
        lambda: (
            out.table(
                [(macro.address, macro.description) for macro in found.macros],
                headers=("MACRO", "DESCRIPTION"),
            )
            if found.macros
            else out.line(
                f"no macros: no installed harness brings any, and there are none in "
                f"{out.paths.macros} or ./macros; try: cli-hub install ffmpeg macrocli"
            )
        ),
    )


@app.command("info")
def info(ctx: typer.Context, name: Name) -> None:
    """Show what a macro does, its parameters, outputs and side effects.

    Example: cli-hub macro info ffmpeg/title_clip
    """
    out = surface(ctx)
    macro = choose(name, _runner(out).found.macros)
    out.show(macro.as_document(), lambda: _describe(out, macro))


@app.command("run")
def run(
    ctx: typer.Context,
    name: Name,
    param: Parameters = None,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to a macro marked dangerous.")] = False,
) -> int:
    """Run a macro; done means its postconditions hold. The runtime's exit code is kept.

    Example: cli-hub macro run title_clip -p output=title.mp4 -p "title=Hello"
    """
    return _ask(ctx, "run", name, param, *(("--yes",) if yes else ()))


@app.command("validate")
def validate(ctx: typer.Context, name: Name) -> int:
    """Check a macro's definition without running anything."""
    return _ask(ctx, "validate", name, None)


@app.command("dry-run")
def dry_run(ctx: typer.Context, name: Name, param: Parameters = None) -> int:
    """Show what running a macro would do, without any side effect."""
    return _ask(ctx, "dry-run", name, param)


@app.command("explain")
def explain(ctx: typer.Context, name: Name) -> int:
    """Show, for each step, which backend would carry it out here, and why not the others.

    Example: cli-hub macro explain ffmpeg/title_clip
    """
    return _ask(ctx, "explain", name, None)


@app.command("map")
def map_sets(
    ctx: typer.Context,
    name: Name,
    params: Annotated[
        Path, typer.Option("--params", help="JSONL: one object of parameters a line.")
    ],
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Runs at the same time.")] = 2,
    results: Annotated[
        Path | None, typer.Option(help="JSONL of results; beside the parameters if not given.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Leave out what succeeded before.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Agree to a macro marked dangerous.")] = False,
) -> int:
    """Run a macro once for every set of parameters in a file; 1 if any failed.

    Example: cli-hub macro map title_clip --params titles.jsonl --jobs 4
    """
    options = ["--params", str(params), "--jobs", str(jobs)]
    options += ["--results", str(results)] if results else []
    options += [flag for flag, given in (("--resume", resume), ("--yes", yes)) if given]
    return _ask(ctx, "map", name, None, *options)


def _runner(out: Surface) -> MacroRunner:
    installed = Installer(out.paths, warn=out.warn).installed()
    runner = MacroRunner(out.paths, installed, Dispatcher(out.paths))
    for warning in runner.found.warnings:
        out.warn(warning)
    return runner


def _ask(
    ctx: typer.Context, verb: str, name: str, parameters: list[str] | None, *options: str
) -> int:
    out = surface(ctx)
    answer = _runner(out).ask(
        verb, name, parameters or (), options=options, on_output=_progress_of_runtime
    )
    out.show(answer.document, lambda: tell(out, verb, answer))
    return answer.exit_code


def _progress_of_runtime(stream: str, chunk: bytes) -> None:
    if stream == "stderr":
        sys.stderr.buffer.write(chunk)
        sys.stderr.buffer.flush()


def _describe(out: Surface, macro: Macro) -> None:
    out.line(f"{macro.address} {macro.version}", "strong")
    out.line(macro.description)
    out.line()
    rows = [
        (
            name,
            str(spec.get("type", "string")),
            "required" if spec.get("required") else f"default {spec.get('default', '')!r}",
            str(spec.get("description", "")),
        )
        for name, spec in macro.parameters.items()
    ]
    if rows:
        out.table(rows, headers=("PARAMETER", "TYPE", "", "MEANING"))
    for output in macro.outputs:
        out.line(f"output {output.get('name', '')}: {output.get('description', '')}")
    for hint, value in macro.agent_hints.items():
        shown = ", ".join(map(str, value)) if isinstance(value, list) else value
        out.line(f"{hint.replace('_', ' ')}: {shown}", "dim")
