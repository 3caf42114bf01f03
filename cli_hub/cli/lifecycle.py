"""``update``, ``outdated``, ``pin``, ``unpin``, ``rollback``, ``gc``, ``export``, ``import``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.entries import known_entries, open_entries
from cli_hub.cli.install import make_installer, plan_one, progress, report
from cli_hub.cli.surface import Surface
from cli_hub.errors import HubError, NotInstalled, UsageError
from cli_hub.install import cleaning, outdated, sets
from cli_hub.install.batch import OF_ACTION, Outcome, Status, for_each
from cli_hub.install.plan import Action, Wish
from cli_hub.install.request import parse_request

app = HubApp()

Some = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME]…", autocompletion=completing.installed)
]
Name = Annotated[str, typer.Argument(metavar="NAME", autocompletion=completing.installed)]


@app.command("update")
def update(
    ctx: typer.Context,
    names: Some = None,
    everything: Annotated[bool, typer.Option("--all", help="All that are installed.")] = False,
    allow_scripts: Annotated[bool, typer.Option(help="Agree to scripts and commands.")] = False,
) -> int:
    """Bring harnesses to the newest version that their entries allow.

    What is pinned stays; what cannot be updated stays as it is and is reported.
    """
    out = surface(ctx)
    installer = make_installer(out)
    installed = installer.installed()
    if not names and not everything:
        raise UsageError("update needs names, or --all", hint="cli-hub outdated shows what is new")
    wanted = list(installed) if everything else list(names or [])
    entries = open_entries(out)

    def work(request: str) -> Outcome:
        name = parse_request(request).bare
        if name not in installed:
            raise NotInstalled(f"{name} is not installed", hint=f"cli-hub install {name}")
        before = installed[name]
        plan = plan_one(
            installer,
            entries,
            f"{before.source}/{request}" if "/" not in request else request,
            Wish(update=True, allow_scripts=allow_scripts),
        )
        done = installer.install(plan, progress(out))
        unchanged = done.generation == before.generation and plan.action is not Action.PRESENT
        status = Status.PRESENT if unchanged else OF_ACTION[plan.action]
        note = f"{before.version} is the newest" if unchanged else plan.reason
        if status is Status.UPDATED:
            note = f"from {before.version}"
        return Outcome(request, status, done, note=note)

    return report(out, for_each(wanted, work, interrupt=installer.interrupt))


@app.command("outdated")
def list_outdated(ctx: typer.Context, names: Some = None) -> int:
    """Which installed harnesses have a newer version. Exit 1 when one could not be asked."""
    out = surface(ctx)
    installer = make_installer(out)
    installed = installer.installed()
    wanted = [installer.find(name) for name in names] if names else list(installed.values())
    known = known_entries(open_entries(out))
    found, problems = [], []
    for harness in wanted:
        try:
            with out.working(f"{harness.name}: is there something newer?"):
                found.append(
                    outdated.look(
                        harness,
                        paths=out.paths,
                        run=installer.run,
                        known=known,
                        offline=out.settings.offline,
                    )
                )
        except HubError as problem:
            problems.append((harness.name, problem))
    if problems and len(wanted) == 1:
        raise problems[0][1]
    for name, failure in problems:
        out.warn(f"{name}: {failure.message}")
    out.show([each.as_document() for each in found], lambda: _newer(out, found))
    return 1 if problems else 0


@app.command("pin")
def pin(ctx: typer.Context, name: Name) -> None:
    """Keep a harness at the version it has."""
    _pin(ctx, name, pinned=True)


@app.command("unpin")
def unpin(ctx: typer.Context, name: Name) -> None:
    """Let ``update`` move a harness again."""
    _pin(ctx, name, pinned=False)


@app.command("rollback")
def rollback(ctx: typer.Context, name: Name) -> None:
    """Go back to the version that was in use before; needs no network."""
    out = surface(ctx)
    done = make_installer(out).rollback(name)
    out.show(done.as_document(), lambda: out.line(f"{name} is {done.version} again", "good"))


@app.command("gc")
def gc(
    ctx: typer.Context,
    former: Annotated[bool, typer.Option(help="Also versions kept for rollback.")] = False,
    cache: Annotated[bool, typer.Option(help="Also the download cache.")] = False,
) -> None:
    """Remove what interrupted commands left, old logs and loose links."""
    out = surface(ctx)
    with out.working("removing what nothing needs any more"):
        done = cleaning.collect(make_installer(out), former=former, cache=cache)
    out.show(
        {"removed": [str(path) for path in done.removed], "freed": done.freed},
        lambda: out.line(f"{len(done.removed)} removed, {done.freed / 1e6:.1f} MB freed", "good"),
    )


@app.command("export")
def export(
    ctx: typer.Context,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="A file instead of standard output.")
    ] = None,
) -> None:
    """Write down which harnesses are installed; ``import`` installs them elsewhere."""
    out = surface(ctx)
    document = sets.export(make_installer(out).installed().values())
    text = json.dumps(document, indent=2, ensure_ascii=False)
    if output is not None:
        output.write_text(text + "\n", encoding="utf-8")
        written = {"file": str(output), "harnesses": len(document["harnesses"])}
        out.show(written, lambda: out.line(f"wrote {output}"))
        return
    out.show(document, lambda: out.line(text))


@app.command("import")
def import_set(
    ctx: typer.Context,
    file: Path,
    allow_scripts: Annotated[bool, typer.Option(help="Agree to scripts and commands.")] = False,
) -> int:
    """Install every harness of a set that ``export`` wrote."""
    out = surface(ctx)
    members = sets.read(file)
    installer = make_installer(out)
    entries = open_entries(out)
    sources = entries.sources()

    def work(request: str) -> Outcome:
        plan = plan_one(installer, entries, request, Wish(allow_scripts=allow_scripts))
        done = installer.install(plan, progress(out))
        return Outcome(request, OF_ACTION[plan.action], done, note=plan.reason)

    requests = [member.request(sources) for member in members]
    return report(out, for_each(requests, work, interrupt=installer.interrupt))


def _pin(ctx: typer.Context, name: str, *, pinned: bool) -> None:
    out = surface(ctx)
    done = make_installer(out).pin(name, pinned=pinned)
    word = "stays at" if pinned else "is no longer kept at"
    out.show(done.as_document(), lambda: out.line(f"{name} {word} {done.version}", "good"))


def _newer(out: Surface, found: list[outdated.Newer]) -> None:
    rows = [each for each in found if each.outdated]
    if not rows:
        out.line("all is up to date", "good")
        return
    out.table(
        [
            (
                each.name,
                each.version,
                each.latest or "?",
                "pinned" if each.pinned else "",
                each.reason,
            )
            for each in rows
        ],
        headers=("harness", "installed", "newest", "", ""),
    )
