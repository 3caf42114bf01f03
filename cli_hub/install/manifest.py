"""What an installed harness says about itself: ``harness.toml``, or what its files show.

The format of ``harness.toml`` is the hub's own (``schemas/harness.schema.json``): tables
``harness`` (name, display_name, entry_point, skill, macros, capabilities), ``application`` (name,
minimum, probe) and ``previews`` (recipes). Paths in it are relative to the file, and nothing
outside the harness's own files is ever opened because of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument
from cli_hub.install import distribution
from cli_hub.install.installed import Installed
from cli_hub.values import dataclass

FILE = "harness.toml"
_SKILLS = ("skills/SKILL.md", "SKILL.md")
_MACROS = "macro_definitions"


@dataclass(frozen=True, slots=True)
class Application:
    """The software behind the harness. *probe* are arguments for the entry point."""

    name: str
    minimum: str = ""
    probe: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """*path* is the ``harness.toml``, ``None`` when all of this was understood from files."""

    name: str
    display_name: str
    entry_point: tuple[str, ...]
    skill: Path | None = None
    macros: Path | None = None
    capabilities: tuple[str, ...] = ()
    application: Application | None = None
    recipes: tuple[str, ...] = ()
    path: Path | None = None


def read(installed: Installed, files: Sequence[str] | None = None) -> Manifest:
    """The manifest of an installed harness; *files* are its own, if they are known already.

    Raises :class:`BadDocument` when there is a ``harness.toml`` that breaks its format.
    """
    if files is None:
        files = _files(installed)
    found = _shallowest_file(path for path in _named(files, FILE) if path.name == FILE)
    if found is None:
        return _from_files(installed, files)
    return _from_toml(installed, found)


def _from_toml(installed: Installed, path: Path) -> Manifest:
    import tomllib  # 2 ms, for harnesses that have one

    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadDocument(str(path), str(problem)) from None
    harness = _Table(document, "harness", path)
    application = _Table(document, "application", path)
    return Manifest(
        name=harness.text("name") or installed.name,
        display_name=harness.text("display_name") or _display_name(installed),
        entry_point=installed.entry_point,
        skill=harness.inside("skill"),
        macros=harness.inside("macros"),
        capabilities=harness.words("capabilities"),
        application=Application(
            application.text("name"), application.text("minimum"), application.words("probe")
        )
        if application.there
        else None,
        recipes=_Table(document, "previews", path).words("recipes"),
        path=path,
    )


def _from_files(installed: Installed, files: Sequence[str]) -> Manifest:
    skills = _named(files, Path(_SKILLS[0]).name)
    skill = next(
        (
            found
            for suffix in _SKILLS
            if (found := _shallowest_file(p for p in skills if p.as_posix().endswith(suffix)))
        ),
        None,
    )
    macro = _shallowest_file(path for path in _named(files, ".yaml") if path.parent.name == _MACROS)
    capabilities = installed.entry.get("capabilities") or ()
    return Manifest(
        name=installed.name,
        display_name=_display_name(installed),
        entry_point=installed.entry_point,
        skill=skill,
        macros=macro.parent if macro else None,
        capabilities=tuple(map(str, capabilities)) if isinstance(capabilities, list) else (),
    )


def _named(files: Iterable[str], ending: str) -> list[Path]:
    return [Path(file) for file in files if file.endswith(ending)]


def _files(installed: Installed) -> Sequence[str]:
    """The files the harness itself is said to have, without what it depends on."""
    if installed.site_packages is not None:
        found = distribution.find(
            installed.generation,
            package=installed.package,
            program=next(iter(installed.receipt.entry_point), ""),
        )
        return found.files if found else ()
    module = installed.generation / "lib" / "node_modules" / installed.package
    if not module.is_dir():
        return []
    depth = 4  # a skill lies near the top; dependencies below node_modules are not the harness
    return [
        str(path)
        for level in range(depth)
        for path in module.glob("/".join(["*"] * (level + 1)))
        if "node_modules" not in path.relative_to(module).parts
    ]


def _shallowest_file(paths: Iterable[Path]) -> Path | None:
    """The one nearest to the top that is really there."""
    there = (path for path in paths if path.is_file())
    return min(there, key=lambda path: (len(path.parts), str(path)), default=None)


def _display_name(installed: Installed) -> str:
    return str(installed.entry.get("display_name") or installed.name)


class _Table:
    """One table of the document; what is wrong with a field names the field."""

    def __init__(self, document: Mapping[str, Any], name: str, path: Path) -> None:
        value = document.get(name, {})
        if not isinstance(value, Mapping):
            raise BadDocument(str(path), "must be a table", where=name)
        self.there = name in document
        self._values, self._name, self._path = value, name, path

    def text(self, key: str) -> str:
        value = self._values.get(key, "")
        if not isinstance(value, str):
            raise self._bad(key, "must be text")
        return value

    def words(self, key: str) -> tuple[str, ...]:
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise self._bad(key, "must be a list of texts")
        return tuple(value)

    def inside(self, key: str) -> Path | None:
        """A file or folder beside the manifest, ``None`` when the field is absent."""
        value = self.text(key)
        if not value:
            return None
        root = self._path.parent.resolve()
        found = (root / value).resolve()
        if not found.is_relative_to(root):
            raise self._bad(key, f"{value} lies outside the harness")
        if not found.exists():
            raise self._bad(key, f"{value} does not exist")
        return found

    def _bad(self, key: str, problem: str) -> BadDocument:
        return BadDocument(str(self._path), problem, where=f"{self._name}.{key}")
