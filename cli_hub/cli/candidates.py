"""The documents of ``cli-hub can``: who could do it, and what would have to happen first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cli_hub.cli.browse_text import Row
from cli_hub.cli.surface import Surface
from cli_hub.registry.index import Index
from cli_hub.registry.resolve import resolve
from cli_hub.strategies import Uninstallable


def candidate(row: Row, index: Index) -> dict[str, Any]:
    """The hit, its ``plan`` (the installation, or null) and the command that comes ``next``."""
    name = row.hit.name
    install = resolve(f"{row.hit.source}/{name}", index).install
    plan = None if row.reason or isinstance(install, Uninstallable) else install.as_document()
    if row.installed:
        following = f"cli-hub launch {name} --help"
    else:
        following = f"cli-hub install {name}" if plan else f"cli-hub info {name}"
    return {**row.document(scored=True), "plan": plan, "next": following}


def print_candidates(out: Surface, found: Sequence[Mapping[str, Any]]) -> None:
    """The best first: its share, what stands in the way, and what to type."""
    for one in found:
        out.line(f"{one['name']}  {one['score']:.2f}", "name")
        out.line(f"    {' '.join(one['description'].split())}")
        if one["reason"]:
            out.line(f"    cannot be installed: {one['reason']}", "warn")
        elif missing := one["application"]["missing"]:
            out.line(f"    missing here: {', '.join(missing)}", "warn")
        out.line(f"    {one['next']}", "dim")
