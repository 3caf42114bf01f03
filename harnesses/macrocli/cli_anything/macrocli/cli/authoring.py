"""``macro define``, ``macro parameterize`` and ``macro assist``: writing macros."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from cli_anything.kit.cli import emit, note
from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.cli.call import Call, current_call
from cli_anything.macrocli.scaffold import define, refuse_existing, require_name, write_new

_FILE = click.Path(path_type=Path)
_new_file = click.option(
    "-o", "--output", type=_FILE, help="The file; ./macros/NAME.yaml if not given."
)


@click.command("define")
@click.argument("name")
@_new_file
@click.pass_context
def define_command(ctx: click.Context, *, name: str, output: Path | None) -> None:
    """Start a new macro file."""
    path = define(name, output or Path("macros") / f"{name}.yaml")
    document = {"name": name, "file": str(path)}
    emit(ctx, document, lambda: f"{path} is yours to edit; check it with macro validate")


@click.command("assist")
@click.argument("name")
@click.option("--goal", required=True, help="What the macro is to do, in plain words.")
@click.option(
    "--screenshot", type=_FILE, help="A PNG of the screen; this one is looked at if not given."
)
@_new_file
@click.pass_context
def assist_command(
    ctx: click.Context, *, name: str, goal: str, screenshot: Path | None, output: Path | None
) -> None:
    """Let a model draft a macro from a goal and the screen. It is checked, and not run."""
    from cli_anything.macrocli.authoring.draft import draft
    from cli_anything.macrocli.chat import require_model

    environment = current_call(ctx).environment
    require_name(name)
    path = output or Path("macros") / f"{name}.yaml"
    refuse_existing(path)
    require_model(environment)
    picture = _picture(screenshot, environment)
    made = draft(name, goal, picture, path.absolute().parent, environment)
    document = {
        "name": name,
        "file": str(write_new(made.text, path)),
        "rounds": made.rounds,
        "screenshot": picture is not None,
        "danger_level": made.macro.hints.danger.value,
        "warnings": [warning.line(made.macro.source) for warning in made.macro.warnings],
    }
    emit(ctx, document, lambda: f"{document['file']}: read it, then macro dry-run {name}")


def _picture(given: Path | None, environment: dict[str, str]) -> bytes | None:
    """The screenshot to send: the file, or the screen where there is one that can be seen."""
    if given is not None:
        try:
            return given.read_bytes()
        except OSError as problem:
            raise UsageError(f"{given} cannot be read: {problem.strerror}") from None
    from cli_anything.macrocli.backends import visual_anchor

    if not visual_anchor.probe("capture_region", environment).available:
        return None
    from cli_anything.macrocli.desktop.vision import encode_png, grab

    return encode_png(grab(environment))


@click.command("parameterize")
@click.argument("name", required=False)
@click.option("--macro-file", type=_FILE, help="A macro file instead of a name.")
@click.option("--set", "chosen", multiple=True, metavar="STEP=NAME", help="Name one; may repeat.")
@click.option("--auto", is_flag=True, help="Let the model choose and name them.")
@click.option("-o", "--output", type=_FILE, help="A new file; the macro's own if not given.")
@click.pass_context
def parameterize_command(
    ctx: click.Context,
    *,
    name: str | None,
    macro_file: Path | None,
    chosen: tuple[str, ...],
    auto: bool,
    output: Path | None,
) -> None:
    """Turn the text a macro types into parameters; asks for names at a terminal."""
    from cli_anything.macrocli.authoring.typed_values import parameterized, typed_values
    from cli_anything.macrocli.edits import EditFailed
    from cli_anything.macrocli.edits.files import read_text, write_bytes
    from cli_anything.macrocli.read_macro import parse_macro

    call = current_call(ctx)
    macro, _ = call.macro(name, macro_file)
    path = Path(macro.source)
    if output is not None:
        refuse_existing(output)
    try:
        file = read_text(path)
        values = typed_values(file.text, macro.source)
        namings = _namings(call, macro.description, values, chosen, auto=auto)
        text = parameterized(file.text, values, namings, macro.parameters)
        after = parse_macro(text, source=macro.source, folder=macro.folder)
        if not call.dry_run and namings:
            write_bytes(output or path, file.encoded(text))
    except EditFailed as problem:
        raise UsageError(str(problem)) from None
    named = {naming.step: naming.name for naming in namings}
    document: dict[str, Any] = {
        "macro": after.name,
        "file": str((output or path).absolute()),
        "written": bool(namings) and not call.dry_run,
        "parameters": [{"name": one.name, "step": one.step} for one in namings],
        "kept": [value.step for value in values if value.step not in named],
    }
    emit(ctx, document, lambda: _told(document))


def _namings(
    call: Call, description: str, values: Sequence[Any], chosen: Sequence[str], *, auto: bool
) -> list[Any]:
    from cli_anything.macrocli.authoring.typed_values import Naming

    if chosen and auto:
        raise UsageError("--set and --auto exclude each other")
    if chosen:
        pairs = [pair.partition("=") for pair in chosen]
        wrong = next((pair for pair in pairs if not (pair[0] and pair[2])), None)
        if wrong is not None:
            raise UsageError(f"--set {''.join(wrong)}: write STEP=NAME")
        return [Naming(step, name) for step, _, name in pairs]
    if not values:
        return []
    if auto:
        from cli_anything.macrocli.authoring.naming import names_by_model
        from cli_anything.macrocli.chat import require_model

        require_model(call.environment)
        return names_by_model(description, values, call.environment)
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise UsageError(
            "nobody is here to ask for names",
            hint="name them with --set STEP=NAME, or use --auto",
            details={"values": [{"step": one.step, "text": one.spelling} for one in values]},
        )
    note("a name makes a parameter of it, nothing keeps the text as it is")
    asked = [(one, click.prompt(f"{one.step}: {one.spelling!r}", "", err=True)) for one in values]
    return [Naming(one.step, name.strip()) for one, name in asked if name.strip()]


def _told(document: dict[str, Any]) -> str:
    if not document["parameters"]:
        return "nothing is changed"
    lines = [f"{one['step']} is the parameter {one['name']}" for one in document["parameters"]]
    lines.append(document["file"] if document["written"] else "nothing is written: a dry run")
    return "\n".join(lines)
