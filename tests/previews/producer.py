"""Stands in for a harness: publishes bundles and sessions as the protocol has them, or broken."""

from __future__ import annotations

import json
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Colour = tuple[int, int, int]


def png(
    colour: Colour = (90, 120, 200),
    *,
    width: int = 64,
    height: int = 36,
    square: Colour | None = None,
) -> bytes:
    """A picture of one colour, with a *square* of 10 pixels at (5, 5) if wanted."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            inside = square is not None and 5 <= x < 15 and 5 <= y < 15
            rows += bytes(square if inside and square else colour)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            (b"IDAT", zlib.compress(bytes(rows))),
            (b"IEND", b""),
        )
    )


@dataclass
class Producer:
    """Writes below ``<project>/.cli-anything/previews`` like any harness of *software*."""

    project: Path
    software: str = "painter"
    recipe: str = "quick"
    name: str = "poster"
    steps: list[dict[str, Any]] = field(default_factory=list)

    @property
    def root(self) -> Path:
        return self.project / ".cli-anything" / "previews" / self.software

    @property
    def session(self) -> Path:
        return self.root / "live" / self.name

    def folder(self, bundle_id: str) -> Path:
        return self.root / self.recipe / bundle_id

    def bundle(
        self,
        bundle_id: str = "b0001_quick",
        /,
        *,
        files: dict[str, bytes] | None = None,
        summary: dict[str, Any] | None = None,
        **manifest: Any,
    ) -> Path:
        """Publish a bundle; *files* are its artifacts by name, other words go into the manifest."""
        folder = self.folder(bundle_id)
        (folder / "artifacts").mkdir(parents=True, exist_ok=True)
        files = {"hero.png": png()} if files is None else files
        for name, content in files.items():
            (folder / "artifacts" / name).write_bytes(content)
        document: dict[str, Any] = {
            "protocol_version": "preview-bundle/v1",
            "bundle_id": bundle_id,
            "bundle_kind": "capture",
            "software": self.software,
            "recipe": self.recipe,
            "status": "ok",
            "created_at": "2026-11-30T12:00:00Z",
            "generator": {"entry_point": "cli-anything-painter", "command": "preview capture"},
            "source": {"project_name": self.name, "project_fingerprint": "sha256:0"},
            "summary_path": "summary.json",
            "artifacts": [artifact(name, content) for name, content in files.items()],
            "metrics": {"object_count": 3},
        } | manifest
        text = {
            "headline": f"Poster as of {bundle_id}",
            "facts": {"layer_count": 2},
            "warnings": [],
            "next_actions": ["Look at hero.png"],
        } | (summary or {})
        write(folder / "summary.json", text)
        write(folder / "manifest.json", document)
        return folder

    def publish(self, bundle_id: str, **step: Any) -> None:
        """Append a step that shows *bundle_id* and rewrite the session."""
        number = len(self.steps) + 1
        self.steps.append(
            {
                "step_id": f"step-{number:04d}",
                "step_index": number,
                "bundle_id": bundle_id,
                "bundle_dir": f"/somewhere/else/{bundle_id}",
                "command": f"cli-anything-painter layer add l{number}",
                "command_started_at": "2026-11-30T12:00:00Z",
                "command_finished_at": "2026-11-30T12:00:03.900Z",
                "publish_reason": "manual-push",
                "status": "ok",
                "cached": False,
            }
            | step
        )
        self.write_session()

    def write_session(self, **fields: Any) -> Path:
        """Write ``session.json`` and ``trajectory.json`` as they stand now."""
        self.session.mkdir(parents=True, exist_ok=True)
        last = self.steps[-1] if self.steps else {}
        write(
            self.session / "trajectory.json",
            {
                "protocol_version": "preview-trajectory/v1",
                "software": self.software,
                "recipe": self.recipe,
                "step_count": len(self.steps),
                "current_step_id": last.get("step_id"),
                "steps": self.steps,
            },
        )
        write(
            self.session / "session.json",
            {
                "protocol_version": "preview-live/v1",
                "software": self.software,
                "recipe": self.recipe,
                "status": "active",
                "session_name": self.name,
                "project_name": f"{self.name}.paint",
                "updated_at": "2026-11-30T12:00:04Z",
                "current_bundle_id": last.get("bundle_id", ""),
                "current_bundle_dir": last.get("bundle_dir", ""),
                "current_step_id": last.get("step_id", ""),
                "trajectory_path": "trajectory.json",
                "trajectory_step_count": len(self.steps),
                "history": [],
            }
            | fields,
        )
        return self.session

    def seven_steps(self) -> Path:
        """A session of seven steps: the fourth partial, the sixth failed, the seventh cached."""
        for number in range(1, 7):
            shade = 30 + number * 30
            status = {4: "partial", 6: "error"}.get(number, "ok")
            self.bundle(
                f"b{number:04d}_quick",
                files={"hero.png": png((shade, 90, 160)), "side.png": png((90, shade, 160))},
                summary={
                    "facts": {"layer_count": number},
                    "warnings": ["a light was added"] if number == 4 else [],
                },
                status=status,
            )
            self.publish(
                f"b{number:04d}_quick", status={4: "partial", 6: "error"}.get(number, "ok")
            )
        self.publish("b0005_quick", cached=True)
        return self.session


def artifact(name: str, content: bytes, **fields: Any) -> dict[str, Any]:
    """The manifest's row for a file below ``artifacts/``."""
    stem, _, ending = name.rpartition(".")
    kind, media = {
        "png": ("image", "image/png"),
        "svg": ("image", "image/svg+xml"),
        "json": ("json", "application/json"),
        "html": ("capture", "text/html"),
        "glb": ("model", "model/gltf-binary"),
        "stl": ("model", "model/stl"),
        "mp4": ("clip", "video/mp4"),
    }.get(ending, ("text", "text/plain"))
    return {
        "artifact_id": stem,
        "role": stem if stem in {"hero", "before", "after", "diff-json"} else "gallery",
        "kind": kind,
        "media_type": media,
        "path": f"artifacts/{name}",
        "label": stem.capitalize(),
        "bytes": len(content),
    } | fields


def write(path: Path, document: Any) -> None:
    """Write JSON as careful producers do: beside it first, then in one move."""
    beside = path.with_name(f"{path.name}.new")
    beside.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")
    beside.replace(path)
