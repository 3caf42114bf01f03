"""Decide what installing an entry means, without touching anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from cli_hub.errors import Conflict, PolicyForbids, RequirementMissing, ToolMissing, UsageError
from cli_hub.install.installed import Installed
from cli_hub.process import Command
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Consent, Download, Kind, Strategy, Target, Uninstallable
from cli_hub.strategies.pip import Pip
from cli_hub.values import dataclass


class Action(StrEnum):
    INSTALL = "install"
    UPDATE = "update"
    REPAIR = "repair"
    """The version is right, but it is damaged on disk."""
    REINSTALL = "reinstall"
    PRESENT = "present"
    """Nothing to do."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the user wants it. *version* pins; *replace* lets it take another's place.

    *extras* are optional parts of a Python package; they stay until it is uninstalled.
    """

    version: str = ""
    extras: tuple[str, ...] = ()
    allow_scripts: bool = False
    again: bool = False
    update: bool = False
    replace: bool = False
    fixed: Strategy | None = None
    """What a lock file says; then the entry is not asked how it installs."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be done, whole: printing it is the dry run."""

    action: Action
    entry: Entry
    strategy: Strategy
    target: Target
    wish: Wish
    replaces: Installed | None = None
    reason: str = ""
    source_digest: str = ""
    """What the folder of this machine holds that it is built from, if it is built from one."""

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def commands(self) -> tuple[Command, ...]:
        if self.action is Action.PRESENT:
            return ()
        if self.action is Action.UPDATE:
            return self.strategy.update(self.target)
        return self.strategy.commands(self.target)

    @property
    def downloads(self) -> tuple[Download, ...]:
        return () if self.action is Action.PRESENT else self.strategy.downloads

    @property
    def consent(self) -> Consent | None:
        """What must be agreed to before it may run."""
        return None if self.action is Action.PRESENT else self.strategy.consent

    def into(self, root: Path) -> Plan:
        """The same plan for another generation directory."""
        return replace(self, target=replace(self.target, root=root))

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "action": self.action.value,
            "reason": self.reason,
            "source": self.entry.source,
            "strategy": self.strategy.kind.value,
            "scope": self.strategy.scope.value,
            "package": self.strategy.package,
            "version": self.strategy.version,
            "entry_point": list(self.entry.entry_point),
            "generation": str(self.target.root),
            "downloads": [
                {"url": download.url, "sha256": download.sha256} for download in self.downloads
            ],
            "commands": [command.line for command in self.commands],
            "consent": self.consent.risk if self.consent else "",
            "replaces": self.replaces.version if self.replaces else "",
        }


def plan_install(
    entry: Entry,
    *,
    target: Target,
    present: Installed | None,
    sound: bool,
    wish: Wish,
    find_tool: Callable[[str], str | None],
    digest_of: Callable[[tuple[Path, ...]], str] = lambda _: "",
) -> Plan:
    """Say what installing *entry* would do, given what is *present* and whether it is *sound*.

    Raises :class:`PolicyForbids` when the entry cannot be installed at all, :class:`Conflict` when
    the harness came from another source, :class:`ToolMissing` or :class:`RequirementMissing`.
    """
    strategy = _with_extras(_strategy(entry, wish, present), wish, present)
    if present is not None and present.source != entry.source and not wish.replace:
        raise Conflict(
            f"{entry.name} is installed from the source {present.source or '(unknown)'!r}, "
            f"not from {entry.source!r}",
            hint=f"cli-hub install {entry.source}/{entry.name} --replace moves it",
        )
    sources = strategy.local_sources(target) if isinstance(strategy, Pip) else ()
    source_digest = digest_of(sources) if sources else ""
    action, reason = _action(entry, strategy, present, sound=sound, wish=wish)
    if action is Action.PRESENT and _source_changed(present, source_digest):
        action, reason = Action.UPDATE, "its source changed"
        if not strategy.as_document().get("path"):  # shipped ones say when to build again
            target = replace(target, refresh=True)
    if action is not Action.PRESENT:
        _check_tool(entry, strategy, find_tool)
    return Plan(action, entry, strategy, target, wish, present, reason, source_digest)


def _source_changed(present: Installed | None, digest: str) -> bool:
    return (
        present is not None
        and not present.pinned
        and bool(digest)
        and digest != present.receipt.source_digest
    )


def _strategy(entry: Entry, wish: Wish, present: Installed | None) -> Strategy:
    strategy = wish.fixed or entry.install
    if isinstance(strategy, Uninstallable):
        raise PolicyForbids(
            f"{entry.name} cannot be installed: {strategy.reason}",
            hint=strategy.hint or (f"see {entry.homepage}" if entry.homepage else ""),
            details={"install_cmd": strategy.text},
        )
    if wish.version:
        return strategy.at_version(wish.version)
    if wish.extras and present is not None and present.pinned and _has_versions(strategy):
        return strategy.at_version(present.version)
    return strategy


def _has_versions(strategy: Strategy) -> bool:
    return isinstance(strategy, Pip) and not (strategy.path or strategy.url)


def _with_extras(strategy: Strategy, wish: Wish, present: Installed | None) -> Strategy:
    """Also the extras asked for now or before; a lock file says for itself what it wants."""
    if wish.fixed is not None:
        return strategy
    before = tuple(present.receipt.strategy.get("extras", ())) if present else ()
    if isinstance(strategy, Pip):
        return strategy.with_extras((*before, *wish.extras))
    if wish.extras:
        raise UsageError(
            f"{strategy.package} has no extras: it is not a Python package",
            hint="leave the brackets out",
        )
    return strategy


def _lacks_extras(strategy: Strategy, present: Installed) -> bool:
    there = set(present.receipt.strategy.get("extras", ()))
    return isinstance(strategy, Pip) and not there.issuperset(strategy.extras)


def _action(
    entry: Entry, strategy: Strategy, present: Installed | None, *, sound: bool, wish: Wish
) -> tuple[Action, str]:
    if present is None:
        return Action.INSTALL, ""
    if not sound:
        return Action.REPAIR, "it is damaged on disk"
    if wish.again:
        return Action.REINSTALL, "asked for"
    if wish.fixed is not None or wish.version:
        return _exactly(strategy, present, wish)
    if wish.extras and _lacks_extras(strategy, present):
        return Action.UPDATE, f"to have {', '.join(wish.extras)} too"
    if present.pinned:
        return (
            Action.PRESENT,
            f"it is pinned to {present.version}; cli-hub unpin {entry.name} lifts that",
        )
    if wish.update:
        return Action.UPDATE, "to the newest that the entry allows"
    if present.receipt.strategy != strategy.as_document():
        return Action.UPDATE, "the entry installs it in another way now"
    if present.receipt.entry_version != entry.version:
        return Action.UPDATE, f"the registry has {entry.version} now"
    return Action.PRESENT, f"{present.version} is installed"


def _exactly(strategy: Strategy, present: Installed, wish: Wish) -> tuple[Action, str]:
    """What a lock file or a version on the command line asks for."""
    if wish.fixed is None:
        same = wish.version == present.version and not _lacks_extras(strategy, present)
        return Action.PRESENT if same else Action.UPDATE, f"{present.version} is installed"
    if present.receipt.strategy == strategy.as_document():
        return Action.PRESENT, f"{present.version} is what the lock says"
    return Action.UPDATE, f"{present.version} is not what the lock says"


def _check_tool(entry: Entry, strategy: Strategy, find_tool: Callable[[str], str | None]) -> None:
    if not strategy.needs or find_tool(strategy.needs):
        return
    if strategy.kind is Kind.BUNDLED:
        notes = getattr(strategy, "notes", "")
        raise RequirementMissing(
            f"{entry.display_name} is not here: {strategy.needs} comes with it and is not on PATH",
            hint=notes or (f"see {entry.homepage}" if entry.homepage else ""),
            details={"tool": strategy.needs},
        )
    raise ToolMissing(
        strategy.needs, wanted_by=entry.name, hint=_HOW_TO_GET.get(strategy.needs, "")
    )


_HOW_TO_GET = {
    "npm": "install Node.js: apt install npm, brew install node, or nodejs.org",
    "brew": "install Homebrew: https://brew.sh says how",
    "cargo": "install Rust: apt install cargo, brew install rust, or rustup.rs",
    "go": "install Go: apt install golang-go, brew install go, or go.dev/dl",
    "git": "install git: apt install git, or brew install git",
}
