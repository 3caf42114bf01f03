"""``install``, ``uninstall``: the life of harnesses on this machine."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Any

import typer

from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.surface import Surface
from cli_hub.errors import HubError, NotFound, UsageError
from cli_hub.install.batch import OF_ACTION, Outcome, Status, for_each, summary
from cli_hub.install.consent import Question
from cli_hub.install.execute import INSTALL_SECONDS, OnProgress, Progress, Stage
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.plan import Action, Plan, Wish
from cli_hub.install.request import parse_request
from cli_hub.registry.catalogue import Catalogue, open_catalogue
from cli_hub.registry.entry import Entry
from cli_hub.registry.resolve import resolve

app = HubApp()

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME[EXTRA…][==VERSION]…", help="A Python package may have extras."),
]


@app.command("install")
def install(
    ctx: typer.Context,
    names: Names = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print what would be done; touch nothing.")
    ] = False,
    version: Annotated[str, typer.Option(help="The version to install, and to stay with.")] = "",
    allow_scripts: Annotated[
        bool, typer.Option(help="Agree to scripts and commands that run outside the hub.")
    ] = False,
    take_over: Annotated[
        bool,
        typer.Option("--replace", help="Take over from another source, or another's program name."),
    ] = False,
    reinstall: Annotated[bool, typer.Option(help="Build it again even when it is here.")] = False,
    resume: Annotated[bool, typer.Option(help="Try again what still fails.")] = False,
    fail_fast: Annotated[bool, typer.Option(help="Stop at the first that fails.")] = False,
    timeout: Annotated[
        float, typer.Option(min=1, help="Seconds one command of an installer may take.")
    ] = INSTALL_SECONDS,
) -> int:
    """Install harnesses, each into an environment of its own.

    Example: cli-hub install ffmpeg blender==1.0 "macrocli[visual]"
    """
    out = surface(ctx)
    installer = make_installer(out, timeout=timeout)
    wanted = list(names or [])
    if resume:
        wanted += [each for each in installer.ledger.unfinished().values() if each not in wanted]
    if not wanted:
        if resume:
            out.show(_document([]), lambda: out.line("nothing is unfinished"))
            return 0
        raise UsageError("install needs the name of a harness", hint="cli-hub list shows them")
    if version and len(wanted) > 1:
        raise UsageError("--version fits one harness", hint="write each as NAME==VERSION")
    wish = Wish(version, allow_scripts=allow_scripts, again=reinstall, replace=take_over)
    catalogue = open_catalogue(out.paths, out.settings)
    for warning in catalogue.warnings:
        out.warn(warning)
    if dry_run:
        plans = [plan_one(installer, catalogue, each, wish) for each in wanted]
        out.show({"plans": [plan.as_document() for plan in plans]}, lambda: _plans(out, plans))
        return 0

    def work(request: str) -> Outcome:
        plan = plan_one(installer, catalogue, request, wish)
        done = installer.install(plan, progress(out))
        status = OF_ACTION[plan.action]
        return Outcome(request, status, done, note=plan.reason)

    outcomes = for_each(wanted, work, fail_fast=fail_fast)
    try:
        _remember(installer, outcomes)
    except HubError as problem:  # a disk that takes no notes must not hide what went wrong
        out.warn(f"--resume will not know what failed: {problem.message}")
    return report(out, outcomes)


@app.command("uninstall")
def uninstall(ctx: typer.Context, names: Annotated[list[str], typer.Argument()]) -> int:
    """Remove what installing put there, and nothing else.

    Example: cli-hub uninstall ffmpeg
    """
    out = surface(ctx)
    installer = make_installer(out)

    def work(name: str) -> Outcome:
        return Outcome(name, Status.REMOVED, installer.uninstall(parse_request(name).bare))

    return report(out, for_each(names, work))


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


def plan_one(installer: Installer, catalogue: Catalogue, text: str, wish: Wish) -> Plan:
    """The plan for one word of the command line, as the catalogue understands it."""
    request = parse_request(text)
    entry = resolve(request.name, catalogue)
    return installer.plan(
        entry,
        replace(wish, version=request.version or wish.version, extras=request.extras),
    )


def known_entries(catalogue: Catalogue) -> Callable[[str], Entry | None]:
    """Look names up where not finding them is an answer."""

    def known(name: str) -> Entry | None:
        try:
            return resolve(name, catalogue)
        except NotFound:
            return None

    return known


def _remember(installer: Installer, outcomes: Sequence[Outcome]) -> None:
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
    return typer.confirm("Run it?", default=False, err=True)


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
