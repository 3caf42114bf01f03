"""``preview``: publish what the project looks like."""

from __future__ import annotations

from typing import Any

import click

from cli_anything.ffmpeg import previews
from cli_anything.ffmpeg.cli.invocation import Invocation, invocation
from cli_anything.ffmpeg.cli.progress import FramesDone
from cli_anything.ffmpeg.live import Live
from cli_anything.kit.cli import emit, facts, table
from cli_anything.kit.errors import NotFound
from cli_anything.kit.preview import Published

_RECIPE = click.option("--recipe", default="quick", show_default=True, metavar="NAME")


@click.group("preview")
def command() -> None:
    """Publish preview bundles and a live session of the project."""


@command.command("recipes")
@click.pass_context
def recipes(ctx: click.Context) -> None:
    """List the ways to look at a project."""
    answer = [recipe.as_document() for recipe in previews.RECIPES.values()]
    rows = [(recipe.name, recipe.help) for recipe in previews.RECIPES.values()]
    emit(ctx, answer, lambda: table(rows, ("recipe", "what it shows")))


@command.command("capture")
@_RECIPE
@click.option("--force", is_flag=True, help="Make a new bundle even of an unchanged project.")
@click.pass_context
def capture(ctx: click.Context, recipe: str, force: bool) -> None:
    """Publish a bundle of the project as it is now; an unchanged project gives the one there is."""
    call = invocation(ctx)
    workspace = call.workspace
    progress = FramesDone("preview", workspace.timeline().frames)
    published = previews.capture(
        workspace, previews.find_recipe(recipe), call.command, force=force, on_progress=progress
    )
    _show(ctx, published)


@command.command("latest")
@_RECIPE
@click.pass_context
def latest(ctx: click.Context, recipe: str) -> None:
    """Show the newest bundle of the project."""
    workspace = invocation(ctx).workspace
    workspace.store.load()
    published = previews.publisher(workspace).latest(previews.find_recipe(recipe).name)
    if published is None:
        raise NotFound("there is no preview yet", hint="make one: preview capture")
    _show(ctx, published)


@command.group("live")
def live() -> None:
    """A session that shows every step; edits with --live publish to it."""


@live.command("start")
@_RECIPE
@click.pass_context
def start(ctx: click.Context, recipe: str) -> None:
    """Begin the project's live session, or go on with it."""
    session = _live(invocation(ctx), recipe)
    session.workspace.store.load()
    session.open()
    _show_session(ctx, session)


@live.command("publish")
@_RECIPE
@click.option("--note", "remark", default="", help="A remark beside the step.")
@click.pass_context
def publish(ctx: click.Context, recipe: str, remark: str) -> None:
    """Publish the project as it is now as a step."""
    call = invocation(ctx)
    session = _live(call, recipe)
    published = session.publish(call.command, call.started_at, reason="manual", note=remark)
    _show(ctx, published)


@live.command("status")
@_RECIPE
@click.pass_context
def status(ctx: click.Context, recipe: str) -> None:
    """Show the session and its newest step."""
    _show_session(ctx, _live(invocation(ctx), recipe))


@live.command("stop")
@_RECIPE
@click.pass_context
def stop(ctx: click.Context, recipe: str) -> None:
    """Say that no more steps will come."""
    session = _live(invocation(ctx), recipe)
    session.find().stop()
    _show_session(ctx, session)


def _live(call: Invocation, recipe: str) -> Live:
    return Live(call.workspace, previews.find_recipe(recipe))


def _show(ctx: click.Context, published: Published) -> None:
    answer = published.as_dict()
    emit(
        ctx,
        answer,
        lambda: (
            f"{answer['status']}{' (nothing changed)' if published.cached else ''}: "
            f"{answer['bundle_dir']}\nlook at it: cli-hub previews open {answer['bundle_dir']}"
        ),
    )


def _show_session(ctx: click.Context, session: Live) -> None:
    head = session.find().head()
    answer: dict[str, Any] = {
        "session_dir": str(session.folder),
        "status": head["status"],
        "steps": head["trajectory_step_count"],
        "current_step_id": head.get("current_step_id"),
        "current_bundle_id": head.get("current_bundle_id"),
        "latest_command": head.get("latest_command", ""),
    }
    emit(ctx, answer, lambda: facts(answer))
