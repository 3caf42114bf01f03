"""The document of ``cli-hub info``: one entry, and what this machine makes of it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from cli_hub.cli.installed_names import installed_names
from cli_hub.cli.surface import Surface
from cli_hub.registry import sources
from cli_hub.registry.entry import Entry
from cli_hub.registry.index import Index
from cli_hub.registry.readiness import Machine, installer_problem, need_present, readiness
from cli_hub.registry.resolve import others, resolve
from cli_hub.registry.skill_address import skill_address
from cli_hub.strategies import Uninstallable


def info_document(name: str, index: Index, out: Surface, machine: Machine) -> dict[str, Any]:
    """The entry called *name*. Raises :class:`cli_hub.errors.NotFound` with the nearest names."""
    entry = resolve(name, index)
    came_from = {source.name: source for source in sources.active(out.paths, out.settings)}
    install, reason, hint = _install(entry, machine)
    receipt = installed_names(out).get(entry.name)
    document: dict[str, Any] = {
        **entry.raw,
        "name": entry.name,
        "display_name": entry.display_name,
        "version": entry.version,
        "source": entry.source,
        "kind": entry.kind.value,
        "official": bool(entry.raw.get("official")),
        "requires": entry.requires,
        "homepage": entry.homepage,
        "source_url": entry.source_url,
        "docs_url": entry.docs_url,
        "entry_point": list(entry.entry_point),
        "install": install,
        "installable": not reason,
        "reason": reason,
        "needs": [
            {
                **asdict(need),
                "kind": need.kind.value,
                "probe": list(need.probe),
                "any_of": list(need.any_of),
                "hints": dict(need.hints),
                "present": need_present(need, machine),
            }
            for need in entry.needs
        ],
        "capabilities": list(entry.capabilities),
        "platforms": [platform.value for platform in entry.platforms],
        "verified": asdict(entry.verified) if entry.verified else None,
        "application": readiness(entry.raw, machine).as_document(),
        "skill": asdict(skill_address(entry.skill_md, came_from.get(entry.source))),
        "installed": _installed(receipt),
        "also_in": [other.address for other in others(entry, index)],
    }
    document["next"] = _next(entry, document, hint)
    return document


def _install(entry: Entry, machine: Machine) -> tuple[dict[str, Any] | None, str, str]:
    install = entry.install
    if isinstance(install, Uninstallable):
        return None, install.reason, install.hint
    problem = installer_problem(install.needs, install.kind.value, machine)
    return install.as_document(), problem, ""


def _installed(row: Any) -> dict[str, str] | None:
    if row is None:
        return None
    return {"version": row.receipt.version, "source": row.receipt.source}


def _next(entry: Entry, document: dict[str, Any], hint: str) -> str:
    if document["installed"]:
        return f"cli-hub launch {entry.name} --help"
    if document["reason"]:
        return hint or f"cannot be installed here: {document['reason']}"
    return f"cli-hub install {entry.name}"
