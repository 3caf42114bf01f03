"""``cli-hub macro``: macros of all installed harnesses, run by the macro runtime."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.surface import Surface
from cli_hub.install.installer import Installer
from cli_hub.macros.definitions import Macro, choose
from cli_hub.macros.dispatch import Answer, MacroRunner
from cli_hub.runs.dispatch import Dispatcher

app = HubApp("macro", help="Macros of installed harnesses: list, info, run, validate, dry-run.")

Name = Annotated[str, typer.Argument(help="A macro: NAME, or HARNESS/NAME.")]
Parameters = Annotated[
    list[str] | None, typer.Option("--param", "-p", metavar="KEY=VALUE", help="A parameter.")
]


@app.command("list")
def list_macros(ctx: typer.Context) -> None:
    """List the macros of all installed harnesses.

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
                "no installed harness brings macros; try: cli-hub install ffmpeg macrocli"
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
    out.show(answer.document, lambda: _tell(out, answer))
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
        out.line(f"{hint}: {value}", "dim")


def _tell(out: Surface, answer: Answer) -> None:
    document = answer.document
    steps: list[dict[str, Any]] = document.get("steps") or []
    if steps:
        out.table(
            [
                (str(step.get("id", "")), str(step.get("status", "")), str(step.get("backend", "")))
                for step in steps
            ],
            headers=("STEP", "STATUS", "BACKEND"),
        )
    outputs = document.get("output") or {}
    for name, value in outputs.items() if isinstance(outputs, dict) else ():
        out.line(f"{name}: {value}", "good")
    error = document.get("error")
    if "status" in document and isinstance(error, dict):
        # What failed before its first step, the runtime has said on standard error itself.
        out.problem(str(error.get("message", "")), str(error.get("hint", "")))
    if "status" in document:
        out.line(f"{document['status']}, run {answer.record.id}")
