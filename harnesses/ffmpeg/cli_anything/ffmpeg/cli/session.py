"""``session``: where the edit stands, undo, redo, and what was done."""

from __future__ import annotations

import click

from cli_anything.ffmpeg.cli.invocation import invocation, publish, totals
from cli_anything.kit.cli import emit, facts, table
from cli_anything.kit.project import HistoryEntry


@click.group("session")
def command() -> None:
    """Undo, redo, and the history of the project."""


@command.command("status")
@click.pass_context
def status(ctx: click.Context) -> None:
    """Say where the edit stands."""
    workspace = invocation(ctx).workspace
    project = workspace.store.load()
    answer = {
        "project": str(workspace.path),
        "revision": project.revision,
        "undo_depth": project.undo_depth,
        "redo_depth": project.redo_depth,
        "timeline": totals(workspace.timeline()),
    }
    rows = {key: value for key, value in answer.items() if key != "timeline"}
    emit(ctx, answer, lambda: facts({**rows, **totals(workspace.timeline())}))


@command.command("undo")
@click.option("--steps", type=click.IntRange(1, 100), default=1, show_default=True)
@click.pass_context
def undo(ctx: click.Context, steps: int) -> None:
    """Take back the latest changes."""
    _move(ctx, "undone", steps)


@command.command("redo")
@click.option("--steps", type=click.IntRange(1, 100), default=1, show_default=True)
@click.pass_context
def redo(ctx: click.Context, steps: int) -> None:
    """Make undone changes again."""
    _move(ctx, "redone", steps)


def _move(ctx: click.Context, word: str, steps: int) -> None:
    call = invocation(ctx)
    store = call.workspace.store
    moved = [store.undo() if word == "undone" else store.redo() for _ in range(steps)]
    answer = {
        word: [entry.as_dict() for entry in moved],
        "timeline": totals(call.workspace.timeline()),
    }
    if call.live:
        answer["preview"] = publish(call, "undo" if word == "undone" else "redo")
    emit(ctx, answer, lambda: "\n".join(f"{word}: {entry.command}" for entry in moved))


@command.command("history")
@click.option("--limit", type=click.IntRange(1, 100), default=50, show_default=True)
@click.pass_context
def history(ctx: click.Context, limit: int) -> None:
    """List what was done, oldest first."""
    entries = invocation(ctx).workspace.store.history()[-limit:]
    emit(ctx, [entry.as_dict() for entry in entries], lambda: _table(entries))


def _table(entries: tuple[HistoryEntry, ...]) -> str:
    rows = [(e.index, "undone" if e.undone else "", e.at, e.command) for e in entries]
    return table(rows, ("#", "", "when", "command")) if rows else "nothing was changed yet"
