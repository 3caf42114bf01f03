"""Whether the macros that a harness brings along can be read."""

from __future__ import annotations

from collections.abc import Iterator

from cli_hub.install.finding import Finding, Level
from cli_hub.install.installed import Installed
from cli_hub.install.manifest import Manifest
from cli_hub.macros.definitions import read_folder


def look(harness: Installed, manifest: Manifest) -> Iterator[Finding]:
    """What ``doctor`` says of the macros: how many there are, and which cannot be read."""
    if manifest.macros is None:
        return
    found = read_folder(manifest.macros, harness.name)
    number = f"{len(found.macros)} macro{'s' * (len(found.macros) != 1)}"
    yield Finding(harness.name, "macros", Level.OK, f"{number} in {manifest.macros}")
    for warning in found.warnings:
        fix = "tell its author; cli-hub macro list shows those that work"
        yield Finding(harness.name, "macros", Level.PROBLEM, warning, fix)
