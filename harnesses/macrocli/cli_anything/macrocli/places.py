"""Where the runtime looks and keeps things; the only place that reads the environment for it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.library import Folder

_FOLDER = "macro_definitions"
FOLDERS_VARIABLE = "CLI_HUB_MACRO_FOLDERS"


def hub_home(environment: Mapping[str, str]) -> Path:
    """``CLI_HUB_HOME``, else the data directory the hub uses."""
    chosen = environment.get("CLI_HUB_HOME", "").strip()
    if chosen:
        return Path(chosen).expanduser().absolute()
    if sys.platform.startswith("linux"):
        base = environment.get("XDG_DATA_HOME", "").strip()
        return (Path(base) if base else Path.home() / ".local" / "share") / "cli-hub"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "cli-hub"
    base = environment.get("LOCALAPPDATA", "").strip()
    return (Path(base) if base else Path.home() / "AppData" / "Local") / "cli-hub"


def user_macros(environment: Mapping[str, str]) -> Path:
    return hub_home(environment) / "macros"


def records_file(environment: Mapping[str, str]) -> Path:
    """The database of runs and sessions."""
    return hub_home(environment) / "macrocli" / "runs.sqlite3"


def repl_history(environment: Mapping[str, str]) -> Path:
    """The lines typed at the prompt."""
    return hub_home(environment) / "macrocli" / "history"


def definition_folders(environment: Mapping[str, str], beside: Path | None = None) -> list[Folder]:
    """The folders definitions come from; *beside* is the folder of a macro file given by path."""
    folders = [Folder("file", beside)] if beside is not None else []
    folders += _harness_folders()
    folders += _folders_told(environment)
    folders.append(Folder("user", user_macros(environment)))
    folders.append(Folder("project", Path.cwd() / "macros"))
    return folders


def _harness_folders() -> Iterator[Folder]:
    """The ``macro_definitions`` of every harness installed beside this one."""
    import cli_anything

    for root in dict.fromkeys(cli_anything.__path__):
        harnesses = Path(root)
        if not harnesses.is_dir():
            continue
        for package in sorted(harnesses.iterdir()):
            if (package / _FOLDER).is_dir():
                yield Folder(package.name, package / _FOLDER)


def _folders_told(environment: Mapping[str, str]) -> Iterator[Folder]:
    """Those of harnesses in other environments, which the hub knows: ``[[origin, folder], …]``."""
    told = environment.get(FOLDERS_VARIABLE, "")
    if not told:
        return
    try:
        for origin, folder in json.loads(told):
            yield Folder(str(origin), Path(folder))
    except (ValueError, TypeError) as problem:
        raise UsageError(
            f"{FOLDERS_VARIABLE} is not a list of [origin, folder]: {problem}",
            hint=f"unset {FOLDERS_VARIABLE}",
        ) from None


def current_environment() -> dict[str, str]:
    """The environment of this process, as a value."""
    return dict(os.environ)
