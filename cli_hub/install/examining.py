"""One installed harness, looked at the way its user meets it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli_hub.errors import BadDocument, HubError
from cli_hub.install import application, links, receipt
from cli_hub.install.execute import check_starts
from cli_hub.install.finding import Finding, Level, Look
from cli_hub.install.installed import Installed
from cli_hub.install.manifest import read as read_manifest
from cli_hub.install.room import size_of
from cli_hub.paths import Paths
from cli_hub.process import Runner
from cli_hub.registry.entry import Entry


@dataclass(frozen=True, slots=True)
class Examiner:
    """*known* finds the registry's entry of a name; *looks* see to what a harness brings along."""

    paths: Paths
    run: Runner
    known: Callable[[str], Entry | None]
    looks: Sequence[Look] = ()

    def examine(self, harness: Installed) -> Iterator[Finding]:
        """What there is to say of *harness*; what depends on something missing is left out."""

        def say(check: str, level: Level, message: str, fix: str = "") -> Finding:
            return Finding(harness.name, check, level, message, fix)

        mend = mending(harness.name)
        if not (harness.generation / receipt.FILE).is_file():
            yield say("environment", Level.PROBLEM, f"{harness.generation} is not there", mend)
            return
        megabytes = size_of(harness.generation) / 1e6
        where = f"{harness.version} in {harness.generation}, {megabytes:.1f} MB"
        yield say("environment", Level.OK, where)
        python = harness.bin / "python"
        if os.path.lexists(python):
            real = os.path.realpath(python)
            if not python.exists():
                yield say("interpreter", Level.PROBLEM, f"its Python is gone: {real}", mend)
                return
            yield say("interpreter", Level.OK, real)
        problem = self.start_problem(harness)
        if problem is not None:
            yield say("entry point", Level.PROBLEM, problem.message, mend)
        else:
            yield say("entry point", Level.OK, f"{' '.join(harness.entry_point)} starts")
        yield from self._on_path(harness)
        yield from _shadowed_namespace(harness)
        yield self._against_registry(harness)
        yield from self._contents(harness)

    def start_problem(self, harness: Installed) -> HubError | None:
        """Why its entry point does not start, ``None`` when it does."""
        try:
            check_starts(harness.receipt, harness.generation, self.run)
        except HubError as problem:
            return problem
        return None

    def missing_links(self, harness: Installed) -> list[str]:
        return [
            script
            for script in harness.receipt.scripts
            if not os.path.lexists(self.paths.bin / script)
        ]

    def _on_path(self, harness: Installed) -> Iterator[Finding]:
        def say(check: str, level: Level, message: str, fix: str) -> Finding:
            return Finding(harness.name, check, level, message, fix)

        missing = self.missing_links(harness)
        export = f'export PATH="{self.paths.bin}:$PATH"'
        for script in harness.receipt.scripts:
            link = self.paths.bin / script
            if script in missing:
                mend = mending(harness.name)
                yield say("link", Level.PROBLEM, f"{link} is missing", mend)
                continue
            owner = links.owner(self.paths, link)
            if owner is None:
                fix = f"move {link} away, then: {mending(harness.name)}"
                yield say("link", Level.NOTE, f"{link} is not the hub's, and in the way", fix)
            elif owner != harness.name:
                fix = f"cli-hub install {harness.name} --reinstall --replace gives it to this one"
                yield say("link", Level.NOTE, f"{link} belongs to {owner}", fix)
            elif found := shutil.which(script):
                if not _same(Path(found).parent, self.paths.bin):
                    message = f"another {script} comes first on PATH: {found}"
                    yield say("PATH", Level.NOTE, message, export)
            else:
                message = f"{script} is not on PATH; cli-hub launch {harness.name} works without"
                yield say("PATH", Level.NOTE, message, export)

    def _against_registry(self, harness: Installed) -> Finding:
        entry, before = self.known(harness.name), harness.receipt.entry_version
        if entry is None:
            return Finding(
                harness.name, "registry", Level.NOTE, "no registry in use has it any more",
                f"keep it as it is, or: cli-hub uninstall {harness.name}",
            )  # fmt: skip
        if entry.version != before:
            unpin = f"cli-hub unpin {harness.name}, then: " if harness.pinned else ""
            return Finding(
                harness.name, "registry", Level.NOTE,
                f"the registry has {entry.version}, this was installed from {before}",
                f"{unpin}cli-hub update {harness.name}",
            )  # fmt: skip
        return Finding(harness.name, "registry", Level.OK, f"as the source {entry.source} has it")

    def _contents(self, harness: Installed) -> Iterator[Finding]:
        try:
            manifest = read_manifest(harness)
        except BadDocument as problem:
            # It was whole when it was installed: what is not there was taken away since.
            mend = mending(harness.name)
            yield Finding(harness.name, "manifest", Level.PROBLEM, problem.message, mend)
            return
        for look in self.looks:
            yield from look(harness, manifest)
        for need in application.probe(harness, run=self.run, manifest=manifest):
            yield _need(harness.name, need)


def mending(name: str) -> str:
    return f"cli-hub doctor {name} --fix"


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _shadowed_namespace(harness: Installed) -> Iterator[Finding]:
    site = harness.site_packages
    if site is not None and (site / "cli_anything" / "__init__.py").exists():
        yield Finding(
            harness.name, "namespace", Level.NOTE,
            "its package has cli_anything/__init__.py, which hides every other harness of the "
            "same environment; here it has one of its own",
            "tell its maintainer: cli_anything is a namespace without __init__.py",
        )  # fmt: skip


def _need(name: str, need: application.Finding) -> Finding:
    what = " ".join(part for part in (need.name, need.version, need.path) if part)
    if need.satisfied:
        return Finding(name, "application", Level.OK, what)
    fix = need.hint or f"get {need.name}; cli-hub info {name} shows where the harness comes from"
    if need.satisfied is None:
        return Finding(name, "application", Level.NOTE, f"it needs {need.name}", fix)
    level = Level.PROBLEM if need.blocks else Level.NOTE
    found = f"{what} is not {need.minimum}" if need.found else f"{need.name} was not found"
    return Finding(name, "application", level, found, fix)
