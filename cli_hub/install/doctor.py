"""Look at installed harnesses the way a user meets them, and say what would mend each fault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument, HubError
from cli_hub.install import application, links, receipt
from cli_hub.install.execute import check_starts
from cli_hub.install.generations import Generations
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.ledger import State, installations_on_disk
from cli_hub.install.manifest import Manifest
from cli_hub.install.manifest import read as read_manifest
from cli_hub.registry.entry import Entry


class Level(StrEnum):
    OK = "ok"
    NOTE = "note"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. *fix* is what to type, or to do, when something is wrong.

    *harness* is empty for what concerns the hub as a whole.
    """

    harness: str
    check: str
    level: Level
    message: str
    fix: str = ""

    def as_document(self) -> dict[str, Any]:
        return asdict(self)


class Doctor:
    """*known* finds the registry's entry of a name, where there is a registry to ask."""

    def __init__(
        self, installer: Installer, known: Callable[[str], Entry | None] = lambda _: None
    ) -> None:
        self._installer = installer
        self._paths = installer.paths
        self._known = known

    def examine(self, name: str) -> list[Finding]:
        """Everything about one harness. Raises :class:`NotInstalled`."""
        harness = self._installer.find(name)
        return [*self._leftovers(name), *self._harness(harness)]

    def examine_all(self) -> list[Finding]:
        """The hub's own places, then every harness, then what belongs to none."""
        findings = list(self._places())
        installed = self._installer.installed()
        for name, harness in installed.items():
            findings += [*self._leftovers(name), *self._harness(harness)]
        findings += self._belonging_to_none(installed)
        return findings

    def fix(self, name: str = "") -> list[str]:
        """Mend what can be mended without asking; returns what was done."""
        done = []
        names = [name] if name else self._all_names()
        for each in names:
            removed = self._installer.clean(each)
            done += [f"removed {path}" for path in removed]
            done += self._mend(each)
        for link in links.dangling(self._paths):
            if not name or links.owner(self._paths, link) == name:
                link.unlink(missing_ok=True)
                done.append(f"removed the link {link}, which led nowhere")
        return done

    def _mend(self, name: str) -> Iterator[str]:
        harness = self._installer.installed().get(name)
        if harness is None:
            return
        if not self._installer.is_sound(harness) or not self._starts(harness):
            entry = self._known(name) or Entry.parse(harness.entry, source=harness.source)
            self._installer.repair(harness, entry)
            yield f"built {name} {harness.version} again"
        elif self._missing_links(harness):
            links.place(self._paths, name, harness.receipt.scripts, replace=False)
            yield f"linked {name} in {self._paths.bin}"

    def _harness(self, harness: Installed) -> Iterator[Finding]:
        def say(check: str, level: Level, message: str, fix: str = "") -> Finding:
            return Finding(harness.name, check, level, message, fix)

        mend = f"cli-hub doctor {harness.name} --fix"
        if not (harness.generation / receipt.FILE).is_file():
            yield say("environment", Level.PROBLEM, f"{harness.generation} is not there", mend)
            return
        size = _size(harness.generation)
        yield say(
            "environment",
            Level.OK,
            f"{harness.version} in {harness.generation}, {size / 1e6:.1f} MB",
        )
        python = harness.bin / "python"
        if os.path.lexists(python) and not python.exists():
            gone = os.path.realpath(python)
            yield say("interpreter", Level.PROBLEM, f"its Python is gone: {gone}", mend)
            return
        problem = self._start_problem(harness)
        if problem is not None:
            yield say("entry point", Level.PROBLEM, problem.message, mend)
        else:
            yield say("entry point", Level.OK, f"{' '.join(harness.entry_point)} starts")
        yield from self._on_path(harness, mend)
        yield from self._shadowed_namespace(harness)
        yield from self._against_registry(harness)
        yield from self._contents(harness)

    def _start_problem(self, harness: Installed) -> HubError | None:
        try:
            check_starts(harness.receipt, harness.generation, self._installer.run)
        except HubError as problem:
            return problem
        return None

    def _starts(self, harness: Installed) -> bool:
        return self._start_problem(harness) is None

    def _missing_links(self, harness: Installed) -> list[str]:
        return [
            script
            for script in harness.receipt.scripts
            if not os.path.lexists(self._paths.bin / script)
        ]

    def _on_path(self, harness: Installed, mend: str) -> Iterator[Finding]:
        for script in self._missing_links(harness):
            yield Finding(
                harness.name, "link", Level.PROBLEM, f"{self._paths.bin / script} is missing", mend
            )
        for script in harness.receipt.scripts[:1]:
            found = shutil.which(script)
            if found is None:
                yield Finding(
                    harness.name, "PATH", Level.NOTE,
                    f"{script} is not on PATH; cli-hub launch {harness.name} works without",
                    f'export PATH="{self._paths.bin}:$PATH"',
                )  # fmt: skip
            elif Path(found).parent != self._paths.bin:
                yield Finding(
                    harness.name, "PATH", Level.NOTE,
                    f"another {script} comes first on PATH: {found}",
                    f'export PATH="{self._paths.bin}:$PATH"',
                )  # fmt: skip

    def _shadowed_namespace(self, harness: Installed) -> Iterator[Finding]:
        site = harness.site_packages
        if site is not None and (site / "cli_anything" / "__init__.py").exists():
            yield Finding(
                harness.name, "namespace", Level.NOTE,
                "its package has cli_anything/__init__.py, which hides every other harness of the "
                "same environment; here it has one of its own",
                "tell its maintainer: cli_anything is a namespace without __init__.py",
            )  # fmt: skip

    def _against_registry(self, harness: Installed) -> Iterator[Finding]:
        entry = self._known(harness.name)
        if entry is None:
            yield Finding(
                harness.name, "registry", Level.NOTE, "no registry in use has it any more"
            )
        elif entry.version != harness.receipt.entry_version:
            yield Finding(
                harness.name, "registry", Level.NOTE,
                f"the registry has {entry.version}, this was installed from "
                f"{harness.receipt.entry_version}",
                f"cli-hub update {harness.name}",
            )  # fmt: skip
        else:
            yield Finding(
                harness.name, "registry", Level.OK, f"as the source {entry.source} has it"
            )

    def _contents(self, harness: Installed) -> Iterator[Finding]:
        try:
            manifest = read_manifest(harness)
        except BadDocument as problem:
            yield Finding(
                harness.name, "manifest", Level.PROBLEM, problem.message, "tell its maintainer"
            )
            return
        yield _skill(harness, manifest)
        if manifest.macros is not None:
            yield Finding(harness.name, "macros", Level.OK, str(manifest.macros))
        for need in application.probe(harness, run=self._installer.run, manifest=manifest):
            yield _need(harness.name, need)

    def _places(self) -> Iterator[Finding]:
        self._installer.ledger.check()
        yield Finding("", "home", Level.OK, str(self._paths.home))
        directories = os.get_exec_path()
        if str(self._paths.bin) not in directories:
            yield Finding(
                "", "PATH", Level.NOTE, f"{self._paths.bin} is not on PATH",
                f'export PATH="{self._paths.bin}:$PATH"',
            )  # fmt: skip
        for link in links.dangling(self._paths):
            yield Finding(
                "", "link", Level.PROBLEM, f"{link} leads nowhere", "cli-hub doctor --fix"
            )

    def _leftovers(self, name: str) -> Iterator[Finding]:
        row = self._installer.ledger.row(name)
        stale = Generations(self._paths.environments / name).leftovers()
        if row is not None and row.state is State.REMOVING:
            stale = [self._paths.environments / name]
        for path in stale:
            yield Finding(
                name, "leftover", Level.PROBLEM, f"{path} was never finished",
                f"cli-hub doctor {name} --fix",
            )  # fmt: skip

    def _belonging_to_none(self, installed: dict[str, Installed]) -> Iterator[Finding]:
        recorded = set(installed)
        on_disk = {found.name for _, found in installations_on_disk(self._paths)}
        for name in self._all_names():
            if name in recorded:
                continue
            what = "is on disk but not recorded" if name in on_disk else "was never finished"
            yield Finding(
                name, "leftover", Level.PROBLEM, f"{self._paths.environments / name} {what}",
                "cli-hub doctor --fix",
            )  # fmt: skip

    def _all_names(self) -> list[str]:
        folders = self._paths.environments
        on_disk = [path.name for path in folders.iterdir()] if folders.is_dir() else []
        return sorted({*on_disk, *self._installer.ledger.rows()})


def _skill(harness: Installed, manifest: Manifest) -> Finding:
    if manifest.skill is None:
        return Finding(harness.name, "skill", Level.NOTE, "it brings no SKILL.md")
    return Finding(harness.name, "skill", Level.OK, str(manifest.skill))


def _need(name: str, need: application.Finding) -> Finding:
    what = " ".join(part for part in (need.name, need.version, need.path) if part)
    if need.satisfied:
        return Finding(name, "application", Level.OK, what)
    if need.satisfied is None:
        return Finding(name, "application", Level.NOTE, f"it needs {need.name}", need.hint)
    level = Level.PROBLEM if need.blocks else Level.NOTE
    found = f"{what} is not {need.minimum}" if need.found else f"{need.name} was not found"
    return Finding(name, "application", level, found, need.hint)


def _size(folder: Path) -> int:
    """Bytes of the files below *folder*, without what links lead to."""
    return sum(
        (Path(top) / name).lstat().st_size for top, _, names in os.walk(folder) for name in names
    )
