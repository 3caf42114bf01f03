"""How entries look to people, and the documents they are for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cli_hub.cli.surface import Surface
from cli_hub.registry.readiness import Readiness
from cli_hub.registry.search import Hit
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """An entry with what this machine makes of it. *reason* says why it cannot be installed."""

    hit: Hit
    installed: bool
    reason: str
    application: Readiness

    def document(self, *, scored: bool = False) -> dict[str, Any]:
        """The entry as published, and beside it what the hub knows."""
        score = {"score": self.hit.score, "matched": dict(self.hit.matched)} if scored else {}
        return {
            **self.hit.record,
            "source": self.hit.source,
            "kind": self.hit.kind,
            **score,
            "installed": self.installed,
            "installable": not self.reason,
            "reason": self.reason,
            "application": self.application.as_document(),
        }

    @property
    def mark(self) -> str:
        return "installed" if self.installed else "" if not self.reason else "not here"


def print_list(out: Surface, rows: Sequence[Row], *, filtered: bool) -> None:
    """A table, by category and name."""
    if not rows:
        out.line("nothing fits" if filtered else "the registries are empty")
        return
    ordered = sorted(rows, key=lambda row: (str(row.hit.record["category"]), row.hit.name))
    out.table(
        [
            (row.hit.name, str(row.hit.record["category"]), row.mark, _description(row))
            for row in ordered
        ],
        headers=("NAME", "CATEGORY", "", "WHAT IT DOES"),
    )
    here = sum(row.installed for row in rows)
    out.line()
    out.line(f"{len(rows)} entries, {here} installed. cli-hub info NAME says more.", "dim")


def print_hits(out: Surface, rows: Sequence[Row], query: str) -> None:
    """The best first: name, share, description, why, and what stands in the way."""
    if not rows:
        out.line(f"nothing answers {query!r}")
        out.line("cli-hub list shows everything there is", "dim")
        return
    for row in rows:
        state = f"  ({row.mark})" if row.mark else ""
        out.line(f"{row.hit.name}  {row.hit.score:.2f}{state}", "name")
        out.line(f"    {_description(row)}")
        if row.hit.matched:
            why = "; ".join(f"{word} → {met}" for word, met in row.hit.matched.items())
            out.line(f"    {why}", "dim")
        if row.reason:
            out.line(f"    cannot be installed: {row.reason}", "warn")
        elif row.application.missing:
            out.line(f"    missing here: {', '.join(row.application.missing)}", "warn")


def print_info(out: Surface, document: Mapping[str, Any]) -> None:
    """Everything about one entry."""
    title = f"{document['display_name']} ({document['name']})"
    out.line(title, "strong")
    out.line(str(document["description"]))
    out.line()
    facts = [
        ("category", document["category"]),
        ("version", document["version"]),
        ("source", f"{document['source']} ({document['kind']})"),
        ("official", "yes: its registry vouches for it" if document["official"] else ""),
        ("verified", _verified(document["verified"])),
        ("installed", _installed(document["installed"])),
        ("installs with", _install(document)),
        ("sha256", (document["install"] or {}).get("sha256", "")),
        ("command", " ".join(document["entry_point"])),
        ("platforms", ", ".join(document["platforms"])),
        ("capabilities", ", ".join(document["capabilities"])),
        ("homepage", document["homepage"]),
        ("source code", document["source_url"]),
        ("documentation", document["docs_url"]),
        ("skill", _skill(document["skill"])),
        ("requires", document["requires"]),
        ("also in", ", ".join(document["also_in"])),
    ]
    out.table([(name, str(value)) for name, value in facts if value])
    for need in document["needs"]:
        _print_need(out, need)
    out.line()
    out.line(document["next"], "dim")


def _print_need(out: Surface, need: Mapping[str, Any]) -> None:
    state = {True: "here", False: "not here", None: "cannot be checked"}[need["present"]]
    style = "bad" if need["present"] is False and not need["optional"] else ""
    optional = ", optional" if need["optional"] else ""
    hints = " or ".join(f"{tool}: {what}" for tool, what in need["hints"].items())
    how = f"  [{hints}]" if hints and need["present"] is not True else ""
    note = f"  {need['note']}" if need["note"] else ""
    version = f" {need['version']}" if need["version"] else ""
    out.line(f"needs {need['kind']} {need['name']}{version}{optional}: {state}{note}{how}", style)


def _description(row: Row) -> str:
    return " ".join(str(row.hit.record["description"]).split())


def _verified(verified: Mapping[str, Any] | None) -> str:
    if not verified:
        return "no"
    if verified["entry_point"]:
        return f"version {verified['version']} on {verified['on']}"
    return f"no: {verified['reason']}"


def _installed(installed: Mapping[str, Any] | None) -> str:
    return f"version {installed['version']}" if installed else "no"


def _install(document: Mapping[str, Any]) -> str:
    if document["reason"]:
        return f"cannot be installed here: {document['reason']}"
    install = document["install"]
    what = install.get("package") or install.get("path") or install.get("url") or ""
    return f"{install['strategy']} {what}".rstrip()


def _skill(skill: Mapping[str, str]) -> str:
    if skill["kind"] == "command":
        return f"{skill['address']} (a command; never run by the hub)"
    return skill["address"]
