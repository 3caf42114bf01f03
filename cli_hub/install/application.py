"""Is what a harness drives here? Its own probe answers, else the ``needs`` of its entry.

A probe is ``<entry point> <probe arguments> --json``; it exits 0 or 5 and prints
``{"name", "found", "path", "version", "minimum", "satisfied", "source", "hint"}``.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cli_hub import config, process
from cli_hub.errors import HubError
from cli_hub.install.installed import Installed
from cli_hub.install.manifest import Manifest
from cli_hub.install.manifest import read as read_manifest
from cli_hub.process import Runner, command
from cli_hub.registry.entry import Entry
from cli_hub.registry.fields import BadField
from cli_hub.registry.need import Need
from cli_hub.registry.vocabulary import NeedKind

PROBE_SECONDS = 60.0
_VERSION = re.compile(r"\d+(?:\.\d+)+(?:[-.]?(?:rc|a|b|alpha|beta)\d*)?|\d+")


@dataclass(frozen=True, slots=True)
class Finding:
    """One requirement. *satisfied* is ``None`` when nothing here can tell."""

    kind: str
    name: str
    satisfied: bool | None
    found: bool = False
    path: str = ""
    version: str = ""
    minimum: str = ""
    hint: str = ""
    optional: bool = False

    @property
    def blocks(self) -> bool:
        """Whether the harness cannot do its work because of this."""
        return self.satisfied is False and not self.optional

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


def probe(
    installed: Installed, *, run: Runner = process.run, manifest: Manifest | None = None
) -> tuple[Finding, ...]:
    """What an installed harness needs, and whether it is here."""
    manifest = manifest or read_manifest(installed)
    if manifest.application is not None and manifest.application.probe:
        return (_ask_harness(installed, manifest, run),)
    try:
        entry = Entry.parse(installed.entry, source=installed.source)
    except BadField:
        return ()  # it was installed from an entry that says nothing readable about its needs
    return check_needs(entry.needs, run=run)


def check_needs(
    needs: Sequence[Need],
    *,
    run: Runner = process.run,
    find_tool: Callable[[str], str | None] = shutil.which,
) -> tuple[Finding, ...]:
    """Each need of an entry, before or after it is installed."""
    return tuple(_check(need, run, find_tool) for need in needs)


def _ask_harness(installed: Installed, manifest: Manifest, run: Runner) -> Finding:
    application = manifest.application
    assert application is not None  # noqa: S101 - the caller looked
    ask = command(*installed.entry_point, *application.probe, "--json")
    done = run(ask, timeout=PROBE_SECONDS)
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        answer = None
    if not isinstance(answer, Mapping) or "found" not in answer:
        return Finding(
            "application",
            application.name or installed.name,
            False,
            minimum=application.minimum,
            hint=f"its probe did not answer: {done.tail(3) or f'exit {done.exit_code}'}",
        )
    return Finding(
        "application",
        str(answer.get("name") or application.name),
        bool(answer.get("satisfied", answer["found"])),
        found=bool(answer["found"]),
        path=str(answer.get("path") or ""),
        version=str(answer.get("version") or ""),
        minimum=str(answer.get("minimum") or application.minimum),
        hint=str(answer.get("hint") or ""),
    )


def _check(need: Need, run: Runner, find_tool: Callable[[str], str | None]) -> Finding:
    hint = _hint(need)
    if need.kind in (NeedKind.BINARY, NeedKind.APPLICATION):
        path = next((found for name in need.programs if (found := find_tool(name))), "")
        if not path:
            certain = need.kind is NeedKind.BINARY
            return Finding(
                need.kind, need.name, False if certain else None,
                minimum=need.version, hint=hint, optional=need.optional,
            )  # fmt: skip
        version = _version_of(need, path, run)
        fits = not need.version or not version or _fits(version, need.version)
        return Finding(
            need.kind, need.name, fits, True, path, version, need.version,
            "" if fits else hint, need.optional,
        )  # fmt: skip
    if need.kind is NeedKind.ENV:
        is_set = bool(config.environment_value(need.name))
        hint = hint or f"export {need.name}=…"
        return Finding(
            need.kind, need.name, is_set, is_set,
            hint="" if is_set else hint, optional=need.optional,
        )  # fmt: skip
    return Finding(need.kind, need.name, None, hint=hint or need.url, optional=need.optional)


def _version_of(need: Need, path: str, run: Runner) -> str:
    if not (need.version or need.probe):
        return ""
    arguments = need.probe[1:] if need.probe else ("--version",)
    try:
        done = run(command(path, *arguments), timeout=PROBE_SECONDS)
    except HubError:
        return ""  # it is there but cannot be asked; presence is what can be said
    match = _VERSION.search(done.output)
    return match.group() if match else ""


def _fits(version: str, wanted: str) -> bool:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion

    try:
        return SpecifierSet(wanted).contains(version, prereleases=True)
    except (InvalidSpecifier, InvalidVersion):
        return True  # no range that versions can be held against


def _hint(need: Need) -> str:
    ways = [f"{installer} install {name}" for installer, name in need.hints.items()]
    return " or ".join(ways) or need.note
