"""``lock`` and ``sync``: fix what a project needs, and make a machine have exactly that."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cli_hub.errors import Conflict, HubError, IntegrityError, PolicyForbids
from cli_hub.install import consent, failures, lockfile
from cli_hub.install.environment import base_python, installer_command, uv_program
from cli_hub.install.installer import Installer
from cli_hub.install.lockfile import Lock, Locked, Package
from cli_hub.install.plan import Plan, Wish
from cli_hub.install.project import Wanted
from cli_hub.process import command
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Npm, Pip, Script, Strategy, Uninstallable
from cli_hub.strategies.pip import KIT

RESOLVE_SECONDS = 300.0
_HASH = re.compile(r"--hash=(\S+)")


class Locker:
    """Resolves and checks locks; *find* is the registry's entry of an address."""

    def __init__(self, installer: Installer, find: Callable[[str], Entry]) -> None:
        self._installer = installer
        self._find = find

    def lock(self, wanted: tuple[Wanted, ...], registry: str) -> Lock:
        """Fix everything *wanted* at its newest allowed version."""
        return Lock(registry, tuple(self._lock_one(each) for each in wanted))

    def plan(self, locked: Locked, wish: Wish, *, frozen: bool) -> Plan:
        """What makes this machine have *locked*.

        With *frozen* a registry record, a shipped source or an npm package that is no longer what
        was locked raises :class:`IntegrityError`; it does in any case where hashes are checked.
        """
        entry = self._find(f"{locked.source}/{locked.name}")
        if frozen and lockfile.digest_of_entry(entry.raw) != locked.entry:
            raise IntegrityError(
                f"the registry's entry of {locked.name} is not the one that was locked",
                hint="look at what changed, then: cli-hub lock",
                details={"name": locked.name, "source": locked.source},
            )
        if locked.tree and self._tree(locked.paths) != locked.tree:
            raise IntegrityError(
                f"the sources of {locked.name} that come with this cli-hub are not those locked",
                hint="use the cli-hub the lock was made with, or: cli-hub lock",
            )
        strategy = locked.strategy()
        if isinstance(strategy, Npm) and self._npm(strategy)[1] != locked.integrity:
            raise IntegrityError(
                f"{strategy.spec} is not the package that was locked",
                hint="somebody published other bytes under that version; do not use it",
            )
        return self._installer.plan(entry, replace(wish, fixed=strategy, replace=True))

    def _lock_one(self, wanted: Wanted) -> Locked:
        entry = self._find(wanted.address)
        strategy = entry.install
        if isinstance(strategy, Uninstallable):
            raise PolicyForbids(
                f"{entry.name} cannot be installed: {strategy.reason}", hint=strategy.hint
            )
        strategy = _narrowed(strategy, wanted.version)
        locked = Locked(
            wanted.name, entry.source, entry.version, wanted.version,
            lockfile.digest_of_entry(entry.raw), strategy.as_document(),
        )  # fmt: skip
        if isinstance(strategy, Pip):
            return self._lock_python(locked, strategy)
        if isinstance(strategy, Npm):
            version, integrity = self._npm(strategy)
            fixed = replace(strategy, version=version)
            return replace(
                locked, version=version, install=fixed.as_document(), integrity=integrity
            )
        if isinstance(strategy, Script):
            return replace(locked, install=self._hashed(strategy).as_document())
        return locked

    def _lock_python(self, locked: Locked, strategy: Pip) -> Locked:
        paths: tuple[str, ...] = ()
        if strategy.path:
            paths = tuple(dict.fromkeys((strategy.path, KIT)))
        packages, direct = self._resolve(locked.name, strategy, paths)
        versions = [
            package.requirement.split("==")[1].split()[0]
            for package in packages
            if _key(package.requirement.split("==")[0].split("[")[0]) == _key(strategy.package)
        ]
        return replace(
            locked,
            version=versions[0] if versions else locked.version,
            packages=packages,
            direct=direct,
            paths=paths,
            tree=self._tree(paths) if paths else "",
        )

    def _resolve(
        self, name: str, strategy: Pip, paths: tuple[str, ...]
    ) -> tuple[tuple[Package, ...], tuple[str, ...]]:
        """The closure as uv resolves it for every platform, and what is in it by address."""
        installer = self._installer
        work = installer.paths.cache / "lock"
        work.mkdir(parents=True, exist_ok=True)
        asked = work / f"{name}.in"
        wanted = [str(installer.shipped(path)) for path in paths] or [
            strategy.requirement if not strategy.url else strategy.url
        ]
        asked.write_text("\n".join([*wanted, *strategy.also]) + "\n", encoding="utf-8")
        argv = [
            uv_program(), "pip", "compile", "--universal", "--generate-hashes", "--no-header",
            "--no-annotate", "--no-config", "--refresh", "--python", base_python(),
        ]  # fmt: skip
        if strategy.index:
            argv += ["--default-index", strategy.index]
        if strategy.prerelease:
            argv += ["--prerelease", "allow"]
        question = command(*argv, str(asked), cwd=work)
        ready = installer_command(question, strategy, installer.paths, offline=installer.offline)
        done = installer.run(ready, timeout=RESOLVE_SECONDS)
        if not done.ok:
            raise failures.explain(done, name=name, log=Path())
        return _read_closure(done.stdout)

    def _tree(self, paths: tuple[str, ...]) -> str:
        return lockfile.digest_of_trees(paths, self._installer.shipped)

    def _npm(self, strategy: Npm) -> tuple[str, str]:
        """The newest version that fits, and its integrity."""
        installer = self._installer
        question = command("npm", "view", strategy.spec, "version", "dist.integrity", "--json")
        ready = installer_command(question, strategy, installer.paths, offline=installer.offline)
        done = installer.run(ready, timeout=RESOLVE_SECONDS)
        if not done.ok:
            raise failures.explain(done, name=strategy.package, log=Path())
        said = json.loads(done.stdout)
        newest = said[-1] if isinstance(said, list) else said
        try:
            return str(newest["version"]), str(newest["dist.integrity"])
        except (KeyError, TypeError):
            raise HubError(f"npm tells no integrity of {strategy.spec}") from None

    def _hashed(self, strategy: Script) -> Script:
        work = self._installer.paths.cache / "lock"
        work.mkdir(parents=True, exist_ok=True)
        (wanted,) = strategy.downloads
        return replace(strategy, sha256=consent.download(wanted, work, self._installer.get))


def require_current(lock: Lock, wanted: tuple[Wanted, ...]) -> None:
    """Raise :class:`Conflict` when *lock* is not an answer to *wanted*."""
    found = lock.differences(wanted)
    if found:
        raise Conflict(
            f"{lockfile.FILE} does not fit the project: {'; '.join(found)}",
            hint="cli-hub lock brings it up to date",
            details={"differences": found},
        )


def _narrowed(strategy: Strategy, version: str) -> Strategy:
    if not version:
        return strategy
    if isinstance(strategy, Pip) and version[0] in "<>=!~":
        return replace(strategy, version=version)
    return strategy.at_version(version.removeprefix("=="))


def _read_closure(text: str) -> tuple[tuple[Package, ...], tuple[str, ...]]:
    packages: list[Package] = []
    direct: list[str] = []
    for line in text.replace("\\\n", " ").splitlines():
        words = line.split("--hash=")[0].strip()
        if not words or words.startswith("#"):
            continue
        if " @ file://" in words or words.startswith(("/", "file:")):
            continue  # shipped with the hub: installed from there, its tree is hashed
        if " @ " in words:
            direct.append(words)
        else:
            packages.append(Package(words, tuple(sorted(_HASH.findall(line)))))
    return tuple(packages), tuple(direct)


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
