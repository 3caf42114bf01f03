"""``cli-hub.lock``: exactly what :mod:`project` asked for turned out to be.

TOML: ``version``, ``registry`` (SHA-256 of all registries that were read), and a ``[[harness]]``
each with name, source, version, what was ``wanted``, ``entry`` (SHA-256 of the registry record) and
``install`` (the strategy). For Python the closure: ``package`` (requirement, hashes), ``direct``
(git commits) and ``paths`` (what comes with the hub). For npm the closure as ``node``: its own
records by path, with their integrity. ``tree`` is the SHA-256 of sources that it is built from, and
``local`` says that the entry names their place on this machine. The order is always the same.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.errors import BadDocument, NotFound
from cli_hub.install.closure import Package
from cli_hub.install.project import Wanted
from cli_hub.strategies import Npm, Pip, Strategy, Uninstallable, parse_install
from cli_hub.strategies.locked_npm import LockedNpm, package_lock
from cli_hub.strategies.locked_python import LockedPython

FILE = "cli-hub.lock"
VERSION = 2


@dataclass(frozen=True, slots=True)
class Locked:
    """One harness, fixed. *wanted* is the version, *extras* are the parts the project asked for."""

    name: str
    source: str
    version: str
    wanted: str
    entry: str
    install: Mapping[str, Any]
    extras: tuple[str, ...] = ()
    packages: tuple[Package, ...] = ()
    direct: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    local: bool = False
    tree: str = ""
    nodes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def strategy(self, place: str = "") -> Strategy:
        """What installs exactly this; *place* is where the entry has a local source.

        Raises :class:`BadDocument`.
        """
        install = {**self.install, "url": place} if self.local else dict(self.install)
        strategy = parse_install({"install": install})
        if isinstance(strategy, Uninstallable):
            raise BadDocument(FILE, strategy.reason, where=f"{self.name}.install")
        if isinstance(strategy, Npm):
            return LockedNpm(
                **{each.name: getattr(strategy, each.name) for each in fields(Npm)},
                tree=package_lock(strategy.package, strategy.version, self.nodes),
            )
        if not isinstance(strategy, Pip):
            return strategy
        return LockedPython(
            **{each.name: getattr(strategy, each.name) for each in fields(Pip)},
            lines=tuple(package.line for package in self.packages),
            direct=self.direct,
            paths=self.paths,
            tree=self.tree,
        )

    @property
    def size(self) -> int:
        """How many packages of an index its closure has."""
        return len(self.packages) or len(self.nodes)

    @property
    def is_exact(self) -> bool:
        """Whether other bytes would be refused; nobody but brew knows what brew installs."""
        return bool(self.packages or self.direct or self.tree or self.nodes) or bool(
            self.install.get("sha256")
        )

    def misses(self, wanted: Wanted) -> str:
        """In what this is not an answer to *wanted*; empty when it is."""
        if self.wanted != wanted.version:
            held, asked = self.wanted or "any version", wanted.version or "any version"
            return f"{self.name} is locked for {held}, and {asked} is asked for"
        if self.extras != wanted.extras:
            held, asked = (", ".join(each.extras) or "none" for each in (self, wanted))
            return f"{self.name} is locked with the extras {held}, and {asked} are asked for"
        if wanted.source not in ("", self.source):
            return f"{self.name} is locked from {self.source}, and {wanted.source} is asked for"
        return ""

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "name": self.name,
            "source": self.source,
            "version": self.version,
            "wanted": self.wanted,
            "entry": self.entry,
        }
        if self.local:
            document["local"] = True
        if self.tree:
            document["tree"] = self.tree
        for key in ("extras", "direct", "paths"):
            if value := getattr(self, key):
                document[key] = list(value)
        document["install"] = dict(sorted(self.install.items()))
        if self.packages:
            document["package"] = [
                {"requirement": each.requirement, "hashes": list(each.hashes)}
                for each in self.packages
            ]
        if self.nodes:
            document["node"] = [
                {"path": path, **dict(sorted(self.nodes[path].items()))}
                for path in sorted(self.nodes)
            ]
        return document


@dataclass(frozen=True, slots=True)
class Lock:
    registry: str
    harnesses: tuple[Locked, ...]

    def as_document(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "registry": self.registry,
            "harness": [each.as_document() for each in self.harnesses],
        }

    def differences(self, wanted: Iterable[Wanted]) -> list[str]:
        """In what the lock is not an answer to the project; empty when it is."""
        asked = {each.name: each for each in wanted}
        held = {each.name: each for each in self.harnesses}
        found = [f"{name} is not in {FILE}" for name in asked if name not in held]
        found += [
            f"{name} is in {FILE} and nobody asks for it" for name in held if name not in asked
        ]
        both = sorted(set(asked) & set(held))
        return found + [said for name in both if (said := held[name].misses(asked[name]))]


def read(folder: Path) -> Lock:
    """The lock in *folder*. Raises :class:`NotFound` or :class:`BadDocument`."""
    path = folder / FILE
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(f"there is no {FILE} in {folder}", hint="cli-hub lock makes one") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadDocument(str(path), str(problem), hint="cli-hub lock makes it anew") from None
    if document.get("version") != VERSION:
        raise BadDocument(
            str(path),
            f"has the version {document.get('version')}, and {VERSION} is known",
            hint="cli-hub lock makes it anew",
        )
    try:
        return Lock(
            str(document["registry"]), tuple(_locked(each) for each in document.get("harness", []))
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise BadDocument(str(path), repr(problem), hint="cli-hub lock makes it anew") from None


def _locked(raw: Mapping[str, Any]) -> Locked:
    return Locked(
        name=str(raw["name"]),
        source=str(raw["source"]),
        version=str(raw["version"]),
        wanted=str(raw["wanted"]),
        entry=str(raw["entry"]),
        install=dict(raw["install"]),
        extras=tuple(map(str, raw.get("extras", []))),
        packages=tuple(
            Package(str(each["requirement"]), tuple(map(str, each["hashes"])))
            for each in raw.get("package", [])
        ),
        direct=tuple(map(str, raw.get("direct", []))),
        paths=tuple(map(str, raw.get("paths", []))),
        local=bool(raw.get("local", False)),
        tree=str(raw.get("tree", "")),
        nodes={
            str(each["path"]): {key: value for key, value in each.items() if key != "path"}
            for each in raw.get("node", [])
        },
    )


def write(folder: Path, lock: Lock) -> Path:
    """Write the lock, whole or not at all; the same lock is always the same bytes."""
    import tomli_w

    path = folder / FILE
    staged = path.with_name(f".{FILE}.new")
    staged.write_text(tomli_w.dumps(lock.as_document()), encoding="utf-8")
    staged.replace(path)
    return path


def digest_of_entry(raw: Mapping[str, Any]) -> str:
    """SHA-256 of a registry record, whatever the order of its fields."""
    text = json.dumps(raw, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256_of(text)
