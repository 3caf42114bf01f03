"""Which Python distribution of an environment is the harness, and what it brought.

Reads the ``.dist-info`` directories as the packaging specifications describe them (METADATA,
entry_points.txt, RECORD); ``importlib.metadata`` does the same, and costs every command more than
all the rest of the installer to import.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path

from cli_hub.install.installed import site_packages
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class PythonHarness:
    """The distribution's *name* and *version*, its programs, and the files it brought."""

    name: str
    version: str
    scripts: tuple[str, ...]
    files: tuple[str, ...]


def find(generation: Path, *, package: str, program: str) -> PythonHarness | None:
    """The distribution called *package*, else the one that brings *program*."""
    site = site_packages(generation)
    if site is None:
        return None
    folders = sorted(site.glob("*.dist-info"))
    if package:
        for folder in folders:
            if _key(folder.name.split("-")[0]) == _key(package):
                return _read(folder)
    if program:
        for folder in folders:
            found = _read(folder)
            if program in found.scripts:
                return found
    return None


def _read(folder: Path) -> PythonHarness:
    header = _header(folder)
    stem_name, _, stem_version = folder.name.removesuffix(".dist-info").partition("-")
    files = tuple(_files(folder))
    scripts = [*_console_scripts(folder), *_placed_scripts(folder.parent, files)]
    return PythonHarness(
        header.get("name", stem_name),
        header.get("version", stem_version),
        tuple(dict.fromkeys(scripts)),
        files,
    )


def _header(folder: Path) -> dict[str, str]:
    """The fields of METADATA before its description, each key once."""
    fields: dict[str, str] = {}
    for line in _lines(folder / "METADATA"):
        key, colon, value = line.partition(":")
        if not line.strip():
            break
        if colon and not line[0].isspace():
            fields.setdefault(key.lower(), value.strip())
    return fields


def _console_scripts(folder: Path) -> Iterator[str]:
    section = ""
    for line in map(str.strip, _lines(folder / "entry_points.txt")):
        if line.startswith("["):
            section = line.strip("[] ")
        elif section == "console_scripts" and "=" in line and not line.startswith(("#", ";")):
            yield line.partition("=")[0].strip()


def _placed_scripts(site: Path, files: tuple[str, ...]) -> Iterator[str]:
    """Plain files put beside the interpreter, which older builds do instead of entry points."""
    inside = f"{site}{os.sep}"
    for file in files:
        if not file.startswith(inside) and (path := Path(file)).parent.name in ("bin", "Scripts"):
            yield path.name.removesuffix(".exe")


def _files(folder: Path) -> Iterator[str]:
    """Absolute, as text: a package may have thousands, and of most nobody asks anything."""
    site = str(folder.parent)
    for row in csv.reader(_lines(folder / "RECORD")):
        if row:  # programs are listed as ../../../bin/…
            yield os.path.normpath(os.path.join(site, row[0]))  # noqa: PTH118


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return []


def _key(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
