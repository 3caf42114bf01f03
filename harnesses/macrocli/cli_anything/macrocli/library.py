"""Finds macro definitions: of installed harnesses, of the user, and of the project.

A folder with a ``manifest.yaml`` (``macros: [{name, path, version}]``) has the macros listed
there; without one all its YAML files are looked at. Nothing outside a folder is loaded because a
file in it says so, and one broken file never hides the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cli_anything.kit.errors import Conflict, NotFound
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.nodes import Kind, Node, read_nodes
from cli_anything.macrocli.problems import BadMacro
from cli_anything.macrocli.read_macro import load_macro

MANIFEST = "manifest.yaml"
FILE_LIMIT = 2000
"""Files of one folder that are looked at."""

_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Folder:
    """A place definitions come from; *origin* is its name in ``origin/macro``."""

    origin: str
    path: Path


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Definition:
    """A macro that was found but not yet read."""

    name: str
    origin: str
    path: Path

    @property
    def address(self) -> str:
        return f"{self.origin}/{self.name}"


class Library:
    """The macros of some folders, looked through when they are first asked for."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        self._found: list[Definition] | None = None
        self._loaded: dict[Path, Macro] = {}
        self.warnings: list[str] = []

    def definitions(self) -> list[Definition]:
        """Everything that was found, by origin and name; *warnings* says what could not be used."""
        if self._found is None:
            unique: dict[Path, Definition] = {}
            for folder in self._folders:
                for definition in _look_through(folder, self.warnings):
                    unique.setdefault(definition.path.resolve(), definition)
            self._found = sorted(unique.values(), key=lambda one: (one.origin, one.name))
        return self._found

    def clashes(self) -> dict[str, list[Definition]]:
        """Names that more than one file claims."""
        by_name: dict[str, list[Definition]] = {}
        for definition in self.definitions():
            by_name.setdefault(definition.name, []).append(definition)
        return {name: found for name, found in by_name.items() if len(found) > 1}

    def find(self, name: str) -> Definition:
        """The definition of *name* or ``origin/name``.

        Raises :class:`Conflict` when two files have the name, :class:`NotFound` when none has.
        """
        found = [one for one in self.definitions() if name in (one.name, one.address)]
        if len(found) > 1:
            files = " and ".join(str(one.path) for one in found)
            choices = ", ".join(dict.fromkeys(one.address for one in found))
            raise Conflict(
                f"{len(found)} macros are called {name!r}: {files}",
                hint=f"rename one of them, or say which: {choices}",
                details={"files": [str(one.path) for one in found]},
            )
        if not found:
            from difflib import get_close_matches

            names = [one.name for one in self.definitions()]
            near = get_close_matches(name, names, n=3, cutoff=0.5)
            hint = "" if near else "macro list shows what there is"
            raise NotFound(f"there is no macro {name!r}", nearest=near, hint=hint)
        return found[0]

    def load(self, name: str) -> Macro:
        """Find and read a macro."""
        path = self.find(name).path
        if path not in self._loaded:
            self._loaded[path] = load_macro(path)
        return self._loaded[path]


def _look_through(folder: Folder, warnings: list[str]) -> Iterator[Definition]:
    if not folder.path.is_dir():
        return
    manifest = folder.path / MANIFEST
    if manifest.is_file():
        yield from _listed(folder, manifest, warnings)
        return
    files = sorted(path for path in folder.path.rglob("*") if path.suffix in _SUFFIXES)
    if len(files) > FILE_LIMIT:
        warnings.append(
            f"{folder.path}: only the first {FILE_LIMIT} of {len(files)} files are read"
        )
    for path in files[:FILE_LIMIT]:
        if not _inside(path, folder.path):
            warnings.append(f"{path} leads out of {folder.path} and is not read")
        elif (name := _name_of(path, warnings)) is not None:
            yield Definition(name, folder.origin, path)


def _listed(folder: Folder, manifest: Path, warnings: list[str]) -> Iterator[Definition]:
    node = _read(manifest, warnings)
    entries = node.get("macros") if node is not None else None
    if entries is None or entries.kind is not Kind.LIST:
        warnings.append(f"{manifest}: it has no list of macros")
        return
    for number, entry in enumerate(entries.items):
        where = f"{manifest}: macros[{number}]"
        name, relative = _text(entry, "name"), _text(entry, "path")
        if not relative:
            warnings.append(f"{where} has no path")
            continue
        path = folder.path / relative
        if not _inside(path, folder.path):
            warnings.append(f"{where}: {relative} is outside {folder.path} and is not read")
        elif not path.is_file():
            warnings.append(f"{where}: there is no file {relative}")
        elif (own := _name_of(path, warnings)) is not None:
            if name and name != own:
                warnings.append(f"{where} calls it {name!r}, the file says {own!r}")
            yield Definition(own, folder.origin, path)


def _text(node: Node, key: str) -> str:
    found = node.get(key) if node.kind is Kind.MAP else None
    return found.spelling if found is not None else ""


def _inside(path: Path, folder: Path) -> bool:
    return path.resolve().is_relative_to(folder.resolve())


def _name_of(path: Path, warnings: list[str]) -> str | None:
    """The name a file gives its macro; None for one that cannot be read or is no macro."""
    node = _read(path, warnings)
    if node is None:
        return None
    name = _text(node, "name")
    if not name or node.get("steps") is None:
        warnings.append(f"{path} is not a macro: it has no {'steps' if name else 'name'}")
        return None
    return name


def _read(path: Path, warnings: list[str]) -> Node | None:
    try:
        return read_nodes(path.read_text("utf-8-sig"), str(path))
    except BadMacro as problem:
        warnings.append(problem.message)
    except (OSError, UnicodeDecodeError) as problem:
        warnings.append(f"{path} cannot be read: {problem}")
    return None
