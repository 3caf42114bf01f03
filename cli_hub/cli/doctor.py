"""``doctor``: what is wrong with what is installed, and what would mend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.entries import known_entries, open_entries
from cli_hub.cli.install import make_installer
from cli_hub.cli.surface import Surface
from cli_hub.install.doctor import Doctor, Mended
from cli_hub.install.finding import Finding, Level
from cli_hub.macros import health as macros
from cli_hub.skills import health as skills

app = HubApp()

_STYLE = {Level.OK: "good", Level.NOTE: "warn", Level.PROBLEM: "bad"}
_SIGN = {Level.OK: "ok", Level.NOTE: "note", Level.PROBLEM: "PROBLEM"}


@app.command("doctor")
def doctor(
    ctx: typer.Context,
    name: Annotated[
        str,
        typer.Argument(help="One harness; all without it.", autocompletion=completing.installed),
    ] = "",
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended.")] = False,
) -> int:
    """Check environments, programs, PATH, applications, skills, macros, leftovers and disk use.

    Exit 1 when something does not work, 5 when only an application is missing.
    """
    out = surface(ctx)
    installer = make_installer(out)
    known = known_entries(open_entries(out))
    examiner = Doctor(installer, known, looks=(skills.look, macros.look))
    with out.working(f"looking at {name or 'what is installed'}"):
        mended = examiner.fix(name) if fix else Mended(())
        findings = [*mended.failed, *(examiner.examine(name) if name else examiner.examine_all())]
    document = {
        "healthy": not _problems(findings),
        "findings": [finding.as_document() for finding in findings],
        "fixed": list(mended.done),
    }
    out.show(document, lambda: _show(out, findings, mended.done))
    return _exit_code(findings)


def _problems(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.level is Level.PROBLEM]


def _exit_code(findings: list[Finding]) -> int:
    kinds = {finding.check for finding in _problems(findings)}
    if not kinds:
        return 0
    return 5 if kinds == {"application"} else 1


def _show(out: Surface, findings: list[Finding], fixed: Sequence[str]) -> None:
    for line in fixed:
        out.line(f"fixed   {line}", "good")
    for finding in findings:
        about = f"{finding.harness}: " if finding.harness else ""
        out.line(
            f"{_SIGN[finding.level]:7} {about}{finding.check}: {finding.message}",
            _STYLE[finding.level],
        )
        if finding.fix and finding.level is not Level.OK:
            out.line(f"        fix: {finding.fix}", "dim")
    problems = len(_problems(findings))
    out.line(
        "all is well" if not problems else f"{problems} problem{'s' * (problems > 1)}", "strong"
    )
