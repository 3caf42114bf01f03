"""Whether an agent can use the skill that a harness brings along."""

from __future__ import annotations

from collections.abc import Iterator

from cli_hub.install.finding import Finding, Level
from cli_hub.install.installed import Installed
from cli_hub.install.manifest import Manifest
from cli_hub.skills.document import report


def look(harness: Installed, manifest: Manifest) -> Iterator[Finding]:
    """What ``doctor`` says of the skill: there, readable, and without hidden text."""

    def say(level: Level, message: str, fix: str = "") -> Finding:
        return Finding(harness.name, "skill", level, message, fix)

    if manifest.skill is None:
        fix = f"cli-hub run {harness.name} -- --help shows its commands"
        yield say(Level.NOTE, "it brings no SKILL.md", fix)
        return
    found = report(manifest.skill)
    if not found.usable:
        fix = (
            f"cli-hub install {harness.name} --reinstall; if that changes nothing, tell its author"
        )
        yield say(Level.PROBLEM, "; ".join(found.remarks), fix)
        return
    yield say(Level.OK, str(found.path))
    for remark in found.remarks:
        yield say(Level.NOTE, remark, f"read {found.path} with that in mind, and tell its author")
