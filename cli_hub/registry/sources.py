"""Where registries come from: the embedded files, files and URLs, each with a name and a priority.

``config.toml`` keeps them as an array of tables::

    [[sources]]
    name = "corp"
    location = "https://registry.example.org/clis.json"
    priority = 60              # higher wins; the embedded source has 50
    enabled = true
    token_env = "CORP_TOKEN"   # sent as a bearer token; only the variable's name is kept
    max_age = 3600             # seconds before the server is asked again

A table named ``embedded`` without a location changes the embedded source (``enabled = false``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Self

from cli_hub import config
from cli_hub.config import Settings
from cli_hub.errors import BadDocument, UsageError
from cli_hub.paths import Paths, resource
from cli_hub.values import dataclass

EMBEDDED = "embedded"
_NAME = r"[a-z0-9][a-z0-9._-]{0,63}"


class SourceKind(StrEnum):
    EMBEDDED = "embedded"
    FILE = "file"
    URL = "url"


@dataclass(frozen=True, slots=True)
class Source:
    """One place registries come from. *location* is a file's path, an address, or empty."""

    name: str
    kind: SourceKind
    location: str = ""
    priority: int = 60
    enabled: bool = True
    token_env: str = ""
    max_age: int = 3600

    @classmethod
    def at(cls, location: str, *, name: str = "", **more: Any) -> Self:
        """The source at *location*: ``http(s)://…``, ``file:…`` or a path.

        Raises :class:`UsageError` for any other scheme.
        """
        scheme = location.partition(":")[0].lower() if ":" in location else ""
        name = name or _name_for(location)
        if scheme in ("http", "https"):
            return cls(name, SourceKind.URL, location, **more)
        if scheme == "file":
            location = _unquoted_path(location)
        elif "://" in location:
            raise UsageError(
                f"{location} is no place for a registry",
                hint="give a path, or an address that starts with https:, http: or file:",
            )
        return cls(name, SourceKind.FILE, str(Path(location).expanduser().absolute()), **more)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files to read; empty for a URL, whose copy is kept elsewhere."""
        if self.kind is SourceKind.EMBEDDED:
            return (resource("registry.json"), resource("public_registry.json"))
        return (Path(self.location),) if self.kind is SourceKind.FILE else ()

    def __str__(self) -> str:
        return f"source {self.name} ({self.location})" if self.location else f"source {self.name}"


def is_name(text: str) -> bool:
    """Whether a source may be called *text*."""
    return re.fullmatch(_NAME, text) is not None


def embedded() -> Source:
    """The registries that come with the hub."""
    return Source(EMBEDDED, SourceKind.EMBEDDED, priority=50)


def active(paths: Paths, settings: Settings) -> tuple[Source, ...]:
    """The sources in force, highest priority first.

    ``CLI_HUB_REGISTRY`` replaces all configured ones; its first member has the highest priority.
    """
    if settings.registries:
        named: list[Source] = []
        for number, location in enumerate(settings.registries):
            source = Source.at(location, priority=1000 - number)
            taken = {other.name for other in named}
            named.append(replace(source, name=_unused(source.name, taken)))
        return tuple(named)
    return tuple(source for source in configured(paths) if source.enabled)


def configured(paths: Paths) -> tuple[Source, ...]:
    """Every configured source, highest priority first, those switched off included."""
    found = {EMBEDDED: embedded()}
    rows = config.read_config_file(paths).get("sources", [])
    if not isinstance(rows, list):
        raise BadDocument(str(paths.config), "must be a list of tables", where="sources")
    for number, row in enumerate(rows):
        source = _parse(row, f"sources[{number}]", str(paths.config))
        if source.name in found and source.name != EMBEDDED:
            raise BadDocument(
                str(paths.config), f"{source.name} is there twice", where=f"sources[{number}].name"
            )
        found[source.name] = source
    return tuple(sorted(found.values(), key=lambda source: -source.priority))


def as_row(source: Source) -> dict[str, Any]:
    """The table of ``config.toml`` that :func:`configured` reads back, without defaults."""
    plain = embedded() if source.kind is SourceKind.EMBEDDED else Source("", source.kind)
    row: dict[str, Any] = {"name": source.name}
    for key in ("location", "priority", "enabled", "token_env", "max_age"):
        if getattr(source, key) != getattr(plain, key):
            row[key] = getattr(source, key)
    return row


def _parse(row: Any, where: str, file: str) -> Source:
    wanted = {"location": str, "priority": int, "enabled": bool, "token_env": str, "max_age": int}
    if not isinstance(row, Mapping):
        raise BadDocument(file, "must be a table", where=where)
    name = row.get("name")
    if not isinstance(name, str) or not is_name(name):
        raise BadDocument(file, f"{name!r} is no name for a source", where=f"{where}.name")
    more: dict[str, Any] = {}
    for key, value in row.items():
        if key == "name":
            continue
        if key not in wanted:
            raise BadDocument(file, "is not a known setting", where=f"{where}.{key}")
        if type(value) is not wanted[key]:
            kind = wanted[key].__name__
            raise BadDocument(file, f"must be of type {kind}", where=f"{where}.{key}")
        more[key] = value
    location = more.pop("location", "")
    if name == EMBEDDED:
        return replace(embedded(), **more)
    if not location:
        raise BadDocument(file, "is missing", where=f"{where}.location")
    return Source.at(location, name=name, **more)


def _unquoted_path(address: str) -> str:
    from urllib.parse import unquote, urlsplit  # 2 ms, and most files are named by their path

    return unquote(urlsplit(address).path)


def _name_for(location: str) -> str:
    if "://" not in location:
        stem = Path(location).stem or "registry"
    else:
        from urllib.parse import urlsplit  # 2 ms, and most sources are files

        parts = urlsplit(location)
        stem = Path(parts.path).stem or parts.hostname or "registry"
    words = re.sub(r"[^a-z0-9._-]+", "-", stem.lower()).strip("-._")
    return words[:64] or "registry"


def _unused(name: str, taken: set[str]) -> str:
    number, wanted = 1, name
    while wanted in taken:
        number += 1
        wanted = f"{name}-{number}"
    return wanted
