"""Look at what is installed and at the hub's own places, and mend what can be mended."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli_hub.errors import BadDocument, HubError
from cli_hub.install import links, room
from cli_hub.install.examining import Examiner, mending
from cli_hub.install.finding import Finding, Level, Look
from cli_hub.install.generations import Generations
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.ledger import installations_on_disk
from cli_hub.install.manifest import read as read_manifest
from cli_hub.registry.entry import Entry

LITTLE_ROOM = 200_000_000
"""Bytes; about what one environment of some size takes."""

_MEND_ALL = "cli-hub doctor --fix"


@dataclass(frozen=True, slots=True)
class Mended:
    """What ``--fix`` did, and what it could not do."""

    done: tuple[str, ...]
    failed: tuple[Finding, ...] = ()


class Doctor:
    """*known* finds the registry's entry of a name, where there is a registry to ask."""

    def __init__(
        self,
        installer: Installer,
        known: Callable[[str], Entry | None] = lambda _: None,
        looks: Sequence[Look] = (),
    ) -> None:
        self._installer = installer
        self._paths = installer.paths
        self._examiner = Examiner(installer.paths, installer.run, known, looks)

    def examine(self, name: str) -> list[Finding]:
        """Everything about one harness. Raises :class:`NotInstalled`."""
        harness = self._installer.find(name)
        return [*self._leftovers(name), *self._examiner.examine(harness)]

    def examine_all(self) -> list[Finding]:
        """The hub's own places, then every harness, then what belongs to none."""
        findings = list(self._places())
        installed = self._installer.installed()
        for name, harness in installed.items():
            findings += [*self._leftovers(name), *self._examiner.examine(harness)]
        findings += self._belonging_to_none(installed)
        return findings

    def fix(self, name: str = "") -> Mended:
        """Mend what can be mended without asking; one that cannot be does not stop the rest."""
        done: list[str] = []
        failed: list[Finding] = []
        recorded = self._installer.installed()
        for each in [name] if name else self._all_names():
            try:
                done += [f"removed {path}" for path in self._installer.clean(each)]
                done += self._mend(each, recorded)
            except HubError as problem:
                fix = problem.hint or f"cli-hub uninstall {each}, and install it again"
                failed.append(Finding(each, "mending", Level.PROBLEM, problem.message, fix))
        for link in links.dangling(self._paths):
            if not name or links.owner(self._paths, link) == name:
                link.unlink(missing_ok=True)
                done.append(f"removed the link {link}, which led nowhere")
        return Mended(tuple(done), tuple(failed))

    def _mend(self, name: str, recorded: Container[str]) -> Iterator[str]:
        harness = self._installer.installed().get(name)
        if harness is None:
            return
        if name not in recorded:  # cleaning found it on the disk
            yield f"recorded {name} {harness.version} again"
        if not self._works(harness):
            entry = self._examiner.known(name)
            self._installer.repair(
                harness, entry or Entry.parse(harness.entry, source=harness.source)
            )
            yield f"built {name} {harness.version} again"
        elif self._examiner.missing_links(harness):
            links.place(self._paths, name, harness.receipt.scripts, replace=False)
            yield f"linked {name} in {self._paths.bin}"

    def _works(self, harness: Installed) -> bool:
        """Whether its files are there, its program starts, and its manifest tells the truth."""
        if not self._installer.is_sound(harness) or self._examiner.start_problem(harness):
            return False
        try:
            read_manifest(harness)
        except BadDocument:
            return False
        return True

    def _places(self) -> Iterator[Finding]:
        self._installer.ledger.check()
        paths = self._paths
        if paths.home.is_dir() and not os.access(paths.home, os.W_OK):
            yield Finding(
                "", "home", Level.PROBLEM, f"{paths.home} cannot be written",
                "check who may write there; CLI_HUB_HOME moves everything the hub writes",
            )  # fmt: skip
        else:
            yield Finding("", "home", Level.OK, str(paths.home))
        if paths.home.is_dir():
            yield _room(room.look(paths))
        directories = [Path(each).resolve() for each in os.get_exec_path() if each]
        if paths.bin.resolve() not in directories:
            yield Finding(
                "", "PATH", Level.NOTE, f"{paths.bin} is not on PATH",
                f'export PATH="{paths.bin}:$PATH"',
            )  # fmt: skip
        for link in links.dangling(paths):
            yield Finding("", "link", Level.PROBLEM, f"{link} leads nowhere", _MEND_ALL)

    def _leftovers(self, name: str) -> Iterator[Finding]:
        for path in Generations(self._paths.environments / name).leftovers():
            message = f"{path} was never finished"
            yield Finding(name, "leftover", Level.PROBLEM, message, mending(name))

    def _belonging_to_none(self, installed: dict[str, Installed]) -> Iterator[Finding]:
        on_disk = {found.name for _, found in installations_on_disk(self._paths)}
        rows = self._installer.ledger.rows()
        for name in self._all_names():
            if name in installed:
                continue
            what = "was never finished"
            if name in rows:
                what = "was to be removed and is still there"
            elif name in on_disk:
                what = "is on disk but not recorded"
            message = f"{self._paths.environments / name} {what}"
            yield Finding(name, "leftover", Level.PROBLEM, message, _MEND_ALL)

    def _all_names(self) -> list[str]:
        folders = self._paths.environments
        on_disk = [path.name for path in folders.iterdir()] if folders.is_dir() else []
        return sorted({*on_disk, *self._installer.ledger.rows()})


def _room(used: room.Room) -> Finding:
    def megabytes(size: int) -> str:
        return f"{size / 1e6:.1f} MB"

    said = (
        f"{megabytes(used.total)} in all: environments {megabytes(used.environments)}, "
        f"cache {megabytes(used.cache)}; {megabytes(used.free)} are free"
    )
    if used.free >= LITTLE_ROOM:
        return Finding("", "disk", Level.OK, said)
    return Finding("", "disk", Level.NOTE, said, "cli-hub gc --former --cache, or make room")
