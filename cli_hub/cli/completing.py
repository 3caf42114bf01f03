"""What a shell offers for a half-written name: of an entry, an installed harness, a macro, a run.

Nothing is fetched for it, and what goes wrong offers nothing: in the middle of a line there is no
place for a message, and the command itself will say what is the matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import typer

from cli_hub.cli.app import surface
from cli_hub.cli.installed_names import installed_names
from cli_hub.cli.surface import Surface
from cli_hub.errors import HubError

Offer = Callable[[typer.Context, str], list[str]]

_HARMLESS = re.compile(r"[\w@.+:/-]+\Z")
"""Names come from files of others, and the shell puts on its line what it is offered."""


def _offer(names: Callable[[Surface, str], Iterable[str]]) -> Offer:
    def offered(ctx: typer.Context, incomplete: str) -> list[str]:
        with suppress(HubError):
            return sorted(
                name
                for name in names(surface(ctx), incomplete)
                if name.startswith(incomplete) and _HARMLESS.match(name)
            )
        return []

    return offered


def _entries(out: Surface, incomplete: str) -> Iterable[str]:
    from cli_hub.registry.index import open_index
    from cli_hub.registry.syncing import Access

    index = open_index(out.paths, out.settings, access=Access(out.paths, offline=True))
    return index.names_beginning(incomplete)


def _macros(out: Surface, _incomplete: str) -> Iterable[str]:
    from cli_hub.install.installer import Installer
    from cli_hub.macros.folders import macro_folders, read_all

    installed = Installer(out.paths).installed().values()
    found = read_all(macro_folders(installed, out.paths, Path.cwd()))
    return {word for macro in found.macros for word in (macro.name, macro.address)}


def _runs(out: Surface, _incomplete: str) -> Iterable[str]:
    from cli_hub.runs.record import RunShelf

    return ["latest", *(record.id for record in RunShelf(out.paths).latest(50))]


def _schemas(_out: Surface, _incomplete: str) -> Iterable[str]:
    from cli_hub import schemas

    return schemas.names()


def _sources(out: Surface, _incomplete: str) -> Iterable[str]:
    from cli_hub.registry.sources import configured

    return [source.name for source in configured(out.paths)]


entries = _offer(_entries)
installed = _offer(lambda out, _incomplete: installed_names(out))
macros = _offer(_macros)
runs = _offer(_runs)
schema_names = _offer(_schemas)
sources = _offer(_sources)

OF_WORDS = {"entries": entries, "installed": installed, None: None}
"""By what a :class:`~cli_hub.cli.definition.Definition` says its words are."""
