"""The strict check: every document against its schema, every reference followed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub import schemas
from cli_hub.errors import UnknownProtocol
from cli_hub.previews.loading import load_bundle, load_session
from cli_hub.previews.models import Artifact, Bundle, Code, Problem
from cli_hub.previews.places import BundleIndex, Kind, Place
from cli_hub.previews.reading import inside, read_object
from cli_hub.previews.shapes import TRAJECTORY_FILES
from cli_hub.previews.trajectory import Window, read_history

_PROBLEM_LIMIT = 500
_MAGIC = {
    "image/png": (b"\x89PNG\r\n\x1a\n",),
    "image/jpeg": (b"\xff\xd8\xff",),
    "image/gif": (b"GIF87a", b"GIF89a"),
    "image/webp": (b"RIFF",),
    "model/gltf-binary": (b"glTF",),
    "video/webm": (b"\x1a\x45\xdf\xa3",),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a check found; *valid* when none of the problems is an error."""

    kind: Kind
    folder: Path
    bundles: int
    steps: int
    artifacts: int
    problems: tuple[Problem, ...]

    @property
    def valid(self) -> bool:
        return all(problem.code.only_a_warning for problem in self.problems)


def validate(place: Place) -> Verdict:
    """Check the whole preview at *place*, all bundles of a session included."""
    if place.kind is Kind.BUNDLE:
        problems, artifacts = _check_bundle(place.folder, "")
        return Verdict(place.kind, place.folder, 1, 0, artifacts, _once(problems))
    return _check_session(place)


def _check_session(place: Place) -> Verdict:
    folder = place.folder
    problems = _against_schema(folder, "session.json", "preview-session", "")
    try:
        session = load_session(folder, Window(limit=1))
        problems += session.problems
        recipe = session.recipe
    except UnknownProtocol as refusal:
        problems.append(Problem(Code.UNKNOWN_PROTOCOL, refusal.message, "session.json"))
        recipe = ""
    index = BundleIndex(folder, recipe)
    found: dict[str, Path] = {}
    name = next((n for n in TRAJECTORY_FILES if (folder / n).is_file()), TRAJECTORY_FILES[0])
    where = f"{name}: steps"

    def check_step(number: int, step: dict[str, Any]) -> None:
        bundle_id = step.get("bundle_id")
        if not isinstance(step.get("step_id"), str):
            problems.append(
                Problem(Code.MISSING_FIELD, "step_id is missing", f"{where}[{number - 1}]")
            )
        if not isinstance(bundle_id, str) or not bundle_id:
            problems.append(
                Problem(Code.STEP_WITHOUT_BUNDLE, "the step names no bundle", f"step {number}")
            )
            return
        path = index.find(bundle_id, str(step.get("bundle_dir") or ""))
        if path is not None:
            found[bundle_id] = path
        elif len(problems) < _PROBLEM_LIMIT:
            message = f"bundle {bundle_id} was not found"
            problems.append(Problem(Code.STEP_WITHOUT_BUNDLE, message, f"step {number}"))

    path = inside(folder, name)
    history = read_history(path, Window(limit=0), visit=check_step) if path else None
    if history is not None:
        problems += history.problems
        problems += _schema_problems(history.head | {"steps": []}, "preview-trajectory", name)
    artifacts = 0
    for bundle_id, path in found.items():
        more, count = _check_bundle(path, f"{bundle_id}/")
        problems += more
        artifacts += count
    steps = history.count if history else 0
    return Verdict(place.kind, folder, len(found), steps, artifacts, _once(problems))


def _check_bundle(folder: Path, prefix: str) -> tuple[list[Problem], int]:
    problems = _against_schema(folder, "manifest.json", "preview-bundle", prefix)
    try:
        bundle = load_bundle(folder)
    except UnknownProtocol as refusal:
        where = f"{prefix}manifest.json: protocol_version"
        return [*problems, Problem(Code.UNKNOWN_PROTOCOL, refusal.message, where)], 0
    problems += [Problem(p.code, p.message, f"{prefix}{p.where}") for p in bundle.problems]
    summary = _summary_name(bundle)
    if summary is not None:
        problems += _against_schema(folder, summary, "preview-summary", prefix)
    if bundle.bundle_id != folder.name:
        message = f"bundle_id {bundle.bundle_id} differs from its folder {folder.name}"
        problems.append(Problem(Code.BAD_FIELD, message, f"{prefix}manifest.json: bundle_id"))
    for artifact in bundle.artifacts:
        problems += _check_content(artifact, prefix)
    return problems, len(bundle.artifacts)


def _summary_name(bundle: Bundle) -> str | None:
    """The summary's name when it is a file of its own inside the bundle."""
    raw = read_object(bundle.folder / "manifest.json").value or {}
    name = raw.get("summary_path", "summary.json")
    path = inside(bundle.folder, name) if isinstance(name, str) else None
    return name if path is not None and path.is_file() else None


def _check_content(artifact: Artifact, prefix: str) -> list[Problem]:
    """An artifact that is not what its media type says will not open for anybody."""
    magic = _MAGIC.get(artifact.media_type)
    if artifact.file is None or magic is None:
        return []
    with artifact.file.open("rb") as stream:
        head = stream.read(16)
    if head.startswith(magic):
        return []
    message = f"{artifact.path} is not {artifact.media_type}"
    return [Problem(Code.BAD_FIELD, message, f"{prefix}manifest.json: {artifact.artifact_id}")]


def _against_schema(folder: Path, name: str, schema: str, prefix: str) -> list[Problem]:
    path = inside(folder, name)
    read = read_object(path) if path is not None else None
    if read is None or read.value is None:
        return []  # the loader has said why
    return _schema_problems(read.value, schema, f"{prefix}{name}")


def _schema_problems(document: Any, schema: str, where: str) -> list[Problem]:
    import jsonschema

    checker = jsonschema.Draft202012Validator(schemas.load(schema))
    problems = []
    for error in checker.iter_errors(document):
        missing = error.validator == "required"
        code = Code.MISSING_FIELD if missing else Code.BAD_FIELD
        place = error.json_path.removeprefix("$").lstrip(".")
        if missing:
            # The schema names the object, we name the field, as the loader does.
            absent = next(n for n in error.validator_value if n not in error.instance)
            place = f"{place}.{absent}" if place else absent
        problems.append(Problem(code, error.message[:300], f"{where}: {place}" if place else where))
        if len(problems) >= _PROBLEM_LIMIT:
            break
    return problems


def _once(problems: list[Problem]) -> tuple[Problem, ...]:
    """The same place told by the loader and by the schema is told once."""
    seen: dict[tuple[Code, str], Problem] = {}
    for problem in sorted(problems, key=lambda problem: problem.where):
        seen.setdefault((problem.code, problem.where), problem)
    return tuple(seen.values())[:_PROBLEM_LIMIT]
