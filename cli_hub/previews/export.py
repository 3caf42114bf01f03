"""A preview in one zip file that works anywhere: relative paths only, with its page.

What a producer wrote about its own machine (absolute folders, commands to watch there) is made
relative or left out; pictures and other artifacts go in unchanged.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from cli_hub.errors import HubError
from cli_hub.previews.loading import load_bundle, load_session
from cli_hub.previews.models import Bundle
from cli_hub.previews.page import write_page
from cli_hub.previews.places import Kind, Place, locate
from cli_hub.previews.reading import inside, read_object
from cli_hub.previews.trajectory import Window
from cli_hub.previews.validation import Verdict, validate

_STEP_LIMIT = 100_000
_OF_THE_PRODUCER = {
    "poller",
    "preview_root_dir",
    "publish_command",
    "watch_command",
    "inspect_command",
    "html_command",
    "start_command",
    "monitor_command",
    "pid",
}
_EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Exported:
    """The zip file, the names in it, and the verdict on what was unpacked from it."""

    path: Path
    names: tuple[str, ...]
    verdict: Verdict


def export(reference: Path, output: Path) -> Exported:
    """Write the preview at *reference* to the zip file *output*; the same input, the same bytes.

    Raises :class:`~cli_hub.errors.NotFound`, and :class:`HubError` when *output* cannot be written
    or the history has more than 100,000 steps.
    """
    place = locate(reference)
    with tempfile.TemporaryDirectory(prefix="cli-hub-export-") as temporary:
        staged = Path(temporary) / "staged"
        inner = staged / place.folder.name
        inner.mkdir(parents=True)
        if place.kind is Kind.BUNDLE:
            _stage_bundle(load_bundle(place.folder), inner, {})
        else:
            _stage_session(place, inner)
        write_page(inner, staged / "preview.html")
        names = _zip(staged, output)
        unpacked = Path(temporary) / "unpacked"
        with zipfile.ZipFile(output) as archive:
            archive.extractall(unpacked)  # our own file, written a moment ago
        verdict = validate(locate(unpacked / place.folder.name))
    return Exported(output, names, verdict)


def _stage_session(place: Place, target: Path) -> None:
    session = load_session(place.folder, Window(limit=_STEP_LIMIT))
    if session.step_count > _STEP_LIMIT:
        raise HubError(f"{session.step_count} steps are more than an export holds ({_STEP_LIMIT})")
    raw = read_object(place.folder / "session.json").value or {}
    replaced = _replacements(raw)
    rows: dict[int, dict[str, Any]] = {}
    for step in session.steps:
        home = f"bundles/{step.bundle_id}"
        rows[step.number] = {
            "step_id": step.step_id,
            "step_index": step.number,
            "bundle_id": step.bundle_id,
            "command": step.command,
            "command_started_at": step.started_at,
            "command_finished_at": step.finished_at,
            "publish_reason": step.publish_reason,
            "status": str(step.status),
            "cached": step.cached,
            "stage_label": step.stage,
            "note": step.note,
            "bundle_dir": home,
            "manifest_path": f"{home}/manifest.json",
            "summary_path": f"{home}/summary.json",
        }
        if rows[step.number]["status"] == "unknown":
            del rows[step.number]["status"]
        if step.bundle_folder is not None and not (target / home).exists():
            (target / home).mkdir(parents=True)
            _stage_bundle(load_bundle(step.bundle_folder), target / home, replaced)
    current = session.current
    if current is not None and not (target / "bundles" / current.bundle_id).exists():
        (target / "bundles" / current.bundle_id).mkdir(parents=True)
        _stage_bundle(current, target / "bundles" / current.bundle_id, replaced)
    head = {name: value for name, value in raw.items() if name not in _OF_THE_PRODUCER}
    head |= {
        "history": [],
        "trajectory_path": "trajectory.json",
        "trajectory_step_count": session.step_count,
        "current_link": "",
    }
    if current is not None:
        home = f"bundles/{current.bundle_id}"
        head |= {
            "current_bundle_dir": home,
            "current_manifest_path": f"{home}/manifest.json",
            "current_summary_path": f"{home}/summary.json",
        }
    _write(target / "session.json", portable(head, replaced))
    _write(
        target / "trajectory.json",
        {
            "protocol_version": "preview-trajectory/v1",
            "software": session.software,
            "recipe": session.recipe,
            "session_name": session.name,
            "step_count": session.step_count,
            "current_step_id": session.current_step_id,
            "steps": portable(list(rows.values()), replaced),
        },
    )


def _stage_bundle(bundle: Bundle, target: Path, replaced: dict[str, str]) -> None:
    raw = read_object(bundle.folder / "manifest.json").value or {}
    replaced = replaced | _replacements(raw.get("source"))
    summary = raw.get("summary_path")
    name = summary if isinstance(summary, str) and summary else "summary.json"
    _write(target / "manifest.json", portable(raw, replaced))
    source = inside(bundle.folder, name)
    if source is not None and source.is_file():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        _write(target / name, portable(read_object(source).value or {}, replaced))
    for artifact in bundle.artifacts:
        if artifact.file is not None:
            place = target / artifact.path
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(artifact.file, place)


def portable(value: Any, replaced: dict[str, str]) -> Any:
    """*value* with the producer's folders taken out of every text.

    A text that is an absolute path as a whole keeps its last part only.
    """
    if isinstance(value, str):
        for folder, name in replaced.items():
            value = value.replace(folder, name)
        pure = PureWindowsPath(value)
        absolute = PurePosixPath(value).is_absolute() or (pure.drive and pure.root)
        return pure.name if absolute and "\n" not in value else value
    if isinstance(value, dict):
        return {name: portable(item, replaced) for name, item in value.items()}
    if isinstance(value, list):
        return [portable(item, replaced) for item in value]
    return value


def _replacements(raw: Any) -> dict[str, str]:
    """The folder of the producer's project, which appears in commands, becomes nothing."""
    project = raw.get("project_path") if isinstance(raw, dict) else None
    if not isinstance(project, str):
        return {}
    if PurePosixPath(project).is_absolute():
        parent = str(PurePosixPath(project).parent)
        return {f"{parent}/": ""} if parent != "/" else {}
    if PureWindowsPath(project).is_absolute():
        return {f"{PureWindowsPath(project).parent}\\": ""}
    return {}


def _write(path: Path, document: Any) -> None:
    text = json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def _zip(staged: Path, output: Path) -> tuple[str, ...]:
    files: Iterable[Path] = sorted(path for path in staged.rglob("*") if path.is_file())
    names = []
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        partial = output.with_name(f".{output.name}.partial")
        with zipfile.ZipFile(partial, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in files:
                name = path.relative_to(staged).as_posix()
                entry = zipfile.ZipInfo(name, _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                with path.open("rb") as source, archive.open(entry, "w") as sink:
                    shutil.copyfileobj(source, sink)
                names.append(name)
        partial.replace(output)
    except OSError as problem:
        raise HubError(f"{output} cannot be written: {problem.strerror}") from problem
    return tuple(names)
