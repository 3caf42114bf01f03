"""``list``, ``search``, ``can``, ``info``: ask the index, show the answer. Starts without Typer."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping

from cli_hub import config
from cli_hub.cli import browse_text
from cli_hub.cli.definition import Definition, Option
from cli_hub.cli.entries import open_entries
from cli_hub.cli.installed_names import installed_names
from cli_hub.cli.surface import Surface
from cli_hub.errors import CapabilityGap, NotFound, UsageError
from cli_hub.registry.index import Index
from cli_hub.registry.matching import Filters
from cli_hub.registry.readiness import Machine, installer_problem, readiness
from cli_hub.registry.search import Hit, everything, search
from cli_hub.registry.spelling import nearest

_GROUPS: Mapping[str, Mapping[str, str]] = {
    "all": {},
    "harness": {"kind": "harness"},
    "public": {"kind": "public"},
    "npm": {"strategy": "npm"},
}

CATEGORY = Option("category", "", "Only this category.", "-c")
SOURCE = Option("source", "all", "harness, public, npm, all, or the name of a source.", "-s")
INSTALLABLE = Option("installable", False, "Only what can be installed on this machine.")
AVAILABLE = Option("available", False, "Only what finds the programs and variables it needs here.")
LIMIT = Option("limit", 20, "At most this many.", "-n", least=1)
CANDIDATES = Option("limit", 5, "At most this many.", "-n", least=1)
OFFLINE = Option("offline", False, "Answer from what is cached; never open the network.")
REFRESH = Option("refresh", False, "Ask the sources again first.")


def run_list(
    out: Surface,
    *,
    category: str,
    source: str,
    installable: bool,
    available: bool,
    offline: bool,
    refresh: bool,
) -> None:
    """List everything the registries know.

    Example: cli-hub list -c video
    """
    index = open_entries(out, offline=offline, refresh=refresh)
    found = everything(index, _filters(index, category, source, installable=installable))
    rows = _rows(out, found, installable=installable, available=available)
    out.show(
        [row.document() for row in rows],
        lambda: browse_text.print_list(out, rows, filtered=bool(category) or source != "all"),
    )


def run_search(
    out: Surface,
    query: str,
    *,
    category: str,
    source: str,
    installable: bool,
    available: bool,
    limit: int,
    offline: bool,
    refresh: bool,
) -> None:
    """Find entries by what they are called or can do, best first.

    Words may stand in any order, be synonyms, beginnings or misspelt. An answer is a share of the
    query between 0 and 1; what answers too little is left out.

    Example: cli-hub search edit video timeline
    """
    index = open_entries(out, offline=offline, refresh=refresh)
    filters = _filters(index, category, source, installable=installable)
    most = limit if not (installable or available) else 1000
    found = search(index, query, filters=filters, limit=most)
    rows = _rows(out, found, installable=installable, available=available)[:limit]
    out.show(
        [row.document(scored=True) for row in rows],
        lambda: browse_text.print_hits(out, rows, query),
    )


def run_can(out: Surface, wanted: str, *, limit: int, offline: bool, refresh: bool) -> None:
    """Who can do this: candidates, what they still need here, and how each would be installed.

    Exits 3 when nothing known can. Example: cli-hub can "remove background noise"
    """
    from cli_hub.cli.candidates import candidate, print_candidates

    index = open_entries(out, offline=offline, refresh=refresh)
    rows = _rows(out, search(index, wanted, limit=limit), installable=False, available=False)
    if not rows:
        raise CapabilityGap(
            f"nothing in the registry can {wanted!r}",
            hint="cli-hub list shows everything there is",
            details={"wanted": wanted},
        )
    found = [candidate(row, index) for row in rows]
    out.show(found, lambda: print_candidates(out, found))


def run_info(out: Surface, name: str, *, offline: bool, refresh: bool) -> None:
    """Show one entry: what it does, how it installs, what it needs and whether that is here.

    A name may be written source/name. Example: cli-hub info blender
    """
    from cli_hub.cli.entry_info import info_document

    index = open_entries(out, offline=offline, refresh=refresh)
    document = info_document(name, index, out, machine())
    out.show(document, lambda: browse_text.print_info(out, document))


DEFINITIONS: Mapping[str, Definition] = {
    "list": Definition(
        "list", run_list, (CATEGORY, SOURCE, INSTALLABLE, AVAILABLE, OFFLINE, REFRESH)
    ),
    "search": Definition(
        "search",
        run_search,
        (CATEGORY, SOURCE, INSTALLABLE, AVAILABLE, LIMIT, OFFLINE, REFRESH),
        words="QUERY…",
        words_help="What it is called, or what it should do.",
        many=True,
    ),
    "can": Definition(
        "can",
        run_can,
        (CANDIDATES, OFFLINE, REFRESH),
        words="CAPABILITY…",
        words_help="What is to be done, in words.",
        many=True,
    ),
    "info": Definition(
        "info",
        run_info,
        (OFFLINE, REFRESH),
        words="NAME",
        words_help="Its name in the registry.",
        offers="entries",
    ),
}


def machine() -> Machine:
    """This machine."""
    names = {"darwin": "macos", "win32": "windows"}
    return Machine(_which, config.environment_value, names.get(sys.platform, "linux"))


def _which(program: str) -> str | None:
    from shutil import which  # only who has needs to look at pays for it

    return which(program)


def _filters(index: Index, category: str, source: str, *, installable: bool) -> Filters:
    group = _GROUPS.get(source)
    if group is None and source not in index.sources():
        raise UsageError(
            f"there is no source {source!r}",
            hint=f"one of: {', '.join([*_GROUPS, *index.sources()])}",
        )
    if category and category.lower() not in map(str.lower, index.categories()):
        known = index.categories()
        close = nearest(category, known)
        meant = f"did you mean {', '.join(close)}? " if close else ""
        raise NotFound(
            f"no entry has the category {category!r}",
            nearest=close,
            hint=f"{meant}Categories: {', '.join(known)}",
        )
    where = group if group is not None else {"source": source}
    return Filters(category=category, installable=installable, **where)


def _rows(
    out: Surface, found: Collection[Hit], *, installable: bool, available: bool
) -> list[browse_text.Row]:
    here, installed = machine(), installed_names(out)
    rows = []
    for hit in found:
        reason = hit.reason or installer_problem(hit.tool, hit.strategy, here)
        row = browse_text.Row(hit, hit.name in installed, reason, readiness(hit.record, here))
        if (reason and installable) or (available and row.application.present is not True):
            continue
        rows.append(row)
    return rows
