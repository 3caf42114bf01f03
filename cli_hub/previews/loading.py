"""From folders to models: one bundle, or one session with a window of its history.

Nothing here raises for what the files hold, except that a protocol of an unknown major version is
refused with :class:`~cli_hub.errors.UnknownProtocol`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli_hub.errors import UnknownProtocol
from cli_hub.previews.fields import Fields, protocol_of
from cli_hub.previews.models import Artifact, Bundle, Code, Problem, Session, Status, Step
from cli_hub.previews.places import BundleIndex, trajectory_file
from cli_hub.previews.reading import Home, inside, read_object
from cli_hub.previews.shapes import Document, normalise
from cli_hub.previews.trajectory import History, Row, Window, read_history, rows_of

_ARTIFACT_FIELDS = ("artifact_id", "role", "kind", "media_type", "path", "label")


def load_bundle(folder: Path) -> Bundle:
    """The bundle in *folder*, as whole as its files allow, with everything that is wrong."""
    problems: list[Problem] = []
    raw = _read(folder, "manifest.json", problems)
    manifest = Fields(normalise(Document.BUNDLE, raw or {}), "manifest.json", problems)
    if raw is None:
        return _empty(folder, manifest)
    version = _checked_version(manifest, Document.BUNDLE)
    summary = _summary(folder, manifest)
    artifacts = _artifacts(folder, manifest)
    return Bundle(
        folder=folder,
        bundle_id=manifest.text("bundle_id", folder.name, required=True),
        bundle_kind=manifest.text("bundle_kind", "capture"),
        software=manifest.text("software", required=True),
        recipe=manifest.text("recipe", required=True),
        status=manifest.status(required=True),
        created_at=manifest.text("created_at", required=True),
        protocol_version=version,
        headline=summary.text("headline"),
        facts=summary.table("facts"),
        metrics=manifest.table("metrics"),
        context=manifest.table("context"),
        generator=manifest.table("generator"),
        source=manifest.table("source"),
        warnings=tuple(dict.fromkeys(summary.texts("warnings") + manifest.texts("warnings"))),
        next_actions=summary.texts("next_actions"),
        labels=manifest.texts("labels"),
        source_bundles=manifest.texts("source_bundles"),
        artifacts=artifacts,
        extra=manifest.rest(),
        problems=tuple(problems),
    )


def load_session(
    folder: Path,
    window: Window | None = None,
    *,
    index: BundleIndex | None = None,
    whole: set[str] | None = None,
) -> Session:
    """The session in *folder* with the steps of *window* (the newest 20 by default).

    *whole* is what a :class:`BundleIndex` keeps from one reading to the next.
    """
    window = window or Window()
    problems: list[Problem] = []
    raw = _read(folder, "session.json", problems)
    head = Fields(normalise(Document.SESSION, raw or {}), "session.json", problems)
    version = _checked_version(head, Document.SESSION) if raw is not None else ""
    recipe = head.text("recipe")
    index = index or BundleIndex(folder, recipe, set() if whole is None else whole)
    history = _history(folder, head, window, problems)
    steps = tuple(_step(row, index, problems) for row in history.rows)
    current_id = head.text("current_bundle_id") or (steps[-1].bundle_id if steps else "")
    current_folder = index.find(current_id, head.text("current_bundle_dir"))
    if current_id and current_folder is None:
        head.note(Code.STEP_WITHOUT_BUNDLE, f"bundle {current_id} was not found", "current_bundle")
    current = bundle_of_session(current_folder, problems) if current_folder else None
    problems += index.orphans()
    return Session(
        folder=folder,
        name=head.text("session_name") or folder.name,
        software=head.text("software") or (current.software if current else ""),
        recipe=recipe or (current.recipe if current else ""),
        status=head.status() if raw is not None else Status.UNKNOWN,
        protocol_version=version,
        project=head.text("project_name") or head.text("project_path"),
        created_at=head.text("created_at"),
        updated_at=head.text("updated_at"),
        current_step_id=head.text("current_step_id") or (steps[-1].step_id if steps else ""),
        latest_command=head.text("latest_command") or (steps[-1].command if steps else ""),
        step_count=history.count,
        steps=steps,
        current=current,
        extra=head.rest(),
        problems=tuple(problems),
    )


def bundle_of_session(folder: Path, problems: list[Problem]) -> Bundle | None:
    """The bundle in *folder*; its problems join the session's, a refusal is one of them."""
    try:
        bundle = load_bundle(folder)
    except UnknownProtocol as refusal:
        where = f"{folder.name}/manifest.json: protocol_version"
        problems.append(Problem(Code.UNKNOWN_PROTOCOL, refusal.message, where))
        return None
    problems += [Problem(p.code, p.message, f"{folder.name}/{p.where}") for p in bundle.problems]
    return bundle


def _read(folder: Path, name: str, problems: list[Problem]) -> dict[str, Any] | None:
    path = inside(folder, name)
    if path is None:
        message = f"{name} leads outside its folder and is not read"
        problems.append(Problem(Code.OUTSIDE_BUNDLE, message, name))
        return None
    read = read_object(path)
    if read.problem is not None:
        problems.append(read.problem)
    return read.value


def _checked_version(fields: Fields, kind: Document) -> str:
    text = fields.text("protocol_version", required=True)
    if not text:
        return ""
    found = protocol_of(text)
    if found.name != kind or found.major != 1:
        raise UnknownProtocol(fields.where, wanted=f"{kind}/v1", found=text)
    if found.minor > 0:
        message = f"{text} is newer than {kind}/v1; what is unknown is kept and not shown"
        fields.note(Code.NEWER_PROTOCOL, message, "protocol_version")
    return text


def _summary(folder: Path, manifest: Fields) -> Fields:
    name = manifest.text("summary_path", "summary.json", required=True)
    inline = manifest.raw.get("summary")
    if isinstance(inline, dict):
        return Fields(
            normalise(Document.SUMMARY, inline), "manifest.json: summary", manifest.problems
        )
    path = inside(folder, name)
    if path is None:
        message = f"summary_path {name!r} leads outside the bundle and is not read"
        manifest.note(Code.OUTSIDE_BUNDLE, message, "summary_path")
        return Fields({}, "summary.json", manifest.problems)
    read = read_object(path)
    if read.problem is not None:
        manifest.problems.append(read.problem)
    return Fields(normalise(Document.SUMMARY, read.value or {}), name, manifest.problems)


def _artifacts(folder: Path, manifest: Fields) -> tuple[Artifact, ...]:
    seen: set[str] = set()
    home = Home(folder)
    found = []
    for number, row in enumerate(manifest.rows("artifacts", required=True)):
        where = f"manifest.json: artifacts[{number}]"
        if not isinstance(row, dict):
            manifest.note(Code.BAD_FIELD, f"artifacts[{number}] is not an object", "artifacts")
            continue
        artifact = _artifact(home, Fields(row, where, manifest.problems), number)
        if artifact.artifact_id in seen:
            message = f"the artifact id {artifact.artifact_id!r} is used twice"
            manifest.note(Code.DUPLICATE_ARTIFACT, message, f"artifacts[{number}]")
        seen.add(artifact.artifact_id)
        found.append(artifact)
    return tuple(sorted(found, key=lambda artifact: artifact.show_rank))


def _artifact(home: Home, row: Fields, number: int) -> Artifact:
    path = row.text("path", required=True)
    file, actual = _artifact_file(home, path, row)
    declared = row.whole("bytes")
    if declared is not None and actual is not None and declared != actual:
        message = f"{path} has {actual} bytes, the manifest says {declared}"
        row.note(Code.SIZE_MISMATCH, message, "bytes")
    artifact_id = row.text("artifact_id", f"artifact-{number + 1}", required=True)
    return Artifact(
        artifact_id=artifact_id,
        role=row.text("role", required=True),
        kind=row.text("kind", required=True),
        media_type=row.text("media_type", required=True),
        path=path,
        label=row.text("label") or artifact_id,
        file=file,
        declared_bytes=declared,
        actual_bytes=actual,
        width=row.whole("width"),
        height=row.whole("height"),
        duration_s=row.number("duration_s"),
        extra=row.rest(),
    )


def _artifact_file(home: Home, path: str, row: Fields) -> tuple[Path | None, int | None]:
    if not path:
        return None, None
    file = home.find(path)
    if file is None:
        row.note(Code.OUTSIDE_BUNDLE, f"{path!r} leads outside the bundle and is not read", "path")
        return None, None
    try:
        if file.is_file():
            return file, file.stat().st_size
    except OSError as problem:
        row.note(Code.MISSING_ARTIFACT, f"{path} cannot be read: {problem.strerror}", "path")
        return None, None
    row.note(Code.MISSING_ARTIFACT, f"{path} is not there", "path")
    return None, None


def _empty(folder: Path, manifest: Fields) -> Bundle:
    return Bundle(
        folder=folder,
        bundle_id=folder.name,
        bundle_kind="capture",
        software="",
        recipe="",
        status=Status.UNKNOWN,
        created_at="",
        protocol_version="",
        headline="",
        facts={},
        metrics={},
        context={},
        generator={},
        source={},
        warnings=(),
        next_actions=(),
        labels=(),
        source_bundles=(),
        artifacts=(),
        problems=tuple(manifest.problems),
    )


def _history(folder: Path, head: Fields, window: Window, problems: list[Problem]) -> History:
    path = trajectory_file(folder, head)
    if path is None:
        rows = [row for row in reversed(head.rows("history")) if isinstance(row, dict)]
        count, kept = rows_of(rows, window)
        return History(count=count, rows=kept)
    history = read_history(path, window)
    problems.extend(history.problems)
    top = Fields(history.head, path.name, problems)
    if "protocol_version" in history.head:
        try:
            _checked_version(top, Document.TRAJECTORY)
        except UnknownProtocol as refusal:
            top.note(Code.UNKNOWN_PROTOCOL, refusal.message, "protocol_version")
            return History()
    declared = top.whole("step_count")
    if declared is not None and declared != history.count and not history.problems:
        message = f"step_count is {declared}, but there are {history.count} steps"
        top.note(Code.COUNT_MISMATCH, message, "step_count")
    return history


def _step(row: Row, index: BundleIndex, problems: list[Problem]) -> Step:
    fields = Fields(row.fields, f"step {row.number}", problems)
    bundle_id = fields.text("bundle_id")
    folder = index.find(bundle_id, fields.text("bundle_dir"))
    if folder is None:
        what = f"bundle {bundle_id} was not found" if bundle_id else "the step names no bundle"
        fields.note(Code.STEP_WITHOUT_BUNDLE, what)
    return Step(
        number=row.number,
        step_id=fields.text("step_id") or f"step-{row.number:04d}",
        command=fields.text("command"),
        status=fields.status(),
        bundle_id=bundle_id,
        bundle_folder=folder,
        publish_reason=fields.text("publish_reason"),
        started_at=fields.text("command_started_at"),
        finished_at=fields.text("command_finished_at"),
        cached=fields.flag("cached"),
        stage=fields.text("stage_label"),
        note=fields.text("note"),
        attempt=row.attempt,
    )
