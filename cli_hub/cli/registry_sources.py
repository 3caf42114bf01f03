"""``cli-hub registry sources``: where entries come from."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.installed_names import installed_names
from cli_hub.cli.surface import Surface
from cli_hub.registry import source_settings, sources
from cli_hub.registry.copies import Shelf
from cli_hub.registry.refreshing import Affected, Origin, Refreshed, affected, refresh
from cli_hub.registry.sources import Source
from cli_hub.registry.syncing import Access, ago

app = HubApp("sources", help="Where entries come from: the embedded registries, files, servers.")

Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="The name of the source.", autocompletion=completing.sources
    ),
]


@app.command("list")
def list_sources(ctx: typer.Context) -> None:
    """List the sources, highest priority first."""
    out = surface(ctx)
    in_force = sources.active(out.paths, out.settings)
    replaced = bool(out.settings.registries)
    known = [*in_force, *(one for one in sources.configured(out.paths) if one not in in_force)]
    rows = [_row(source, out, in_force=source in in_force) for source in known]
    if replaced:
        out.note("CLI_HUB_REGISTRY replaces the configured sources")
    out.show(rows, lambda: _print_sources(out, rows))


@app.command("add")
def add(
    ctx: typer.Context,
    name: Name,
    location: Annotated[str, typer.Argument(metavar="LOCATION", help="A path or an address.")],
    priority: Annotated[int, typer.Option(help="Higher wins; the embedded source has 50.")] = 60,
    token_env: Annotated[
        str, typer.Option(help="Variable that holds a bearer token; only its name is kept.")
    ] = "",
    max_age: Annotated[int, typer.Option(min=0, help="Seconds before it is asked again.")] = 3600,
) -> None:
    """Add a source, once it has answered.

    Example: cli-hub registry sources add corp https://clis.example.org/registry.json
    """
    out = surface(ctx)
    source = Source.at(location, name=name, priority=priority, token_env=token_env, max_age=max_age)
    source_settings.check_new(out.paths, source)
    answered = refresh(source, Access(out.paths, offline=out.settings.offline))
    if answered.problem is not None:
        raise answered.problem
    source_settings.add(out.paths, source)
    document = _row(source, out, in_force=not out.settings.registries)
    out.show(document, lambda: out.line(f"{name} added: {len(answered.records)} entries", "good"))


@app.command("remove")
def remove(ctx: typer.Context, name: Name) -> None:
    """Forget a source. What was installed from it stays installed."""
    out = surface(ctx)
    gone = source_settings.remove(out.paths, name)
    out.show(_row(gone, out, in_force=False), lambda: out.line(f"{name} removed"))


@app.command("enable")
def enable(ctx: typer.Context, name: Name) -> None:
    """Use a source again."""
    _switch(surface(ctx), name, on=True)


@app.command("disable")
def disable(ctx: typer.Context, name: Name) -> None:
    """Leave a source out, the embedded one too."""
    _switch(surface(ctx), name, on=False)


@app.command("refresh")
def refresh_sources(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]…",
            help="Which; all in force without it.",
            autocompletion=completing.sources,
        ),
    ] = None,
) -> int:
    """Ask sources again and say what was added, removed, changed and withdrawn.

    Exits as the first failure does when a source could not be asked.
    """
    out = surface(ctx)
    in_force = sources.active(out.paths, out.settings)
    chosen = [_find(out, in_force, name) for name in names] if names else list(in_force)
    access = Access(out.paths, offline=out.settings.offline)
    answers = [refresh(source, access) for source in chosen]
    found = affected(answers, _origins(out))
    document = {
        "sources": [answer.as_document() for answer in answers],
        "withdrawn": list(found.withdrawn),
        "newer": list(found.newer),
    }
    out.show(document, lambda: _print_refreshed(out, answers, found))
    failures = [answer.problem for answer in answers if answer.problem is not None]
    for problem in failures:
        out.warn(problem.message)
    return failures[0].exit_code if failures else 0


def _switch(out: Surface, name: str, *, on: bool) -> None:
    changed = source_settings.enable(out.paths, name, on=on)
    word = "enabled" if on else "disabled"
    out.show(_row(changed, out, in_force=on), lambda: out.line(f"{name} {word}"))


def _find(out: Surface, in_force: Sequence[Source], name: str) -> Source:
    found = next((source for source in in_force if source.name == name), None)
    return found or source_settings.find(out.paths, name)


def _row(source: Source, out: Surface, *, in_force: bool) -> dict[str, Any]:
    copy = Shelf.of(source, out.paths).read()
    return {
        "name": source.name,
        "kind": source.kind.value,
        "location": source.location,
        "priority": source.priority,
        "enabled": source.enabled,
        "in_force": in_force,
        "token_env": source.token_env,
        "max_age": source.max_age,
        "copy_age": round(copy.age(time.time()), 1) if copy else None,
        "copy_sha256": copy.sha256 if copy else "",
    }


def _print_sources(out: Surface, rows: Sequence[dict[str, Any]]) -> None:
    out.table(
        [
            (
                row["name"],
                row["kind"],
                str(row["priority"]),
                "yes" if row["in_force"] else "no",
                f"{ago(row['copy_age'])} ago" if row["copy_age"] is not None else "",
                row["location"],
            )
            for row in rows
        ],
        headers=("NAME", "KIND", "PRIORITY", "IN FORCE", "COPY", "LOCATION"),
    )


def _origins(out: Surface) -> list[Origin]:
    rows = installed_names(out)
    return [
        Origin(name, row.receipt.source, row.receipt.entry_version) for name, row in rows.items()
    ]


def _print_refreshed(out: Surface, answers: Sequence[Refreshed], installed: Affected) -> None:
    for answer in answers:
        found = answer.comparison
        if answer.problem is not None:
            out.line(f"{answer.source.name}: could not be asked", "bad")
            continue
        if found.same:
            out.line(f"{answer.source.name}: {len(answer.records)} entries, nothing changed")
            continue
        out.line(
            f"{answer.source.name}: {len(answer.records)} entries, {len(found.added)} added, "
            f"{len(found.removed)} removed, {len(found.changed)} changed",
            "strong",
        )
        for mark, names in (("+", found.added), ("-", found.removed), ("~", found.changed)):
            for name in names:
                out.line(f"  {mark} {name}")
    for name in installed.withdrawn:
        out.line(f"{name} is installed, but its source no longer has it", "warn")
    for name in installed.newer:
        out.line(f"{name} has a newer version: cli-hub update {name}")
