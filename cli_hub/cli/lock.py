"""``lock`` and ``sync``: a project's harnesses, the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.entries import open_entries
from cli_hub.cli.install import make_installer, progress, report
from cli_hub.cli.surface import Surface
from cli_hub.errors import NotFound
from cli_hub.install import lockfile, project
from cli_hub.install.batch import OF_ACTION, Outcome, for_each
from cli_hub.install.installer import Installer
from cli_hub.install.lockfile import Lock
from cli_hub.install.locking import Locker, inexact, require_current
from cli_hub.install.plan import Wish
from cli_hub.registry.index import Index
from cli_hub.registry.resolve import resolve

app = HubApp()

Folder = Annotated[Path, typer.Option("--project", help="The folder that has cli-hub.toml.")]


@app.command("lock")
def lock(ctx: typer.Context, folder: Folder = Path()) -> None:
    """Fix versions and hashes of everything cli-hub.toml asks for, in cli-hub.lock."""
    out = surface(ctx)
    wanted = project.read(folder)
    entries = open_entries(out)
    with out.working("resolving"):
        made = _locker(make_installer(out), entries).lock(wanted, entries.digest)
    path = lockfile.write(folder, made)
    document = {"file": str(path.absolute()), "lock": made.as_document()}
    out.show(document, lambda: _show(out, made, path))


@app.command("sync")
def sync(
    ctx: typer.Context,
    folder: Folder = Path(),
    frozen: Annotated[
        bool, typer.Option("--frozen", help="Change no lock, and fail on any difference.")
    ] = False,
    allow_scripts: Annotated[bool, typer.Option(help="Agree to scripts and commands.")] = False,
) -> int:
    """Install exactly what cli-hub.lock says, making or renewing it first unless --frozen."""
    out = surface(ctx)
    wanted = project.read(folder)
    installer = make_installer(out)
    entries = open_entries(out)
    locker = _locker(installer, entries)
    held = _held(folder)
    if frozen:
        held = held or lockfile.read(folder)
        require_current(held, wanted)
    else:
        with out.working("resolving"):
            renewed = locker.renew(held, wanted, entries.digest)
        if renewed is not held:
            lockfile.write(folder, renewed)
        held = renewed
        for name in locker.changed_entries(held):
            out.warn(f"the registry's entry of {name} changed since; cli-hub lock looks at it anew")
    fixed = {each.name: each for each in held.harnesses}

    def work(name: str) -> Outcome:
        plan = locker.plan(fixed[name], Wish(allow_scripts=allow_scripts), frozen=frozen)
        done = installer.install(plan, progress(out))
        return Outcome(name, OF_ACTION[plan.action], done, note=plan.reason)

    return report(out, for_each(list(fixed), work, interrupt=installer.interrupt))


def _locker(installer: Installer, entries: Index) -> Locker:
    return Locker(installer, lambda address: resolve(address, entries))


def _held(folder: Path) -> Lock | None:
    try:
        return lockfile.read(folder)
    except NotFound:
        return None


def _show(out: Surface, made: Lock, path: Path) -> None:
    out.table(
        [
            (each.name, each.version, str(each.install["strategy"]), str(each.size))
            for each in made.harnesses
        ],
        headers=("harness", "version", "by", "packages"),
    )
    out.line(f"wrote {path}", "good")
    for name in inexact(made):
        out.line(f"{name}: only how it is installed is fixed, not what that brings", "warn")
