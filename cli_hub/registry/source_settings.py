"""Changing the sources in ``config.toml``; what else is in the file stays."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cli_hub import config
from cli_hub.errors import Conflict, NotFound, UsageError
from cli_hub.files import write_atomically
from cli_hub.paths import Paths
from cli_hub.registry import sources
from cli_hub.registry.sources import EMBEDDED, Source, is_name
from cli_hub.registry.spelling import nearest


def check_new(paths: Paths, source: Source) -> None:
    """Raise :class:`UsageError` or :class:`Conflict` when *source* cannot be added."""
    if not is_name(source.name):
        raise UsageError(
            f"{source.name!r} is no name for a source",
            hint="lower-case letters, digits and . _ -, beginning with a letter or digit",
        )
    if source.name in ("all", "harness", "public", "npm"):
        raise UsageError(f"{source.name} means something else to list and search")
    if source.token_env and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", source.token_env):
        raise UsageError(
            "--token-env takes the name of a variable, never the token itself",
            hint="export the token as, say, CORP_TOKEN and give that name",
        )
    for other in sources.configured(paths):
        if other.name == source.name:
            raise Conflict(
                f"there is a source {source.name} already",
                hint=f"cli-hub registry sources remove {source.name}",
            )


def add(paths: Paths, source: Source) -> None:
    """Add *source* to the configuration; see :func:`check_new` for what it raises."""
    check_new(paths, source)
    _rewrite(paths, lambda rows: [*rows, sources.as_row(source)])


def remove(paths: Paths, name: str) -> Source:
    """Take a source out of the configuration and return it."""
    found = find(paths, name)
    if found.name == EMBEDDED:
        raise UsageError(
            "the embedded source cannot be removed",
            hint="cli-hub registry sources disable embedded",
        )
    _rewrite(paths, lambda rows: [row for row in rows if row.get("name") != name])
    return found


def enable(paths: Paths, name: str, *, on: bool) -> Source:
    """Switch a source on or off."""
    changed = replace(find(paths, name), enabled=on)
    row = sources.as_row(changed)

    def switch(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        kept = [row if other.get("name") == name else other for other in rows]
        if row not in kept and len(row) > 1:
            kept.append(row)
        return [one for one in kept if one != {"name": EMBEDDED}]

    _rewrite(paths, switch)
    return changed


def find(paths: Paths, name: str) -> Source:
    """The configured source called *name*. Raises :class:`NotFound`."""
    known = sources.configured(paths)
    for source in known:
        if source.name == name:
            return source
    names = [source.name for source in known]
    raise NotFound(
        f"no source is called {name!r}",
        nearest=nearest(name, names),
        hint=f"configured: {', '.join(names)}",
    )


def _rewrite(paths: Paths, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> None:
    import tomli_w  # only who changes the configuration writes TOML

    table = config.read_config_file(paths)
    rows = change(list(table.get("sources", [])))
    if rows:
        table["sources"] = rows
    else:
        table.pop("sources", None)
    write_atomically(paths.config, tomli_w.dumps(table).encode())
