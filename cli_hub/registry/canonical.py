"""The canonical form of a registry file: adding an entry changes only that entry's lines.

Two spaces, UTF-8 as it is, one line feed at the end; ``meta``, ``clis``, ``matrices``; entries by
name; the fields of an entry in the order of :data:`ORDER`, unknown ones after them as they were.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cli_hub.registry.entry import Entry
from cli_hub.registry.fields import BadField

ORDER = (
    "name", "display_name", "version", "description", "category", "kind", "aliases", "renamed_to",
    "requires", "homepage", "source_url", "docs_url", "install", "package_manager", "npm_package",
    "npx_cmd", "install_strategy", "install_cmd", "uninstall_cmd", "update_cmd", "detect_cmd",
    "install_notes", "uninstall_notes", "update_notes", "entry_point", "skill_md", "needs",
    "capabilities", "platforms", "previews", "macros", "verified", "contributors",
)  # fmt: skip
_TOP = ("meta", "clis", "matrices")
_INSTALL = (
    "strategy", "package", "version", "extras", "path", "url", "interpreter", "arguments",
    "detect", "cask", "steps", "undo", "index", "also", "prerelease", "scripts", "sha256", "notes",
)  # fmt: skip
_NEED = ("kind", "name", "version", "probe", "any_of", "url", "hints", "optional", "note")
_VERIFIED = ("version", "on", "entry_point", "platform", "seconds", "size", "reason")


def text(document: Mapping[str, Any]) -> str:
    """The canonical text of a registry. What is not an object is left as it is."""
    ordered = in_order(document, _TOP)
    entries = ordered.get("clis")
    if isinstance(entries, list):
        ordered["clis"] = sorted(map(entry, entries), key=_by_name)
    return as_text(ordered)


def as_text(document: Mapping[str, Any]) -> str:
    """*document* as its lines are written, whatever its order."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def entry(record: Any) -> Any:
    """One entry with its fields in order."""
    if not isinstance(record, dict):
        return record
    ordered = in_order(record, ORDER)
    for key, order in (("install", _INSTALL), ("verified", _VERIFIED)):
        if isinstance(ordered.get(key), dict):
            ordered[key] = in_order(ordered[key], order)
    if isinstance(ordered.get("needs"), list):
        ordered["needs"] = [
            in_order(need, _NEED) if isinstance(need, dict) else need for need in ordered["needs"]
        ]
    return ordered


def in_order(record: Mapping[str, Any], order: tuple[str, ...]) -> dict[str, Any]:
    """*record* with the keys of *order* first."""
    known = {key: record[key] for key in order if key in record}
    return known | {key: value for key, value in record.items() if key not in known}


def add(document: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """*document* with *record* in place of the entry of that name, or as a new one.

    Raises :class:`BadField` when *record* is no entry.
    """
    name = Entry.parse(dict(record)).name
    entries = [one for one in document.get("clis", []) if not _is_named(one, name)]
    return {**document, "clis": [*entries, dict(record)]}


def _is_named(record: Any, name: str) -> bool:
    return isinstance(record, dict) and record.get("name") == name


def _by_name(record: Any) -> tuple[str, str]:
    name = record.get("name") if isinstance(record, dict) else None
    name = name if isinstance(name, str) else ""
    return name.casefold(), name


__all__ = ["ORDER", "BadField", "add", "as_text", "entry", "text"]
