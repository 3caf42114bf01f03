"""``macro record``: watch a person at the screen and write down a macro."""

from __future__ import annotations

from pathlib import Path

import click

from cli_anything.kit.cli import emit, note
from cli_anything.kit.errors import ApplicationMissing, UsageError
from cli_anything.macrocli import durations
from cli_anything.macrocli.backends import visual_anchor
from cli_anything.macrocli.cli.call import current_call


@click.command("record")
@click.argument("name")
@click.argument("command", nargs=-1)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder that is made; ./macros/NAME if not given.",
)
@click.option("--timeout", default="10m", show_default=True, help="When it ends at the latest.")
@click.option("--stop-key", default="ctrl+shift+f12", show_default=True, help="Ends it.")
@click.option(
    "--keep-typed-text",
    is_flag=True,
    help="Write down text too where it cannot be told whether it is a password.",
)
@click.pass_context
def command(
    ctx: click.Context,
    *,
    name: str,
    command: tuple[str, ...],
    output: Path | None,
    timeout: str,
    stop_key: str,
    keep_typed_text: bool,
) -> None:
    """Record keyboard, mouse and windows as a macro; COMMAND (after --) is started first.

    Text typed into password fields is never written down: it becomes a parameter.
    """
    environment = current_call(ctx).environment
    found = visual_anchor.probe("wait_image", environment)
    if not found.available:
        raise ApplicationMissing(found.reason, hint=found.remedy)
    from cli_anything.macrocli.recording.listening import hot_key
    from cli_anything.macrocli.recording.record import Wish, record
    from cli_anything.macrocli.scaffold import require_name

    require_name(name)
    try:
        seconds = durations.seconds(timeout)
    except ValueError as problem:
        raise UsageError(f"--timeout: {problem}") from None
    wish = Wish(
        name, output or Path("macros") / name, hot_key(stop_key), seconds, command, keep_typed_text
    )
    done = record(wish, environment, lambda: note(f"recording; {stop_key} ends it"))
    document = {
        "name": name,
        "file": str(done.file),
        "steps": done.steps,
        "seconds": round(done.seconds, 1),
        "ended_by": done.ended_by.value,
        "parameters": list(done.withheld),
        "notes": list(done.notes),
    }
    told = f"{done.file}: {done.steps} steps; try it with macro run --macro-file, or edit it"
    emit(ctx, document, lambda: "\n".join((told, *(f"note: {one}" for one in done.notes))))
