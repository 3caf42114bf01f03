"""``filter``: effects on a clip or on everything."""

from __future__ import annotations

from typing import Any

import click

from cli_anything.ffmpeg import document, edits, filters
from cli_anything.ffmpeg.cli import views
from cli_anything.ffmpeg.cli.invocation import edit, invocation
from cli_anything.kit.cli import emit, table
from cli_anything.kit.errors import UsageError


@click.group("filter")
def command() -> None:
    """Add and remove effects."""


@command.command("list-available")
@click.pass_context
def list_available(ctx: click.Context) -> None:
    """List every filter with its values and their bounds."""
    answer = [spec.as_document() for spec in filters.CATALOGUE.values()]
    rows = [
        (spec.name, ", ".join(map(_parameter, spec.parameters)) or "-", spec.help)
        for spec in filters.CATALOGUE.values()
    ]
    emit(ctx, answer, lambda: table(rows, ("filter", "values (default, bounds)", "what it does")))


def _parameter(parameter: filters.Parameter) -> str:
    if parameter.kind == "number":
        return f"{parameter.name} ({parameter.default:g}, {parameter.low:g} to {parameter.high:g})"
    words = " ".join(parameter.choices)
    return f"{parameter.name} ({parameter.default}{', ' + words if words else ''})"


@command.command("add")
@click.argument("name")
@click.argument("values", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--clip", "clip_id", metavar="ID", help="On this clip; else on everything.")
@click.pass_context
def add(ctx: click.Context, name: str, values: tuple[str, ...], clip_id: str | None) -> None:
    """Add the filter NAME; values not given take their defaults."""
    given: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals:
            raise UsageError(f"{value!r} is not NAME=VALUE", hint="for example: amount=0.2")
        given[key] = text
    edit(
        ctx,
        lambda timeline: edits.add_filter(timeline, name, given, clip_id),
        lambda use, _: {"filter": document.filter_state(use)},
        lambda use, _: f"{use.id}: {use.name} on {use.clip or 'everything'}",
    )


@command.command("list")
@click.pass_context
def list_filters(ctx: click.Context) -> None:
    """List the filters of the project, in the order they work."""
    timeline = invocation(ctx).workspace.timeline()
    answer = [document.filter_state(use) for use in timeline.filters]
    emit(ctx, answer, lambda: views.filters_table(timeline))


@command.command("remove")
@click.argument("filter_id", metavar="ID")
@click.pass_context
def remove(ctx: click.Context, filter_id: str) -> None:
    """Take a filter away."""
    edit(
        ctx,
        lambda timeline: (edits.remove_filter(timeline, filter_id), filter_id),
        lambda gone, _: {"removed": gone},
        lambda gone, _: f"removed {gone}",
    )
