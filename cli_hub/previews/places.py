"""Where previews live: what a reference means, and where a session's bundles are.

Producers write absolute paths of their own machine. They are believed only when they lead to a
bundle of the right id; otherwise the bundle is looked for by its id beside the session.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath, PureWindowsPath

from cli_hub.errors import NotFound
from cli_hub.previews.fields import Fields
from cli_hub.previews.models import Code, Problem
from cli_hub.previews.reading import inside
from cli_hub.previews.shapes import TRAJECTORY_FILES

_PREVIEWS = Path(".cli-anything") / "previews"
_BUNDLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,199}")
_ORPHANS_LISTED = 20
_DRAFT_SECONDS = 600
_FOLDERS_LOOKED_AT = 20_000


class Kind(StrEnum):
    """What a reference leads to."""

    BUNDLE = "bundle"
    SESSION = "session"


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved reference: the folder and what it is."""

    kind: Kind
    folder: Path


def locate(reference: Path) -> Place:
    """What *reference* is: a bundle or session folder, one of its files, or a project folder.

    A project (or any folder with previews below it) means its newest session, else its newest
    bundle. Raises :class:`NotFound` when there is no preview.
    """
    path = reference.expanduser().absolute()
    if path.is_file():
        path = _folder_of_file(path)
    if not path.is_dir():
        raise NotFound(
            f"{reference} does not exist", hint="give a bundle, a session or a project folder"
        )
    own = _kind_of(path)
    if own is not None:
        return Place(own, path)
    below = path / _PREVIEWS
    found = sorted(walk(below if below.is_dir() else path), key=_newest_session_last)
    if not found:
        raise NotFound(
            f"there is no preview in {reference}",
            hint="publish one with the harness: cli-anything-<software> preview capture",
        )
    return found[-1]


def walk(root: Path, depth: int = 7) -> Iterator[Place]:
    """All bundles and sessions below *root*, in no particular order. Links are not followed."""
    budget = [_FOLDERS_LOOKED_AT]
    yield from _walk(root, depth, budget)


def _walk(folder: Path, depth: int, budget: list[int]) -> Iterator[Place]:
    own = _kind_of(folder)
    if own is not None:
        yield Place(own, folder)
    if depth == 0 or own is Kind.BUNDLE:
        return
    try:
        inner = [
            Path(entry.path)
            for entry in os.scandir(folder)
            if entry.is_dir(follow_symlinks=False) and not _is_a_draft(entry.name)
        ]
    except OSError:
        return  # a folder we may not list holds nothing we could show
    for child in inner:
        budget[0] -= 1
        if budget[0] < 0:
            return
        yield from _walk(child, depth - 1, budget)


def _is_a_draft(name: str) -> bool:
    return name.startswith(".") and name != _PREVIEWS.parts[0]


def trajectory_file(folder: Path, head: Fields) -> Path | None:
    """The session's trajectory: the file it names, else one of the usual names beside it.

    A path that leads elsewhere is never followed; when its name is beside the session, the
    session was moved, otherwise that is a problem.
    """
    named = head.text("trajectory_path")
    if named:
        path = inside(folder, named)
        absolute = PurePosixPath(named).is_absolute() or PureWindowsPath(named).drive
        if path is None and absolute:
            path = inside(folder, PureWindowsPath(named).name)
            path = path if path is not None and path.is_file() else None
        if path is None:
            message = f"trajectory_path {named!r} leads outside the session and is not read"
            head.note(Code.OUTSIDE_BUNDLE, message, "trajectory_path")
        elif path.is_file():
            return path
    for name in TRAJECTORY_FILES:
        path = inside(folder, name)
        if path is not None and path.is_file():
            return path
    return None


@dataclass(slots=True)
class BundleIndex:
    """Finds a session's bundles. Each folder beside it is listed once, not once a step.

    *whole* are folders seen with a manifest before: they are not looked into again. Who reads a
    session time and again keeps the set, and it grows.
    """

    session: Path
    recipe: str = ""
    whole: set[str] = field(default_factory=set)
    _known: dict[str, Path | None] = field(default_factory=dict)
    _listed: dict[str, Path] | None = None
    _without_manifest: list[Path] = field(default_factory=list)

    def find(self, bundle_id: str, named: str = "") -> Path | None:
        """The folder of *bundle_id*; *named* is where the producer had it."""
        if bundle_id not in self._known:
            self._known[bundle_id] = self._search(bundle_id, named)
        return self._known[bundle_id]

    def orphans(self) -> list[Problem]:
        """Folders beside the bundles that have no manifest: a publish failed, or goes on."""
        self._beside()
        return [
            Problem(
                Code.ORPHAN_FOLDER,
                f"{path.name} has no manifest.json: a publish failed there, or is going on",
                str(path),
            )
            for path in self._without_manifest[:_ORPHANS_LISTED]
        ]

    def _search(self, bundle_id: str, named: str) -> Path | None:
        if not _BUNDLE_ID.fullmatch(bundle_id):
            return None
        beside = self._beside().get(bundle_id)
        if beside is not None:
            return beside
        # The producer's own place counts only when it is a previews folder and bears the id.
        path = Path(named) if named and "\0" not in named else None
        if path is None or not path.is_absolute() or path.name != bundle_id:
            return None
        path = path.resolve()
        is_preview = _PREVIEWS.parts == tuple(
            part for part in path.parts if part in _PREVIEWS.parts
        )
        return path if is_preview and _kind_of(path) is Kind.BUNDLE else None

    def _beside(self) -> dict[str, Path]:
        if self._listed is None:
            self._listed = {}
            for folder in self._homes():
                self._list(folder)
        return self._listed

    def _homes(self) -> Iterator[Path]:
        """Folders that may hold bundles: ours, the recipes beside ``live/``, an export's."""
        yield from (self.session, self.session / "bundles")
        above = self.session.parent
        if above.name == "live":
            try:
                yield from sorted(
                    Path(entry.path)
                    for entry in os.scandir(above.parent)
                    if entry.is_dir(follow_symlinks=False) and entry.name != "live"
                )
            except OSError:
                return
        else:
            yield from (above, above / "bundles", above / self.recipe)

    def _list(self, folder: Path) -> None:
        assert self._listed is not None  # noqa: S101
        try:
            entries = list(os.scandir(folder))[:_FOLDERS_LOOKED_AT]
        except (OSError, ValueError):
            return
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                continue
            path = Path(entry.path)
            if entry.path in self.whole:
                self._listed.setdefault(entry.name, path)
            elif not _is_a_draft(entry.name) and (path / "manifest.json").exists():
                self._listed.setdefault(entry.name, path)
                self.whole.add(entry.path)
            elif _looks_like_a_failed_publish(path):
                self._without_manifest.append(path)


def _looks_like_a_failed_publish(folder: Path) -> bool:
    """A draft is hidden while its producer works on it; an old one was left behind."""
    if folder.name.startswith(".") and time.time() - folder.stat().st_mtime < _DRAFT_SECONDS:
        return False
    return (folder / "artifacts").is_dir() or (folder / "summary.json").is_file()


def _folder_of_file(path: Path) -> Path:
    if path.name == "current":
        # Where links are not to be had, `current` is a file with the path of the bundle in it.
        text = path.read_bytes()[:4096].decode("utf-8", "replace").strip()
        found = BundleIndex(path.parent).find(PureWindowsPath(text).name)
        return found or path.parent
    return path.parent


def _kind_of(folder: Path) -> Kind | None:
    if (folder / "manifest.json").is_file():
        return Kind.BUNDLE
    if (folder / "session.json").is_file():
        return Kind.SESSION
    if any((folder / name).is_file() for name in TRAJECTORY_FILES):
        return Kind.SESSION
    return None


def _newest_session_last(place: Place) -> tuple[bool, float]:
    name = "session.json" if place.kind is Kind.SESSION else "manifest.json"
    try:
        changed = (place.folder / name).stat().st_mtime
    except OSError:
        changed = 0.0
    return (place.kind is Kind.SESSION, changed)
