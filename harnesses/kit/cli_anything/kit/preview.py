"""Publishing preview bundles: an immutable folder that shows what a project looks like.

The format is ``preview-bundle/v1``: ``manifest.json``, ``summary.json`` and ``artifacts/``. A
bundle is built in a hidden folder beside its place and renamed when it is whole, so no reader ever
sees half of one; everything inside is named relative to it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from cli_anything.kit.errors import VerificationFailed
from cli_anything.kit.files import write_json

PROTOCOL = "preview-bundle/v1"


@dataclass(frozen=True, slots=True)
class ArtifactFile:
    """One file of a capture. *path* is relative to the folder the capture was rendered into.

    *role*: hero, gallery, preview-clip, before, after, …; *kind*: image, clip, json, model, text.
    *extra* holds ``width``, ``height``, ``duration_s`` and whatever else is known.
    """

    artifact_id: str
    role: str
    kind: str
    media_type: str
    path: str
    label: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Capture:
    """What a recipe produced. *status* is ok, partial or error."""

    status: str
    headline: str
    artifacts: tuple[ArtifactFile, ...]
    facts: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    next_actions: tuple[str, ...] = ()
    metrics: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Published:
    """A bundle on disk; *cached* when the same source had been captured before."""

    bundle_id: str
    bundle_dir: Path
    status: str
    fingerprint: str
    cached: bool

    @property
    def manifest_path(self) -> Path:
        return self.bundle_dir / "manifest.json"

    @property
    def summary_path(self) -> Path:
        return self.bundle_dir / "summary.json"

    def as_dict(self) -> dict[str, Any]:
        return {
            "bundle_id": self.bundle_id,
            "bundle_dir": str(self.bundle_dir),
            "manifest_path": str(self.manifest_path),
            "summary_path": str(self.summary_path),
            "status": self.status,
            "cached": self.cached,
        }


Render = Callable[[Path], Capture]
"""Writes the artifacts into the folder it is given and says what they are."""


class Publisher:
    """Publishes the bundles of one project (or of none: then below the home folder)."""

    def __init__(
        self,
        *,
        software: str,
        project: Path | None,
        entry_point: str,
        harness_version: str,
    ) -> None:
        self.software = software
        self.project = project.absolute() if project else None
        self._generator = {"entry_point": entry_point, "harness_version": harness_version}

    @property
    def root(self) -> Path:
        """Where the bundles and sessions of this software are kept."""
        base = self.project.parent if self.project else Path.home()
        return base / ".cli-anything" / "previews" / self.software

    def capture(
        self, recipe: str, fingerprint: str, command: str, render: Render, *, force: bool = False
    ) -> Published:
        """Publish a bundle of *recipe*, or return the one of the same *fingerprint*.

        *fingerprint* identifies the source (``sha256:…``), *command* is what the user ran. A
        capture whose status is ``error`` is published too, but never answers for a later call.
        """
        folder = self.root / recipe
        known = None if force else self._find(folder, recipe, fingerprint)
        if known is not None:
            return known
        folder.mkdir(parents=True, exist_ok=True)
        draft = Path(tempfile.mkdtemp(prefix=".publishing-", dir=folder))
        try:
            artifacts = draft / "artifacts"
            artifacts.mkdir()
            capture = render(artifacts)
            bundle_id = _bundle_id(recipe, fingerprint)
            write_json(draft / "summary.json", _summary(capture))
            write_json(
                draft / "manifest.json",
                self._manifest(bundle_id, recipe, fingerprint, command, capture, artifacts),
            )
            draft.chmod(0o755)
            target = _place(draft, folder, bundle_id)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return Published(target.name, target, capture.status, fingerprint, cached=False)

    def latest(self, recipe: str) -> Published | None:
        """The newest bundle of *recipe*, if there is one."""
        found = self._all(self.root / recipe)
        return found[-1][0] if found else None

    def _find(self, folder: Path, recipe: str, fingerprint: str) -> Published | None:
        candidates = self._all(folder)
        for published, manifest in candidates[::-1]:
            same = published.fingerprint == fingerprint and manifest.get("recipe") == recipe
            if same and published.status != "error":
                return published
        return None

    def _all(self, folder: Path) -> list[tuple[Published, dict[str, Any]]]:
        """All readable bundles of a recipe, oldest first; a damaged one is never reused."""
        found: list[tuple[Published, dict[str, Any]]] = []
        for path in sorted(folder.glob("*/manifest.json")) if folder.is_dir() else ():
            if path.parent.name.startswith("."):
                continue
            try:
                manifest = json.loads(path.read_bytes())
                fingerprint = str(manifest["source"]["project_fingerprint"])
                status = str(manifest["status"])
            except (OSError, ValueError, KeyError, TypeError):
                continue
            published = Published(path.parent.name, path.parent, status, fingerprint, cached=True)
            found.append((published, manifest))
        return sorted(found, key=lambda pair: str(pair[1].get("created_at", "")))

    def _manifest(
        self,
        bundle_id: str,
        recipe: str,
        fingerprint: str,
        command: str,
        capture: Capture,
        artifacts: Path,
    ) -> dict[str, Any]:
        return {
            "protocol_version": PROTOCOL,
            "bundle_id": bundle_id,
            "bundle_kind": "capture",
            "software": self.software,
            "recipe": recipe,
            "status": capture.status,
            "created_at": utc_now(),
            "generator": {**self._generator, "command": command},
            "source": {
                "project_path": self.project.name if self.project else None,
                "project_name": self.project.name if self.project else None,
                "project_fingerprint": fingerprint,
            },
            "summary_path": "summary.json",
            "artifacts": [_artifact(each, artifacts) for each in capture.artifacts],
            "warnings": list(capture.warnings),
            "context": dict(capture.context),
            "metrics": dict(capture.metrics),
            "labels": list(capture.labels),
        }


def fingerprint_of(value: Any) -> str:
    """``sha256:…`` of a JSON value, the same for the same value whatever its key order."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()}"


def utc_now() -> str:
    """Now, as the preview protocols write it."""
    return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def _bundle_id(recipe: str, fingerprint: str) -> str:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return f"{stamp}_{fingerprint.rpartition(':')[2][:8]}_{recipe}"


def _place(draft: Path, folder: Path, bundle_id: str) -> Path:
    """Rename *draft* to its place; a second publish within the second gets a number."""
    for number in range(1, 1000):
        target = folder / (bundle_id if number == 1 else f"{bundle_id}-{number}")
        if target.exists():
            continue
        if target.name != bundle_id:
            manifest = json.loads((draft / "manifest.json").read_bytes())
            write_json(draft / "manifest.json", {**manifest, "bundle_id": target.name})
        try:
            draft.rename(target)
        except OSError:
            if not target.exists():
                raise
            continue  # another process took the name between the look and the rename
        return target
    raise VerificationFailed(f"{folder} has a thousand bundles of one second")


def _summary(capture: Capture) -> dict[str, Any]:
    return {
        "headline": capture.headline,
        "facts": dict(capture.facts),
        "warnings": list(capture.warnings),
        "next_actions": list(capture.next_actions),
    }


def _artifact(artifact: ArtifactFile, folder: Path) -> dict[str, Any]:
    """The manifest row of one artifact, which must be there: a bundle never lists what it lacks."""
    relative = PurePosixPath(artifact.path)
    if relative.is_absolute() or ".." in relative.parts:
        raise VerificationFailed(f"the artifact {artifact.path} lies outside its bundle")
    file = folder / relative
    if not file.is_file():
        raise VerificationFailed(f"the artifact {artifact.path} was not written")
    return {
        "artifact_id": artifact.artifact_id,
        "role": artifact.role,
        "kind": artifact.kind,
        "label": artifact.label,
        "media_type": artifact.media_type,
        "path": f"artifacts/{relative}",
        "bytes": file.stat().st_size,
        **artifact.extra,
    }
