"""Which Python distribution of an environment is the harness, and what it brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from cli_hub.install.installed import site_packages


@dataclass(frozen=True, slots=True)
class PythonHarness:
    """The distribution's *name* and *version*, its programs, and the files it brought."""

    name: str
    version: str
    scripts: tuple[str, ...]
    files: tuple[Path, ...]


def find(generation: Path, *, package: str, program: str) -> PythonHarness | None:
    """The distribution called *package*, else the one that brings *program*."""
    site = site_packages(generation)
    if site is None:
        return None
    found = list(distributions(path=[str(site)]))
    named = [one for one in found if package and _key(one.name) == _key(package)]
    bringing = [one for one in found if program and program in _scripts(one)]
    chosen = next(iter(named or bringing), None)
    return _read(chosen, site) if chosen else None


def _read(found: Distribution, site: Path) -> PythonHarness:
    files = tuple(site / path for path in found.files or ())
    return PythonHarness(found.name, found.version, tuple(_scripts(found)), files)


def _scripts(found: Distribution) -> Sequence[str]:
    """Console scripts, and plain files put into ``bin`` (``scripts=`` of older builds)."""
    named = [point.name for point in found.entry_points if point.group == "console_scripts"]
    placed = [
        path.name
        for path in found.files or ()
        if ".." in path.parts and path.parent.name in ("bin", "Scripts")
    ]
    return list(dict.fromkeys([*named, *placed]))


def _key(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
