"""Ask uv and npm for everything a package needs, each member with its version and its hash."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cli_hub.errors import HubError
from cli_hub.install import failures
from cli_hub.install.environment import base_python, installer_command, uv_program
from cli_hub.install.installer import Installer
from cli_hub.process import Command, command
from cli_hub.strategies import Npm, Pip, Strategy, Target
from cli_hub.strategies.locked_npm import project
from cli_hub.strategies.npm import QUIET

RESOLVE_SECONDS = 300.0
_HASH = re.compile(r"--hash=(\S+)")
_FOLDER = re.compile(r"(?P<path>/.*?)(?P<extras>\[[^\[\]]*\])?")
_LEFT_OUT = ("deprecated", "engines", "funding", "license")
"""What npm writes about a package that changes nothing about its files."""


@dataclass(frozen=True, slots=True)
class Package:
    """One member of a closure: a requirement that names one version, and its allowed hashes."""

    requirement: str
    hashes: tuple[str, ...]

    @property
    def line(self) -> str:
        return " ".join([self.requirement, *(f"--hash={each}" for each in self.hashes)])


def of_python(
    installer: Installer, name: str, strategy: Pip
) -> tuple[tuple[Package, ...], tuple[str, ...]]:
    """The closure as uv resolves it for every platform, and what is in it by a git commit.

    What is built from folders and files of this machine is not among them.
    """
    with _workplace(installer) as work:
        target = Target(work, uv_program(), base_python(), installer.shipped)
        asked = work / "requirements.in"
        wanted = map(_as_line, strategy.requirements(target))
        asked.write_text("".join(f"{line}\n" for line in wanted), encoding="utf-8")
        argv = [
            target.uv, "pip", "compile", "--universal", "--generate-hashes", "--no-header",
            "--no-annotate", "--no-config", "--refresh", "--python", target.python,
        ]  # fmt: skip
        if strategy.index:
            argv += ["--default-index", strategy.index]
        if strategy.prerelease:
            argv += ["--prerelease", "allow"]
        return _read_requirements(_ask(installer, name, strategy, command(*argv, asked, cwd=work)))


def _as_line(word: str) -> str:
    """*word* as a requirements file has it: there a path must not have blanks."""
    folder = _FOLDER.fullmatch(word)
    return f"{Path(folder['path']).as_uri()}{folder['extras'] or ''}" if folder else word


def _read_requirements(text: str) -> tuple[tuple[Package, ...], tuple[str, ...]]:
    packages: list[Package] = []
    direct: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split("--hash=")[0].strip()
        if not words or words.startswith("#"):
            continue
        if " @ file://" in words or words.startswith(("/", "file:")):
            continue  # built from this machine: what is there is hashed
        hashes = tuple(sorted(_HASH.findall(line)))
        if hashes:
            packages.append(Package(words, hashes))
        else:
            direct.append(words)
    return tuple(packages), tuple(direct)


def version_of(package: str, packages: tuple[Package, ...]) -> str:
    """The version that *packages* have of *package*; empty when it is not from an index."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    for each in packages:
        found = Requirement(each.requirement)
        if canonicalize_name(found.name) == canonicalize_name(package) and found.specifier:
            return next(iter(found.specifier)).version
    return ""


def of_npm(installer: Installer, name: str, strategy: Npm) -> dict[str, dict[str, Any]]:
    """What npm would lock for a project that needs just this package: its records by path.

    No record has an address of the index that was asked; another may serve the same bytes.
    """
    with _workplace(installer) as work:
        wanted = project(strategy.package, strategy.version or "latest")
        (work / "package.json").write_text(wanted, encoding="utf-8")
        question = command(
            "npm", "install", "--prefix", work, "--package-lock", "--package-lock-only",
            "--lockfile-version", "3", "--omit-lockfile-registry-resolved", "--ignore-scripts",
            "--prefer-online", *QUIET,
        )  # fmt: skip
        _ask(installer, name, strategy, question)
        document = json.loads((work / "package-lock.json").read_bytes())
    records = {
        path: {key: value for key, value in record.items() if key not in _LEFT_OUT}
        for path, record in sorted(document.get("packages", {}).items())
        if path
    }
    for path, record in records.items():
        if not _is_fixed(record):
            raise HubError(
                f"npm tells no integrity of {path}, so {name} cannot be locked",
                hint="see whether npm is at least version 7, and which registry it asks",
            )
    return records


def _is_fixed(record: Mapping[str, Any]) -> bool:
    """Whether only one content fits: by its hash, its commit, or the package it comes inside."""
    commit = re.search(r"^git\+.*#[0-9a-f]{40}$", str(record.get("resolved", "")))
    return bool(record.get("integrity") or record.get("inBundle") or commit)


def _ask(installer: Installer, name: str, strategy: Strategy, question: Command) -> str:
    ready = installer_command(question, strategy, installer.paths, offline=installer.offline)
    done = installer.run(ready, timeout=RESOLVE_SECONDS)
    if not done.ok:
        raise failures.explain(done, name=name, log=Path())
    return done.stdout


@contextmanager
def _workplace(installer: Installer) -> Iterator[Path]:
    """A folder of its own for one question: others may ask at the same time."""
    within = installer.paths.cache / "lock"
    within.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=within) as folder:
        yield Path(folder)
