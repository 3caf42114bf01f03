"""``lock`` and ``sync``: fix what a project needs, and make a machine have exactly that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from cli_hub.errors import Conflict, IntegrityError, PolicyForbids, UsageError
from cli_hub.install import closure, consent, failures, lockfile
from cli_hub.install.installer import Installer
from cli_hub.install.lockfile import Lock, Locked
from cli_hub.install.plan import Plan, Wish
from cli_hub.install.project import Wanted
from cli_hub.install.source_digest import digest_of
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Npm, Pip, Script, Strategy, Target, Uninstallable


class Locker:
    """Resolves and checks locks; *find* is the registry's entry of an address."""

    def __init__(self, installer: Installer, find: Callable[[str], Entry]) -> None:
        self._installer = installer
        self._find = find

    def lock(self, wanted: tuple[Wanted, ...], registry: str) -> Lock:
        """Fix everything *wanted* at its newest allowed version."""
        return Lock(registry, tuple(self._lock_one(each) for each in wanted))

    def renew(self, held: Lock | None, wanted: tuple[Wanted, ...], registry: str) -> Lock:
        """*held*, with only those harnesses locked anew for which it is no answer any more.

        That is what the project asks for differently now, and what was built from sources that
        are others now.
        """
        known = {each.name: each for each in held.harnesses} if held else {}
        harnesses = tuple(
            known[each.name]
            if each.name in known
            and not known[each.name].misses(each)
            and not self._changed_source(known[each.name])
            else self._lock_one(each)
            for each in wanted
        )
        if held is not None and harnesses == held.harnesses:
            return held
        return Lock(registry, harnesses)

    def changed_entries(self, lock: Lock) -> list[str]:
        """The harnesses whose registry entries are not those that were locked."""
        return [each.name for each in lock.harnesses if self._is_other_entry(each)]

    def plan(self, locked: Locked, wish: Wish, *, frozen: bool) -> Plan:
        """What makes this machine have *locked*.

        With *frozen* a registry record that is no longer what was locked raises
        :class:`IntegrityError`. A source that changed does so in any case; what is fetched is
        compared by uv and npm while they install it.
        """
        entry = self._entry(locked)
        if frozen and self._is_other_entry(locked):
            raise IntegrityError(
                f"the registry's entry of {locked.name} is not the one that was locked",
                hint="look at what changed, then: cli-hub lock",
                details={"name": locked.name, "source": locked.source},
            )
        if changed := self._changed_source(locked):
            raise IntegrityError(
                changed,
                hint="look at what changed, then: cli-hub lock",
                details={"name": locked.name, "locked": locked.tree},
            )
        strategy = locked.strategy(_local_place(entry))
        return self._installer.plan(entry, replace(wish, fixed=strategy, replace=True))

    def _entry(self, locked: Locked) -> Entry:
        return self._find(f"{locked.source}/{locked.name}")

    def _is_other_entry(self, locked: Locked) -> bool:
        return lockfile.digest_of_entry(self._entry(locked).raw) != locked.entry

    def _changed_source(self, locked: Locked) -> str:
        """What is not as locked about that which it is built from here; empty when all is."""
        if not locked.tree:
            return ""
        place = _local_place(self._entry(locked))
        if locked.local and not place:
            return f"{locked.name} was locked from a source of its own, and its entry names none"
        strategy = locked.strategy(place)
        found = self._digest(strategy)
        if found == locked.tree:
            return ""
        where = f"the source of {locked.name} in {place}"
        if not locked.local:
            where = f"the source of {locked.name} that comes with this cli-hub"
        return f"{where} is not what was locked" if found else f"{where} is not there"

    def _lock_one(self, wanted: Wanted) -> Locked:
        entry = self._find(wanted.address)
        strategy = entry.install
        if isinstance(strategy, Uninstallable):
            raise PolicyForbids(
                f"{entry.name} cannot be installed: {strategy.reason}", hint=strategy.hint
            )
        strategy = _narrowed(strategy, wanted)
        locked = Locked(
            wanted.name, entry.source, entry.version, wanted.version,
            lockfile.digest_of_entry(entry.raw), strategy.as_document(), wanted.extras,
        )  # fmt: skip
        if isinstance(strategy, Pip):
            return self._lock_python(locked, strategy)
        if isinstance(strategy, Npm):
            return self._lock_npm(locked, strategy)
        if isinstance(strategy, Script):
            return replace(locked, install=self._hashed(strategy).as_document())
        return locked

    def _lock_python(self, locked: Locked, strategy: Pip) -> Locked:
        packages, direct = closure.of_python(self._installer, locked.name, strategy)
        paths = strategy.shipped_paths()
        local = bool(self._sources(strategy)) and not paths
        install = strategy.as_document()
        if local:
            del install["url"]  # elsewhere the entry says where it is
        return replace(
            locked,
            version=closure.version_of(strategy.package, packages) or locked.version,
            install=install,
            packages=packages,
            direct=direct,
            paths=paths,
            local=local,
            tree=self._digest(strategy),
        )

    def _lock_npm(self, locked: Locked, strategy: Npm) -> Locked:
        nodes = closure.of_npm(self._installer, locked.name, strategy)
        version = str(nodes[f"node_modules/{strategy.package}"]["version"])
        fixed = replace(strategy, version=version)
        return replace(locked, version=version, install=fixed.as_document(), nodes=nodes)

    def _hashed(self, strategy: Script) -> Script:
        (wanted,) = strategy.downloads
        with TemporaryDirectory() as folder:
            digest = consent.download(wanted, Path(folder), self._installer.get)
        return replace(strategy, sha256=digest)

    def _sources(self, strategy: Strategy) -> tuple[Path, ...]:
        if not isinstance(strategy, Pip):
            return ()
        return strategy.local_sources(Target(Path(), "", "", self._installer.shipped))

    def _digest(self, strategy: Strategy) -> str:
        try:
            return digest_of(self._sources(strategy))
        except OSError as problem:
            raise failures.storage_problem(problem, self._installer.paths.home) from problem


def require_current(lock: Lock, wanted: tuple[Wanted, ...]) -> None:
    """Raise :class:`Conflict` when *lock* is not an answer to *wanted*."""
    found = lock.differences(wanted)
    if found:
        raise Conflict(
            f"{lockfile.FILE} does not fit the project: {'; '.join(found)}",
            hint="cli-hub lock brings it up to date",
            details={"differences": found},
        )


def inexact(lock: Lock) -> Iterable[str]:
    """The harnesses of which only the way they are installed is fixed, not what that brings."""
    return (each.name for each in lock.harnesses if not each.is_exact)


def _local_place(entry: Entry) -> str:
    """Where the entry has what it is built from on this machine; empty when it has not."""
    strategy = entry.install
    return strategy.url if isinstance(strategy, Pip) else ""


def _narrowed(strategy: Strategy, wanted: Wanted) -> Strategy:
    version = wanted.version
    if isinstance(strategy, Pip):
        strategy = strategy.with_extras(wanted.extras)
        if version and version[0] in "<>=!~" and not (strategy.path or strategy.url):
            return replace(strategy, version=version)
    elif wanted.extras:
        raise UsageError(
            f"{wanted.name} has no extras: it is not a Python package",
            hint="leave them out of cli-hub.toml",
        )
    return strategy.at_version(version.removeprefix("==")) if version else strategy
