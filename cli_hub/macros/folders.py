"""The folders macros come from: those of installed harnesses, the user's own, and the project's."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli_hub.install.installed import Installed
from cli_hub.install.manifest import read as read_manifest
from cli_hub.macros.definitions import Found, Macro, read_folder
from cli_hub.paths import Paths

USER, PROJECT = "user", "project"
FOLDERS_VARIABLE = "CLI_HUB_MACRO_FOLDERS"
"""Tells the runtime where harnesses in other environments keep their macros, as JSON
``[[origin, folder], …]``, so that one macro may run another's. The user's folder and the project's
it knows by itself."""


@dataclass(frozen=True, slots=True)
class MacroFolder:
    """A folder with definitions; *origin* is what stands before the slash of an address."""

    origin: str
    path: Path


def macro_folders(
    installed: Iterable[Installed], paths: Paths, project: Path
) -> tuple[MacroFolder, ...]:
    """All of them, harnesses by their names first; *project* is the folder one works in."""
    own = ((USER, paths.macros), (PROJECT, project / "macros"))
    return (
        *_of_harnesses(installed),
        *(MacroFolder(origin, folder) for origin, folder in own if folder.is_dir()),
    )


def _of_harnesses(installed: Iterable[Installed]) -> Iterator[MacroFolder]:
    for harness in sorted(installed, key=lambda each: each.name):
        folder = read_manifest(harness).macros
        if folder is not None:
            yield MacroFolder(harness.name, folder)


def read_all(folders: Sequence[MacroFolder]) -> Found:
    """The macros in all the folders; a file that two of them reach counts once."""
    unique: dict[Path, Macro] = {}
    warnings: list[str] = []
    for folder in folders:
        found = read_folder(folder.path, folder.origin)
        for macro in found.macros:
            unique.setdefault(macro.path.resolve(), macro)
        warnings += found.warnings
    return Found(tuple(unique.values()), tuple(warnings))


def told_to_runtime(folders: Iterable[MacroFolder]) -> str:
    """The value of :data:`FOLDERS_VARIABLE`."""
    return json.dumps(
        [[each.origin, str(each.path)] for each in folders if each.origin not in (USER, PROJECT)]
    )
