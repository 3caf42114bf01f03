"""Is there something newer? Asked of the installer each harness came by."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.errors import HubError
from cli_hub.install import failures
from cli_hub.install.environment import installer_command, uv_program
from cli_hub.install.installed import Installed, python_environment
from cli_hub.paths import Paths
from cli_hub.process import Command, Runner, command
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Kind, Npm, Pip, Uninstallable

ASK_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Newer:
    """*latest* is empty when the installer cannot say; *reason* tells what is newer, or why not."""

    name: str
    version: str
    latest: str
    outdated: bool
    pinned: bool
    reason: str = ""

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "version": self.version,
            "latest": self.latest,
            "outdated": self.outdated,
            "pinned": self.pinned,
            "reason": self.reason,
        }


def look(
    installed: Installed,
    *,
    paths: Paths,
    run: Runner,
    known: Callable[[str], Entry | None],
    offline: bool = False,
) -> Newer:
    """Ask for the newest version of *installed* that its entry allows.

    Raises :class:`HubError` when the installer cannot be asked.
    """
    entry = known(installed.name)
    strategy = installed.strategy if entry is None else entry.install
    moved = entry is not None and entry.version != installed.receipt.entry_version
    latest = ""
    if not isinstance(strategy, Uninstallable):
        question = _question(installed, strategy)
        if question is not None:
            asked = installer_command(question, strategy, paths, offline=offline)
            done = run(asked, timeout=ASK_SECONDS)
            if not done.ok:
                raise failures.explain(done, name=installed.name, log=Path())
            latest = _answer(installed, strategy.kind, done.stdout)
    newer = bool(latest) and latest != installed.version
    reason = ""
    if moved and not newer and entry is not None:
        reason = f"the registry has {entry.version}, it was {installed.receipt.entry_version}"
    elif not latest:
        reason = "its installer cannot say"
    return Newer(
        installed.name, installed.version, latest, newer or moved, installed.pinned, reason
    )


def _question(installed: Installed, strategy: object) -> Command | None:
    if isinstance(strategy, Pip) and not (strategy.path or strategy.url):
        argv = [
            uv_program(), "pip", "install", "--dry-run", "--no-deps", "--upgrade", "--refresh",
            "--no-config", "--output-format", "json",
            "--python", str(python_environment(installed.generation)),
        ]  # fmt: skip
        if strategy.index:
            argv += ["--default-index", strategy.index]
        if strategy.prerelease:
            argv += ["--prerelease", "allow"]
        return command(*argv, strategy.requirement)
    if isinstance(strategy, Npm):
        return command("npm", "view", strategy.spec, "version", "--json")
    return None


def _answer(installed: Installed, kind: Kind, text: str) -> str:
    try:
        said = json.loads(text)
    except ValueError as problem:
        raise HubError(
            f"the answer about {installed.name} cannot be read: {problem}",
            details={"answer": text[:500]},
        ) from None
    if kind is Kind.NPM:
        return str(said[-1] if isinstance(said, list) and said else said)
    changes = [
        change
        for change in said.get("changes", [])
        if change.get("action") == "installed" and _same(change.get("name"), installed.package)
    ]
    return str(changes[0]["version"]) if changes else installed.version


def _same(one: object, other: str) -> bool:
    return str(one).replace("_", "-").lower() == other.replace("_", "-").lower()
