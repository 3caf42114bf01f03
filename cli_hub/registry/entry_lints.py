"""What can be said against one entry by looking at it alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from cli_hub.registry.entry import Entry
from cli_hub.registry.faults import Finding, error, warning
from cli_hub.registry.requirements_text import stated_needs
from cli_hub.registry.vocabulary import CATEGORIES, NeedKind, capabilities
from cli_hub.strategies import Strategy, Uninstallable

_PLACEHOLDER = re.compile(
    r"(?i)(?<=[/:@])(your[-_]?(?:org|name|user(?:name)?|company|account|repo|github[-_]?\w*)"
    r"|(?:my|example|some)[-_]?(?:org|user)|user[-_]?name|owner|todo|changeme)(?=/|@|\.git\b|$)"
    r"|<[a-z _-]+>|\{[a-z_]+\}"
)
_ABSOLUTE = re.compile(
    r"(?:^|[\s=@'\"])((?:/(?:root|home|Users|tmp|var|opt|mnt|srv|usr|etc|private|workspace)/"
    r"|~/|[A-Za-z]:[\\/]|file:)[^\s'\"]*)"
)
_PLAIN_HTTP = re.compile(r"(?<![\w+.-])http://(?!localhost\b|127\.0\.0\.1\b|\[::1\])[^\s'\"]*")
_GIT = re.compile(r"git\+[a-z+]+://\S+|\S+\.git\b\S*")
_DANGEROUS = ((0x202A, 0x202E), (0x2066, 0x2069), (0xE0000, 0xE007F), (0xE0100, 0xE01EF))
_SEPARATOR = re.compile(r"[/\\]")
_PLACES = ("install_cmd", "npx_cmd", "update_cmd", "uninstall_cmd")
_ADDRESSES = ("homepage", "source_url", "docs_url", "skill_md")


def lint_entry(
    entry: Entry, install: Strategy | Uninstallable, *, folder: Path | None = None
) -> Iterator[Finding]:
    """Every finding about *entry*, whose installation was parsed to *install*.

    *folder* is where its registry file is, if it is a file.
    """
    yield from _characters(entry.raw)
    yield from _install(entry, install)
    for lint in _LINTS:
        yield from lint(entry)
    if folder is not None:
        yield from _skill_path(entry, folder)


def _category(entry: Entry) -> Iterator[Finding]:
    if entry.category not in CATEGORIES:
        yield error(
            "unknown-category", "category", f"{entry.category!r} is not one of the categories"
        )


def _capabilities(entry: Entry) -> Iterator[Finding]:
    for number, word in enumerate(entry.capabilities):
        if word not in capabilities():
            yield warning(
                "unknown-capability",
                f"capabilities[{number}]",
                f"{word!r} is not a word of the capability vocabulary",
            )


def _install(entry: Entry, install: Strategy | Uninstallable) -> Iterator[Finding]:
    field = "install" if entry.raw.get("install") is not None else "install_cmd"
    if isinstance(install, Uninstallable):
        line = entry.install_cmd.strip()
        if field == "install_cmd" and line.startswith("cd "):
            yield error("no-checkout", field, "it changes into a checkout that is not there")
        elif field == "install_cmd" and "install_cmd" in entry.raw and not line:
            yield error("empty-install", field, "it is empty")
        else:
            yield error("not-installable", field, install.reason)
        return
    if not entry.entry_point:
        yield error("no-entry-point", "entry_point", "nothing says which command it brings")


def _unpinned(entry: Entry) -> Iterator[Finding]:
    for field, text in _install_texts(entry):
        found = _GIT.search(text)
        if found is None:
            continue
        address = found.group().partition("#")[0]
        pinned = "@" in address.rpartition("/")[2] or re.search(r"--(tag|rev|branch)\b", text)
        if not pinned:
            yield warning("unpinned-git", field, "the git address names no tag or commit")


def _texts(entry: Entry) -> Iterator[Finding]:
    for field, text in _install_texts(entry):
        if found := _PLACEHOLDER.search(text):
            yield error(
                "placeholder", field, f"{found.group()!r} stands for a name to be filled in"
            )
        if found := _ABSOLUTE.search(text):
            yield error("absolute-path", field, f"{found.group(1)!r} exists on one machine only")
        if found := _PLAIN_HTTP.search(text):
            yield error("plain-http", field, f"{found.group()} is not encrypted")
    for field in _ADDRESSES:
        text = getattr(entry, field)
        if not text:
            continue
        if found := _PLACEHOLDER.search(text):
            yield error(
                "placeholder", field, f"{found.group()!r} stands for a name to be filled in"
            )
        if text.startswith(("/", "~/", "file:")) or re.match(r"[A-Za-z]:\\", text):
            yield error("absolute-path", field, f"{text!r} exists on one machine only")
        if _PLAIN_HTTP.match(text):
            yield error("plain-http", field, f"{text} is not encrypted")


def _install_texts(entry: Entry) -> Iterator[tuple[str, str]]:
    for field in _PLACES:
        text = entry.raw.get(field)
        if isinstance(text, str) and text:
            yield field, text
    install = entry.raw.get("install")
    if isinstance(install, Mapping):
        for key in ("path", "url", "package", "index"):
            value = install.get(key)
            if isinstance(value, str):
                yield f"install.{key}", value


def _characters(value: Any, field: str = "") -> Iterator[Finding]:
    """Characters nobody sees, in any text of the record."""
    if isinstance(value, str):
        if not value.isprintable():
            yield from _hidden(value, field)
    elif isinstance(value, Mapping):
        for key, member in value.items():
            yield from _characters(member, f"{field}.{key}" if field else str(key))
    elif isinstance(value, list):
        for number, member in enumerate(value):
            yield from _characters(member, f"{field}[{number}]")


def _hidden(text: str, field: str) -> Iterator[Finding]:
    for char in dict.fromkeys(text):
        kind, point = unicodedata.category(char), ord(char)
        if kind == "Cc" and char not in "\n\t":
            yield error("control-character", field, f"it has the control character U+{point:04X}")
        elif any(first <= point <= last for first, last in _DANGEROUS):
            yield error("hidden-text", field, f"it has U+{point:04X}, which hides or turns text")
        elif kind == "Cf":
            yield warning("invisible-character", field, f"it has the invisible U+{point:04X}")


def _claims(entry: Entry) -> Iterator[Finding]:
    if entry.raw.get("official"):
        yield warning(
            "own-claim", "official", "an entry cannot vouch for itself: meta.official names them"
        )


def _needs(entry: Entry) -> Iterator[Finding]:
    if "needs" not in entry.raw or not entry.requires:
        return
    known = {name.lower(): need for need in entry.needs for name in need.programs}
    for stated in stated_needs(entry.requires):
        need = known.get(stated.name.lower())
        if need is None and stated.kind is NeedKind.ENV:
            yield warning(
                "needs-contradict", "needs", f"requires names {stated.name}, needs does not"
            )
        elif need is not None and stated.version and need.version not in ("", stated.version):
            yield warning(
                "needs-contradict",
                "needs",
                f"requires says {stated.name} {stated.version}, needs says {need.version}",
            )


def _skill_path(entry: Entry, folder: Path) -> Iterator[Finding]:
    text = entry.skill_md.strip()
    if not text or "://" in text or any(map(str.isspace, text)):
        return
    if ".." in _SEPARATOR.split(text):
        yield error("skill-path", "skill_md", f"{text} leaves the registry's folder")
    elif not (folder / text).is_file():
        yield error("dead-skill", "skill_md", f"there is no {text} beside the registry")


_LINTS: tuple[Callable[[Entry], Iterator[Finding]], ...] = (
    _category,
    _capabilities,
    _unpinned,
    _texts,
    _claims,
    _needs,
)
