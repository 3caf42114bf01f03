"""What changed from one bundle to another: artifacts, pictures, facts and metrics."""

from __future__ import annotations

import filecmp
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.errors import NotFound, UsageError
from cli_hub.previews.loading import load_bundle, load_session
from cli_hub.previews.models import Artifact, Bundle
from cli_hub.previews.pictures import PictureChange, Unreadable, compare
from cli_hub.previews.places import Kind, locate
from cli_hub.previews.trajectory import Window
from cli_hub.previews.view import showing


@dataclass(frozen=True, slots=True)
class ChangedArtifact:
    """An artifact that is in both bundles with different content."""

    before: Artifact
    after: Artifact
    picture: PictureChange | None
    difference: Path | None
    remark: str


@dataclass(frozen=True, slots=True)
class Change:
    """One fact or metric: *old* or *new* is ``None`` where it does not exist."""

    name: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class Difference:
    """Everything that differs between two bundles."""

    before: Bundle
    after: Bundle
    added: tuple[Artifact, ...]
    removed: tuple[Artifact, ...]
    changed: tuple[ChangedArtifact, ...]
    unchanged: int
    facts: tuple[Change, ...]
    metrics: tuple[Change, ...]

    @property
    def same(self) -> bool:
        return not (self.added or self.removed or self.changed or self.facts or self.metrics)


def bundles_to_compare(
    first: Path, second: Path | None, *, start: int | None, end: int | None
) -> tuple[Bundle, Bundle]:
    """Two references, or a session and two of its step numbers.

    Raises :class:`UsageError` for neither or both, :class:`NotFound` for a step without bundle.
    """
    if second is not None and start is None and end is None:
        return _bundle_of(first), _bundle_of(second)
    if second is not None or start is None or end is None:
        raise UsageError(
            "compare two bundles, or a session with --from and --to",
            hint="cli-hub previews diff SESSION --from 3 --to 7",
        )
    place = locate(first)
    if place.kind is not Kind.SESSION:
        raise UsageError(f"{first} is a bundle, --from and --to need a session")
    return _bundle_of_step(place.folder, start), _bundle_of_step(place.folder, end)


def difference(
    before: Bundle, after: Bundle, *, tolerance: int = 4, pictures: Path | None = None
) -> Difference:
    """Compare two bundles; difference images are written below *pictures* when it is given."""
    had = {artifact.artifact_id: artifact for artifact in before.artifacts}
    has = {artifact.artifact_id: artifact for artifact in after.artifacts}
    both = [(had[name], has[name]) for name in has if name in had]
    changed = tuple(
        _changed(old, new, tolerance, pictures) for old, new in both if not _alike(old, new)
    )
    return Difference(
        before,
        after,
        added=tuple(artifact for name, artifact in has.items() if name not in had),
        removed=tuple(artifact for name, artifact in had.items() if name not in has),
        changed=changed,
        unchanged=len(both) - len(changed),
        facts=changes(before.facts, after.facts),
        metrics=changes(before.metrics, after.metrics),
    )


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    """The names whose values differ, in the order of *new*, those gone last."""
    names = dict.fromkeys([*new, *old])
    return tuple(
        Change(name, old.get(name), new.get(name))
        for name in names
        if old.get(name) != new.get(name)
    )


def _alike(old: Artifact, new: Artifact) -> bool:
    if old.file is None or new.file is None:
        return old.file is new.file
    return filecmp.cmp(old.file, new.file, shallow=False)


def _changed(
    old: Artifact, new: Artifact, tolerance: int, pictures: Path | None
) -> ChangedArtifact:
    if old.file is None or new.file is None:
        which = "before" if old.file is None else "after"
        return ChangedArtifact(old, new, None, None, f"the file {which} is missing")
    if showing(new) != "image" or showing(old) != "image":
        return ChangedArtifact(old, new, None, None, "")
    safe_name = "".join(c if c.isalnum() or c in "-_" else "_" for c in new.artifact_id)[:80]
    target = pictures / f"{safe_name}.png" if pictures else None
    try:
        picture = compare(old.file, new.file, tolerance=tolerance, difference=target)
    except Unreadable as problem:
        return ChangedArtifact(old, new, None, None, str(problem))
    return ChangedArtifact(old, new, picture, target, "")


def _bundle_of(reference: Path) -> Bundle:
    place = locate(reference)
    if place.kind is Kind.BUNDLE:
        return load_bundle(place.folder)
    session = load_session(place.folder)
    if session.current is None:
        raise NotFound(f"the session {reference} has no current bundle")
    return session.current


def _bundle_of_step(folder: Path, number: int) -> Bundle:
    session = load_session(folder, Window(step=number))
    if not session.steps:
        raise NotFound(f"there is no step {number}", hint=f"there are {session.step_count} steps")
    found = session.steps[0].bundle_folder
    if found is None:
        raise NotFound(f"step {number} has no bundle here")
    return load_bundle(found)
