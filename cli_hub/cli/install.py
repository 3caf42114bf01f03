"""``install``, ``uninstall``: the life of harnesses on this machine."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace as altered
from typing import Any

from cli_hub.cli.definition import Definition, Option
from cli_hub.cli.entries import open_entries
from cli_hub.cli.surface import Surface
from cli_hub.errors import HubError, UsageError
from cli_hub.install.batch import OF_ACTION, Outcome, Status, for_each, summary
from cli_hub.install.consent import Question
from cli_hub.install.execute import INSTALL_SECONDS, OnProgress, Progress, Stage
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.plan import Action, Plan, Wish
from cli_hub.install.request import parse_request
from cli_hub.registry.resolve import Lookup, resolve


def run_install(
    out: Surface,
    names: Sequence[str],
    *,
    dry_run: bool,
    version: str,
    allow_scripts: bool,
    replace: bool,
    reinstall: bool,
    resume: bool,
    fail_fast: bool,
    timeout: float,
) -> int:
    """Install harnesses, each into an environment of its own.

    Example: cli-hub install ffmpeg blender==1.0 "macrocli[visual]"
    """
    installer = make_installer(out, timeout=timeout)
    wanted = list(names)
    if resume:
        wanted += [each for each in installer.ledger.unfinished().values() if each not in wanted]
    if not wanted:
        if resume:
            out.show(_document([]), lambda: out.line("nothing is unfinished"))
            return 0
        raise UsageError("install needs the name of a harness", hint="cli-hub list shows them")
    if version and len(wanted) > 1:
        raise UsageError("--version fits one harness", hint="write each as NAME==VERSION")
    wish = Wish(version, allow_scripts=allow_scripts, again=reinstall, replace=replace)
    entries = open_entries(out)
    if dry_run:
        plans = [plan_one(installer, entries, each, wish) for each in wanted]
        out.show({"plans": [plan.as_document() for plan in plans]}, lambda: _plans(out, plans))
        return 0

    def work(request: str) -> Outcome:
        plan = plan_one(installer, entries, request, wish)
        done = installer.install(plan, progress(out))
        status = OF_ACTION[plan.action]
        return Outcome(request, status, done, note=plan.reason)

    try:
        outcomes = for_each(wanted, work, fail_fast=fail_fast, interrupt=installer.interrupt)
    except KeyboardInterrupt:
        _remember(out, installer, [_not_finished(installer, each) for each in wanted])
        raise
    _remember(out, installer, outcomes)
    return report(out, outcomes)


def run_uninstall(out: Surface, names: Sequence[str]) -> int:
    """Remove what installing put there, and nothing else.

    Example: cli-hub uninstall ffmpeg
    """
    installer = make_installer(out)

    def work(name: str) -> Outcome:
        return Outcome(name, Status.REMOVED, installer.uninstall(parse_request(name).bare))

    return report(out, for_each(names, work, interrupt=installer.interrupt))


DEFINITIONS: Mapping[str, Definition] = {
    "install": Definition(
        "install",
        run_install,
        (
            Option("dry_run", default=False, help="Print what would be done; touch nothing."),
            Option("version", "", "The version to install, and to stay with."),
            Option(
                "allow_scripts",
                default=False,
                help="Agree to scripts and commands that run outside the hub.",
            ),
            Option(
                "replace",
                default=False,
                help="Take over from another source, or another's program name.",
            ),
            Option("reinstall", default=False, help="Build it again even when it is here."),
            Option("resume", default=False, help="Try again what still fails."),
            Option("fail_fast", default=False, help="Stop at the first that fails."),
            Option(
                "timeout",
                INSTALL_SECONDS,
                "Seconds one command of an installer may take.",
                least=1,
            ),
        ),
        words="NAME[EXTRA…][==VERSION]…",
        words_help="A Python package may have extras.",
        many=True,
        apart=True,
        optional=True,
        offers="entries",
    ),
    "uninstall": Definition(
        "uninstall", run_uninstall, (), words="NAME…", many=True, apart=True, offers="installed"
    ),
}


def make_installer(out: Surface, *, timeout: float = INSTALL_SECONDS) -> Installer:
    """The installer of this invocation; a person at a terminal is asked for consent."""
    return Installer(
        out.paths,
        offline=out.settings.offline,
        timeout=timeout,
        ask=lambda question: _ask(out, question),
        warn=out.warn,
    )


def report(out: Surface, outcomes: Sequence[Outcome]) -> int:
    """Show the results; one that failed alone is simply the error it is."""
    failed = [outcome for outcome in outcomes if outcome.problem is not None]
    if len(outcomes) == 1 and failed:
        assert failed[0].problem is not None  # noqa: S101
        raise failed[0].problem
    out.show(_document(outcomes), lambda: _outcomes(out, outcomes))
    for outcome in failed:
        assert outcome.problem is not None  # noqa: S101
        out.warn(f"{outcome.request}: {outcome.problem.message}")
        if outcome.problem.hint:
            out.note(f"  next: {outcome.problem.hint}")
    return 1 if failed else 0


def plan_one(installer: Installer, entries: Lookup, text: str, wish: Wish) -> Plan:
    """The plan for one word of the command line, as the registry understands it."""
    request = parse_request(text)
    entry = resolve(request.name, entries)
    return installer.plan(
        entry,
        altered(wish, version=request.version or wish.version, extras=request.extras),
    )


def _not_finished(installer: Installer, request: str) -> Outcome:
    """What an interrupt left of one item."""
    here = parse_request(request).bare in installer.installed()
    return Outcome(request, Status.PRESENT if here else Status.SKIPPED)


def _remember(out: Surface, installer: Installer, outcomes: Sequence[Outcome]) -> None:
    try:
        _note(installer, outcomes)
    except HubError as problem:  # a disk that takes no notes must not hide what went wrong
        out.warn(f"--resume will not know what failed: {problem.message}")


def _note(installer: Installer, outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        name = parse_request(outcome.request).bare
        if outcome.problem is not None:
            installer.ledger.note_unfinished(name, outcome.request, outcome.problem.message)
        elif outcome.status is Status.SKIPPED:
            installer.ledger.note_unfinished(name, outcome.request, "skipped")
        elif (
            outcome.status is Status.PRESENT
            and installer.ledger.unfinished().get(name) == outcome.request
        ):
            installer.ledger.note_finished(name)


def _ask(out: Surface, question: Question) -> bool:
    if out.json or not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    out.warn(f"installing {question.name} {question.consent.risk}")
    out.note(f"  from {question.source}: {question.consent.text}")
    if question.file is not None:
        out.note(f"  sha256 {question.sha256}, to read in {question.file}")
        out.note(question.file.read_text(encoding="utf-8", errors="replace"))
    from typer import confirm  # only who is asked pays for it

    return confirm("Run it?", default=False, err=True)


def progress(out: Surface) -> OnProgress:
    """Tell people what an installation is doing, on standard error."""

    def show(step: Progress) -> None:
        if step.stage is Stage.STAGE:
            out.note(f"{step.name}: {step.text}")
        elif step.stage is Stage.VERIFY:
            out.note(f"{step.name}: does {step.text} start?")

    return show


def _document(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    return {
        "items": [outcome.as_document() for outcome in outcomes],
        "summary": summary(outcomes),
    }


def _outcomes(out: Surface, outcomes: Sequence[Outcome]) -> None:
    for outcome in outcomes:
        style = "bad" if outcome.problem else "good"
        done = outcome.installed
        if done is None:
            out.line(f"{outcome.status.value:9} {outcome.request}", style)
            continue
        out.line(f"{outcome.status.value:9} {done.name} {done.version}", style)
        if outcome.status is Status.REMOVED:
            continue
        if outcome.note:
            out.line(f"          {outcome.note}", "dim")
        out.line(f"          {_how_to_start(out, done)}", "dim")


def _how_to_start(out: Surface, done: Installed) -> str:
    if done.receipt.scripts:
        return f"{out.paths.bin / done.receipt.scripts[0]}, or: cli-hub launch {done.name}"
    return f"{' '.join(done.entry_point)}, or: cli-hub launch {done.name}"


def _plans(out: Surface, plans: Sequence[Plan]) -> None:
    for plan in plans:
        out.line(f"{plan.action.value} {plan.name} ({plan.strategy.kind.value})", "strong")
        if plan.reason:
            out.line(f"  {plan.reason}")
        for download in plan.downloads:
            out.line(f"  fetch {download.url}")
        for command in plan.commands:
            out.line(f"  $ {command.line}")
        if plan.consent is not None:
            out.line(f"  needs consent: it {plan.consent.risk}", "warn")
        if plan.action is not Action.PRESENT:
            out.line(f"  into {plan.target.root}")
