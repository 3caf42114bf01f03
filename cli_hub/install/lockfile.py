"""``cli-hub.lock``: exactly what :mod:`project` asked for turned out to be.

TOML: ``version``, ``registry`` (SHA-256 of all registries that were read), and a ``[[harness]]``
each with name, source, version, ``entry`` (SHA-256 of the registry record), ``install`` (the
strategy), and for Python the closure: ``package`` (requirement, hashes), ``direct``, ``paths`` and
``tree`` (SHA-256 of the shipped sources); for npm ``integrity``. The order is always the same.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument, NotFound
from cli_hub.install.project import Wanted
from cli_hub.strategies import Pip, Strategy, Uninstallable, parse_install
from cli_hub.strategies.locked_python import LockedPython

FILE = "cli-hub.lock"
VERSION = 1


@dataclass(frozen=True, slots=True)
class Package:
    """One member of a closure: a requirement that names one version, and its allowed hashes."""

    requirement: str
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        return " ".join([self.requirement, *(f"--hash={each}" for each in self.hashes)])


@dataclass(frozen=True, slots=True)
class Locked:
    """One harness, fixed. *wanted* is the version the project asked for."""

    name: str
    source: str
    version: str
    wanted: str
    entry: str
    install: Mapping[str, Any]
    packages: tuple[Package, ...] = ()
    direct: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tree: str = ""
    integrity: str = ""

    def strategy(self) -> Strategy:
        """What installs exactly this. Raises :class:`BadDocument`."""
        strategy = parse_install({"install": dict(self.install)})
        if isinstance(strategy, Uninstallable):
            raise BadDocument(FILE, strategy.reason, where=f"{self.name}.install")
        if not isinstance(strategy, Pip):
            return strategy
        return LockedPython(
            **{field.name: getattr(strategy, field.name) for field in fields(Pip)},
            lines=tuple(package.line for package in self.packages),
            direct=self.direct,
            paths=self.paths,
        )

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "name": self.name,
            "source": self.source,
            "version": self.version,
            "wanted": self.wanted,
            "entry": self.entry,
        }
        for key in ("tree", "integrity"):
            if value := getattr(self, key):
                document[key] = value
        for key in ("direct", "paths"):
            if value := getattr(self, key):
                document[key] = list(value)
        document["install"] = dict(sorted(self.install.items()))
        if self.packages:
            document["package"] = [
                {"requirement": each.requirement, "hashes": list(each.hashes)}
                for each in self.packages
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
        for name in sorted(set(asked) & set(held)):
            if held[name].wanted != asked[name].version:
                found.append(
                    f"{name} is locked for {held[name].wanted or 'any version'}, and "
                    f"{asked[name].version or 'any version'} is asked for"
                )
            if asked[name].source not in ("", held[name].source):
                found.append(f"{name} is locked from {held[name].source}")
        return found


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
            str(path), f"has the version {document.get('version')}, and {VERSION} is known"
        )
    try:
        return Lock(
            str(document["registry"]), tuple(_locked(each) for each in document.get("harness", []))
        )
    except (KeyError, TypeError, AttributeError) as problem:
        raise BadDocument(str(path), repr(problem), hint="cli-hub lock makes it anew") from None


def _locked(raw: Mapping[str, Any]) -> Locked:
    return Locked(
        **{key: str(raw[key]) for key in ("name", "source", "version", "wanted", "entry")},
        install=dict(raw["install"]),
        packages=tuple(
            Package(str(each["requirement"]), tuple(map(str, each["hashes"])))
            for each in raw.get("package", [])
        ),
        direct=tuple(map(str, raw.get("direct", []))),
        paths=tuple(map(str, raw.get("paths", []))),
        tree=str(raw.get("tree", "")),
        integrity=str(raw.get("integrity", "")),
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
    return hashlib.sha256(text.encode()).hexdigest()


def digest_of_trees(paths: Iterable[str], shipped: Callable[[str], Path]) -> str:
    """SHA-256 over names and contents of the sources below *paths*, without what Python caches."""
    running = hashlib.sha256()
    for path in paths:
        root = shipped(path)
        for file in sorted(root.rglob("*")):
            relative = file.relative_to(root)
            if file.is_file() and not {"__pycache__", "tests"} & set(relative.parts):
                running.update(f"{path}/{relative.as_posix()}\0".encode())
                running.update(hashlib.sha256(file.read_bytes()).digest())
    return running.hexdigest()
