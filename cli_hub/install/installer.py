"""The one door to everything that is installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cli_hub import paths as locations
from cli_hub.errors import HubError, NotFound, NotInstalled
from cli_hub.fetch import fetch
from cli_hub.install import environment, failures, links, lock, receipt
from cli_hub.install.consent import Ask, Fetcher, refuse
from cli_hub.install.crew import Crew
from cli_hub.install.execute import INSTALL_SECONDS, OnProgress, Workshop
from cli_hub.install.generations import Generations, remove_tree
from cli_hub.install.installed import Installed
from cli_hub.install.ledger import Ledger, Row, State
from cli_hub.install.lookup import in_use, of_row
from cli_hub.install.plan import Action, Plan, Wish, plan_install
from cli_hub.install.programs import on_path
from cli_hub.install.receipt import Receipt
from cli_hub.install.reconciling import Reconciled, reconcile, remove_files
from cli_hub.install.source_digest import digest_of
from cli_hub.paths import Paths
from cli_hub.process import Runner
from cli_hub.registry.entry import Entry
from cli_hub.strategies import Kind, Scope, Target


class Installer:
    """Installs, finds and removes harnesses below *paths*.

    *run* starts processes, *get* fetches, *ask* is asked before foreign code runs (and by default
    says no), *warn* hears what was repaired on the way, *find_tool* looks on PATH, *shipped* finds
    a file that comes with the hub.
    Any method may raise :class:`HubError` when the hub's own files cannot be used.
    """

    def __init__(
        self,
        paths: Paths,
        run: Runner | None = None,
        *,
        offline: bool = False,
        timeout: float = INSTALL_SECONDS,
        lock_wait: float = lock.WAIT_SECONDS,
        ask: Ask = refuse,
        get: Fetcher = fetch,
        warn: Callable[[str], None] = lambda _: None,
        find_tool: Callable[[str], str | None] = on_path,
        shipped: Callable[[str], Path] = locations.resource,
    ) -> None:
        self.paths = paths
        self._crew = Crew()
        self.run: Runner = run or self._crew
        self.ledger = Ledger(paths, warn)
        self.offline = offline
        self._timeout = timeout
        self._lock_wait = lock_wait
        self._find_tool = find_tool
        self.shipped = shipped
        self._ask = ask
        self.get = get

    def interrupt(self) -> None:
        """End what other threads run for it, and start nothing more."""
        self._crew.end()

    # What is there

    def installed(self) -> dict[str, Installed]:
        """All installed harnesses by name."""
        rows = self.ledger.rows()
        return {
            name: self._installed(row) for name, row in rows.items() if row.state is State.READY
        }

    def find(self, name: str) -> Installed:
        """The installed harness *name*. Raises :class:`NotInstalled` with the nearest names."""
        found = in_use(self.paths, self.ledger, name)
        if found is None:
            raise _not_installed(name, self.installed())
        return found

    def is_sound(self, installed: Installed) -> bool:
        """Whether its files are there: receipt, entry point, and the interpreter behind it."""
        if not (installed.generation / receipt.FILE).is_file():
            return False
        python = installed.bin / "python"
        if os.path.lexists(python) and not python.exists():
            return False
        words = installed.entry_point
        return bool(words) and on_path(words[0]) is not None

    # Changing it

    def plan(self, entry: Entry, wish: Wish | None = None) -> Plan:
        """What installing *entry* would do now; see :func:`plan_install` for what it raises."""
        return self._plan(entry, wish or Wish(), self.ledger.row(entry.name))

    def _plan(self, entry: Entry, wish: Wish, row: Row | None) -> Plan:
        present = self._installed(row) if row and row.state is State.READY else None
        return plan_install(
            entry,
            target=Target(
                root=Generations(self.paths.environments / entry.name).new(),
                uv=environment.uv_program(),
                python=environment.base_python(),
                shipped=self.shipped,
                allow_scripts=wish.allow_scripts,
                refresh=wish.update,
            ),
            present=present,
            sound=present is not None and self.is_sound(present),
            wish=wish,
            find_tool=self._find_tool,
            digest_of=digest_of,
        )

    def install(self, plan: Plan, on_progress: OnProgress = lambda _: None) -> Installed:
        """Carry *plan* out and return what is installed then.

        When another process installed the same harness meanwhile, its result is returned. On any
        failure the state is as before.
        """
        with self._changing(plan.name) as found_here:
            now = self._plan(plan.entry, plan.wish, found_here.row)
            if now.action is Action.PRESENT or _somebody_was_faster(plan, now):
                assert now.replaces is not None  # noqa: S101 - present means it is there
                if plan.wish.version and not now.replaces.pinned:
                    self.ledger.pin(plan.name, pinned=True)
                return replace(now.replaces, pinned=now.replaces.pinned or bool(plan.wish.version))
            workshop = Workshop(
                self.paths,
                self.ledger,
                self.run,
                offline=self.offline,
                timeout=self._timeout,
                ask=self._ask,
                get=self.get,
                on_progress=on_progress,
            )
            now = now.into(plan.target.root) if not plan.target.root.exists() else now
            found = workshop.stage(now)
            if now.replaces is not None and _nothing_new(now, found):
                remove_tree(now.target.root)
                return now.replaces
            return workshop.switch(now, found)

    def repair(self, harness: Installed, entry: Entry) -> Installed:
        """Build *harness* again as it was, at the version it has when its strategy has versions."""
        wish = Wish(version=harness.version if harness.pinned else "", again=True, replace=True)
        return self.install(self.plan(entry, wish))

    def pin(self, name: str, *, pinned: bool) -> Installed:
        """Keep *name* at its version whatever ``update`` is asked, or lift that again."""
        with self._changing(name):
            harness = self.find(name)
            self.ledger.pin(name, pinned=pinned)
            return replace(harness, pinned=pinned)

    def rollback(self, name: str) -> Installed:
        """Go back to the generation that was in use before; needs no network.

        Raises :class:`NotFound` when there is none. Going back twice is where it began.
        """
        with self._changing(name):
            harness = self.find(name)
            folder = Generations(self.paths.environments / name)
            former = folder.previous()
            found = receipt.read(former) if former else None
            if former is None or found is None or harness.receipt.scope != Scope.PRIVATE:
                raise NotFound(
                    f"there is no former version of {name} to go back to",
                    hint=f"name one: cli-hub install {name}==VERSION",
                )
            folder.switch(former)
            links.place(self.paths, name, found.scripts, replace=False)
            self.ledger.record(former, found, pinned=harness.pinned)
            return Installed(found, former, harness.pinned)

    def uninstall(self, name: str) -> Installed:
        """Remove what installing *name* put there and nothing else; returns what it was.

        Everything is known from the ledger. Raises :class:`NotInstalled`.
        """
        with self._changing(name):
            gone = self.find(name)
            self._run_removal(gone)
            self.ledger.begin_removal(name)
            remove_files(self.paths, name)
            self.ledger.forget(name)
            return gone

    def clean(self, name: str) -> list[Path]:
        """Finish or undo what an interrupted command left of *name*; returns what was removed."""
        with self._changing(name) as found_here:
            return list(found_here.removed)

    def _run_removal(self, gone: Installed) -> None:
        strategy = gone.strategy
        if not hasattr(strategy, "removal"):
            return
        target = Target(gone.generation, "", "", self.shipped)
        log = self.paths.logs / f"{gone.name}-removal.log"
        for each in strategy.removal(target):
            done = self.run(each, timeout=self._timeout)
            if not done.ok:
                log.parent.mkdir(parents=True, exist_ok=True)
                log.write_text(done.output, encoding="utf-8")
                raise failures.explain(done, name=gone.name, log=log)

    @contextmanager
    def _changing(self, name: str) -> Iterator[Reconciled]:
        """Hold the harness's lock, with what earlier commands left unfinished put right."""
        try:
            with lock.held(self.paths.locks, name, wait=self._lock_wait):
                yield reconcile(self.paths, self.ledger, name)
        except OSError as problem:
            raise failures.storage_problem(problem, self.paths.home) from problem

    def _installed(self, row: Row) -> Installed:
        return of_row(self.paths, row)


def _nothing_new(plan: Plan, found: Receipt) -> bool:
    """Whether an update built what was there already. What has no versions may always differ."""
    before = plan.replaces.receipt if plan.replaces else None
    fixed = plan.strategy.kind in (Kind.PIP, Kind.UV, Kind.NPM) and not (
        found.strategy.get("url") or found.strategy.get("path")
    )
    return (
        plan.action is Action.UPDATE
        and plan.wish.update
        and fixed
        and before is not None
        and (before.version, before.package, before.strategy, before.entry_version)
        == (found.version, found.package, found.strategy, found.entry_version)
    )


def _somebody_was_faster(plan: Plan, now: Plan) -> bool:
    """Whether what *plan* wanted was done by another process while this one waited."""
    before = plan.replaces.generation if plan.replaces else None
    after = now.replaces.generation if now.replaces else None
    return after is not None and after != before and now.action in (Action.UPDATE, Action.REINSTALL)


def _not_installed(name: str, installed: dict[str, Installed]) -> HubError:
    import difflib

    return NotInstalled(
        f"{name} is not installed",
        nearest=difflib.get_close_matches(name, installed, n=3),
        hint="" if difflib.get_close_matches(name, installed, n=1) else f"cli-hub install {name}",
    )
