"""``cli-hub skill``: the documents that tell an agent how to use a harness."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.install.installer import Installer
from cli_hub.skills import document, installed

app = HubApp("skill", help="Skills of installed harnesses: list, show, validate.")


@app.command("list")
def list_skills(ctx: typer.Context) -> None:
    """List the skills of all installed harnesses.

    Example: cli-hub skill list --json
    """
    out = surface(ctx)
    harnesses = Installer(out.paths, warn=out.warn).installed().values()
    found = [(each.name, skill) for each in harnesses if (skill := installed.skill_of(each))]
    rows = [(name, skill.name, skill.description) for name, skill in found]
    out.show(
        [{"harness": name, **skill.as_document(body=False)} for name, skill in found],
        lambda: (
            out.table(rows, headers=("HARNESS", "SKILL", "DESCRIPTION"))
            if rows
            else out.line("no installed harness has a skill yet; try: cli-hub install ffmpeg")
        ),
    )


@app.command("show")
def show(
    ctx: typer.Context,
    name: Annotated[
        str, typer.Argument(help="An installed harness.", autocompletion=completing.installed)
    ],
) -> None:
    """Print how an installed harness is used: its SKILL.md without the front matter.

    Example: cli-hub skill show ffmpeg
    """
    out = surface(ctx)
    harness = Installer(out.paths, warn=out.warn).find(name)
    skill = installed.require_skill(harness)
    for remark in skill.remarks:
        out.warn(f"{skill.path}: {remark}")
    out.show({"harness": harness.name, **skill.as_document()}, lambda: out.line(skill.body))


@app.command("validate")
def validate(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(help="SKILL.md files, or folders that hold one.")],
) -> None:
    """Check skills against the Agent Skills specification; exit 1 when one is unusable.

    Example: cli-hub skill validate harnesses/ffmpeg/cli_anything/ffmpeg/skills
    """
    out = surface(ctx)
    reports = [document.report(file) for file in files]
    out.show([report.as_document() for report in reports], lambda: _tell(ctx, reports))
    if not all(report.usable for report in reports):
        raise typer.Exit(1)


def _tell(ctx: typer.Context, reports: list[document.Report]) -> None:
    out = surface(ctx)
    for report in reports:
        out.line(f"{report.path}: {'ok' if report.usable else 'unusable'}")
        for remark in report.remarks:
            out.line(f"  {remark}")
