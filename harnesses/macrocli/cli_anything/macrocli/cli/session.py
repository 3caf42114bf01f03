"""``session …``: what was run, and how it went."""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli_anything.kit.cli import emit, table
from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.cli.call import current_call

_session = click.argument("session", required=False)


@click.group("session")
def command() -> None:
    """Look at recorded runs; --session-id names the session runs are recorded in."""


@command.command("status")
@_session
@click.pass_context
def status_command(ctx: click.Context, *, session: str | None) -> None:
    """Show one session in numbers."""
    call = current_call(ctx)
    document = call.records.status(call.session_or(session))
    emit(
        ctx,
        document,
        lambda: (
            f"{document['session']}: {document['runs']} runs, {document['failed']} failed, "
            f"from {document['first']} to {document['last']}"
        ),
    )


@command.command("history")
@_session
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True)
@click.pass_context
def history_command(ctx: click.Context, *, session: str | None, limit: int) -> None:
    """List the last runs of a session, newest first."""
    call = current_call(ctx)
    runs = call.records.history(call.session_or(session), limit)
    emit(
        ctx,
        runs,
        lambda: (
            table([(r["started_at"], r["id"], r["macro"], r["status"]) for r in runs])
            or "nothing was run in this session"
        ),
    )


@command.command("list")
@click.pass_context
def list_command(ctx: click.Context) -> None:
    """List all sessions."""
    found = current_call(ctx).records.sessions()
    emit(
        ctx,
        found,
        lambda: (
            table([(s["session"], f"{s['runs']} runs", f"{s['failed']} failed") for s in found])
            or "nothing has been run yet"
        ),
    )


@command.command("save")
@_session
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
@click.pass_context
def save_command(ctx: click.Context, *, session: str | None, output: Path) -> None:
    """Write a whole session, answers included, to a JSON file."""
    call = current_call(ctx)
    document = call.records.export(call.session_or(session))
    try:
        output.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", "utf-8")
    except OSError as problem:
        raise UsageError(f"{output} cannot be written: {problem.strerror}") from None
    saved = {"file": str(output.absolute()), "runs": len(document["history"])}
    emit(ctx, saved, lambda: f"{saved['runs']} runs are in {saved['file']}")
