"""Carry out a plan: stage → verify → switch → record.

Everything before the switch happens in a new generation directory and is removed again when it
fails, so whatever worked before still works.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from cli_hub.errors import BadDocument, CommandFailed, HubError, TimedOut
from cli_hub.fetch import fetch
from cli_hub.install import failures, links, manifest, receipt
from cli_hub.install.consent import Ask, Fetcher, download, refuse, require
from cli_hub.install.describe import Contents, describe
from cli_hub.install.environment import installer_command, program_command
from cli_hub.install.generations import Generations, remove_tree
from cli_hub.install.installed import Installed, resolve_entry_point
from cli_hub.install.ledger import Ledger
from cli_hub.install.plan import Plan
from cli_hub.install.receipt import Receipt
from cli_hub.paths import Paths
from cli_hub.process import Command, Completed, Runner, command
from cli_hub.strategies import Kind, Npm, Pip, Scope
from cli_hub.values import dataclass

VERIFY_SECONDS = 60.0
INSTALL_SECONDS = 900.0


_CACHING = (Kind.PIP, Kind.UV, Kind.NPM)


class Stage(StrEnum):
    STAGE = "stage"
    VERIFY = "verify"
    SWITCH = "switch"


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of one installation; *text* is for people."""

    name: str
    stage: Stage
    text: str


OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Workshop:
    """What carrying out a plan needs."""

    paths: Paths
    ledger: Ledger
    run: Runner
    offline: bool = False
    timeout: float = INSTALL_SECONDS
    ask: Ask = refuse
    get: Fetcher = fetch
    on_progress: OnProgress = lambda _: None

    def stage(self, plan: Plan) -> Receipt:
        """Build the generation and prove it; on any failure nothing of it stays."""
        folder = Generations(self.paths.environments / plan.name)
        root = plan.target.root
        try:
            if plan.entry.entry_point and plan.strategy.scope is Scope.PRIVATE:
                script = plan.entry.entry_point[0]
                links.check(self.paths, plan.name, script, replace=plan.wish.replace)
            self.paths.bin.mkdir(parents=True, exist_ok=True)
            root.mkdir(parents=True)
            if isinstance(plan.strategy, Pip | Npm):
                _write_files(plan.strategy.files, root)
            digests = tuple(download(each, root, self.get) for each in plan.downloads)
            require(plan, digests, self.ledger, self.ask)
            self._run_commands(_agreed(plan))
            contents = describe(plan)
            found = self._describe(plan, contents)
            self._verify(plan, found, contents)
            _check_manifest(plan, found, contents)
            receipt.write(root, found)
        except BaseException:
            remove_tree(root)
            with suppress(OSError):
                folder.folder.rmdir()  # only when nothing else is in it
            raise
        return found

    def switch(self, plan: Plan, found: Receipt) -> Installed:
        """Make the staged generation the one in use, link its programs and record it."""
        self.on_progress(Progress(plan.name, Stage.SWITCH, f"{plan.name} {found.version}"))
        folder = Generations(self.paths.environments / plan.name)
        pinned = bool(plan.wish.version) or bool(plan.replaces and plan.replaces.pinned)
        folder.switch(plan.target.root)
        links.place(self.paths, plan.name, found.scripts, replace=plan.wish.replace)
        self.ledger.record(plan.target.root, found, pinned=pinned)
        folder.prune(keep=plan.replaces.generation if plan.replaces else None)
        return Installed(found, plan.target.root, pinned)

    def _run_commands(self, plan: Plan) -> None:
        log = self.paths.logs / f"{plan.name}-{plan.target.root.name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("wb") as file:

            def keep(_stream: str, chunk: bytes) -> None:
                file.write(chunk)

            for each in plan.commands:
                self.on_progress(Progress(plan.name, Stage.STAGE, str(each)))
                file.write(f"$ {each.line}\n".encode())
                file.flush()
                done = self._run(plan, each, keep)
                file.flush()
                if not done.ok:
                    raise failures.explain(done, name=plan.name, log=log)

    def _run(self, plan: Plan, each: Command, keep: Callable[[str, bytes], None]) -> Completed:
        ready = replace(each, cwd=each.cwd or self.paths.home)

        def go(*, offline: bool) -> Completed:
            placed = installer_command(ready, plan.strategy, self.paths, offline=offline)
            return self.run(placed, timeout=self.timeout, on_output=keep)

        done = go(offline=self.offline)
        if self.offline or not failures.is_network(done) or plan.strategy.kind not in _CACHING:
            return done
        # The index cannot be asked whether something newer exists; what is cached may be enough.
        second = go(offline=True)
        return second if second.ok else done

    def _describe(self, plan: Plan, contents: Contents) -> Receipt:
        entry, strategy = plan.entry, plan.strategy
        return Receipt(
            name=entry.name,
            version=contents.version,
            source=entry.source,
            package=contents.package,
            strategy=strategy.as_document(),
            scope=strategy.scope.value,
            entry_point=entry.entry_point or contents.scripts[:1],
            scripts=contents.scripts,
            installed_at=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            requested=plan.wish.version,
            entry_version=entry.version,
            program=contents.program,
            source_digest=plan.source_digest,
            entry=dict(entry.raw),
        )

    def _verify(self, plan: Plan, found: Receipt, contents: Contents) -> None:
        """Start the entry point; that it answers is what "installed" means."""
        self.on_progress(Progress(plan.name, Stage.VERIFY, " ".join(found.entry_point)))
        try:
            check_starts(found, plan.target.root, self.run)
        except CommandFailed as problem:
            if contents.needs_scripts:
                problem.hint = (
                    f"{contents.package} has installation scripts, which did not run; look at "
                    f"them, then: cli-hub install {plan.name} --allow-scripts"
                )
            raise


def _write_files(files: Mapping[str, str], root: Path) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _check_manifest(plan: Plan, found: Receipt, contents: Contents) -> None:
    """Raise :class:`BadDocument` when the harness describes itself by what is not there."""
    if plan.strategy.scope is not Scope.PRIVATE:
        return
    try:
        manifest.read(Installed(found, plan.target.root), contents.files)
    except BadDocument as problem:
        problem.hint = f"{plan.name} was not installed: its package is broken; tell its maintainer"
        raise


def _agreed(plan: Plan) -> Plan:
    """The plan with what was asked for agreed to: npm needs to be told."""
    if plan.consent is None:
        return plan
    return replace(plan, target=replace(plan.target, allow_scripts=True))


def check_starts(found: Receipt, generation: Path, run: Runner) -> None:
    """Raise :class:`CommandFailed` unless the entry point answers ``--help`` or ``--version``.

    Raises :class:`TimedOut` when it takes too long over the answer.
    """
    argv = resolve_entry_point(found.entry_point, generation, found.program)
    if not argv:
        raise HubError(
            f"{found.name} names no entry point", hint="the entry is wrong; tell its maintainer"
        )
    for question in ("--help", "--version"):
        asked = program_command(command(*argv, question, cwd=generation))
        done = run(asked, timeout=VERIFY_SECONDS)
        if done.ok:
            return
    hint = f"{found.name} was not installed: its program does not start"
    if done.timed_out:
        raise TimedOut(f"{done.command} gave no answer within {VERIFY_SECONDS:.0f} s", hint=hint)
    raise CommandFailed(str(done.command), exit_code=done.exit_code, output=done.tail(), hint=hint)
