"""What the page shows, as plain data: models go in, one JSON document comes out. No files here.

The same document feeds the page on disk and the live page; they differ in the *addresses* of
artifacts (see :class:`Addresses`) and in whether small texts are already inside.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Protocol

from cli_hub.previews import wording
from cli_hub.previews.models import Artifact, Bundle, Problem, Session, Status, Step

_DETAILS_FOR_NEWEST = 300
"""Steps whose bundles carry generator, source and context; older ones show facts only."""


class Addresses(Protocol):
    """How the page reaches a bundle's artifact: ``src`` (a URL), ``text``, ``data`` (base64)."""

    def __call__(self, bundle: Bundle, number: int) -> dict[str, str]: ...


LoadBundle = Callable[[Step, list[Problem]], Bundle | None]
"""Loads the bundle of a step, adding what is wrong with it to the list."""


class BundleViews:
    """Views of bundles, each made once for as long as its bundle and its details stay the same."""

    def __init__(self, addresses: Addresses) -> None:
        self._addresses = addresses
        self._made: dict[str, tuple[Bundle, bool, dict[str, Any]]] = {}

    def __call__(self, bundle: Bundle, *, details: bool) -> dict[str, Any]:
        known = self._made.get(bundle.bundle_id)
        if known is not None and known[1] == details and (known[0] is bundle or known[0] == bundle):
            return known[2]
        made = bundle_view(bundle, self._addresses, details=details)
        self._made[bundle.bundle_id] = (bundle, details, made)
        return made

    def keep(self, ids: Collection[str]) -> None:
        """Forget all others."""
        self._made = {name: made for name, made in self._made.items() if name in ids}


def session_view(session: Session, load: LoadBundle, views: BundleViews) -> dict[str, Any]:
    """The page of a session: its steps, each bundle once, and the problems of all."""
    problems = list(session.problems)
    bundles: dict[str, dict[str, Any]] = {}
    known: dict[str, Status] = {}
    if session.current is not None:
        current = session.current
        bundles[current.bundle_id] = views(current, details=True)
        known[current.bundle_id] = current.status
    for age, step in enumerate(reversed(session.steps)):
        if step.bundle_folder is None or step.bundle_id in bundles:
            continue
        found: list[Problem] = []
        bundle = load(step, found)
        problems += found
        if bundle is not None:
            details = age < _DETAILS_FOR_NEWEST
            bundles[step.bundle_id] = views(bundle, details=details)
            known[step.bundle_id] = bundle.status
    steps = [_step_view(step, known.get(step.bundle_id, Status.UNKNOWN)) for step in session.steps]
    if not steps and session.current is not None:
        steps = [_lone_step(session.current)]
    return {
        "kind": "session",
        "title": _title(session),
        "software": session.software,
        "recipe": session.recipe,
        "status": str(session.status),
        "updated": session.updated_at,
        "total": max(session.step_count, len(steps)),
        "steps": steps,
        "bundles": bundles,
        "problems": _problems(problems),
    }


def lone_bundle_view(bundle: Bundle, addresses: Addresses) -> dict[str, Any]:
    """The page of a single bundle: a history of one."""
    return {
        "kind": "bundle",
        "title": str(bundle.source.get("project_name") or bundle.software or bundle.bundle_id),
        "software": bundle.software,
        "recipe": bundle.recipe,
        "status": str(bundle.status),
        "updated": bundle.created_at,
        "total": 1,
        "steps": [_lone_step(bundle)],
        "bundles": {bundle.bundle_id: bundle_view(bundle, addresses, details=True)},
        "problems": _problems(bundle.problems),
    }


def bundle_view(bundle: Bundle, addresses: Addresses, *, details: bool) -> dict[str, Any]:
    """One bundle for the page."""
    view: dict[str, Any] = {
        "status": str(bundle.status),
        "kind": bundle.bundle_kind,
        "created": bundle.created_at,
        "headline": bundle.headline,
        "facts": _facts(bundle),
        "warnings": list(bundle.warnings),
        "next": list(bundle.next_actions),
        "artifacts": [
            _artifact_view(bundle, number, addresses) for number in range(len(bundle.artifacts))
        ],
    }
    if details:
        view["details"] = {
            "Bundle": {"id": bundle.bundle_id, "kind": bundle.bundle_kind},
            **{
                name: dict(value)
                for name, value in (
                    ("Context", bundle.context),
                    ("Generator", bundle.generator),
                    ("Source", bundle.source),
                    ("Other fields", bundle.extra),
                )
                if value
            },
        }
    return view


def _facts(bundle: Bundle) -> list[list[str]]:
    merged = {**bundle.facts}
    for name, value in bundle.metrics.items():
        merged.setdefault(name, value)
    merged.pop("recipe", None)  # the header says it
    return [list(pair) for pair in wording.told(merged)]


def _artifact_view(bundle: Bundle, number: int, addresses: Addresses) -> dict[str, Any]:
    artifact = bundle.artifacts[number]
    view: dict[str, Any] = {
        "id": artifact.artifact_id,
        "role": artifact.role,
        "show": showing(artifact),
        "label": artifact.label,
        "media": artifact.media_type,
        "path": artifact.path,
        "bytes": artifact.bytes,
    }
    if artifact.width and artifact.height:
        view["w"], view["h"] = artifact.width, artifact.height
    if artifact.duration_s:
        view["seconds"] = artifact.duration_s
    if artifact.file is None:
        view["missing"] = True
    else:
        view.update(addresses(bundle, number))
    return view


_IMAGES = {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg", "apng"}
_CLIPS = {"mp4", "webm", "mov", "m4v", "ogv"}
_SOUNDS = {"mp3", "wav", "ogg", "m4a", "flac", "opus"}
_MODELS = {"glb", "stl"}
_TEXTS = {"txt", "md", "log", "csv", "xml", "yaml", "yml", "toml", "mlt", "srt", "vtt"}


def showing(artifact: Artifact) -> str:
    """How the page shows it: image, clip, sound, model, json, text, page or file.

    The name's ending decides, since it is what browsers and people see; the manifest's own words
    only where there is no known ending.
    """
    ending = artifact.path.rpartition(".")[2].lower()
    for name, endings in (
        ("image", _IMAGES),
        ("clip", _CLIPS),
        ("sound", _SOUNDS),
        ("model", _MODELS),
        ("json", {"json"}),
        ("text", _TEXTS),
        ("page", {"html", "htm", "xhtml"}),
    ):
        if ending in endings:
            return name
    media = artifact.media_type.lower()
    if media.startswith("image/") or artifact.kind == "image":
        return "image"
    if media.startswith("video/"):
        return "clip"
    return "json" if "json" in media else "file"


def _step_view(step: Step, bundle_status: Status) -> dict[str, Any]:
    status = bundle_status if step.status is Status.UNKNOWN else step.status
    view: dict[str, Any] = {"n": step.number, "id": step.step_id, "status": str(status)}
    optional = {
        **_command(step.command),
        "bundle": step.bundle_id,
        "reason": step.publish_reason,
        "when": step.finished_at,
        "took": wording.duration(step.duration_s),
        "note": " · ".join(part for part in (step.stage, step.note) if part),
        "cached": step.cached,
        "attempt": step.attempt if step.attempt > 1 else None,
    }
    return view | {name: value for name, value in optional.items() if value}


def _lone_step(bundle: Bundle) -> dict[str, Any]:
    return {
        "n": 1,
        "id": bundle.bundle_id,
        "status": str(bundle.status),
        "bundle": bundle.bundle_id,
        "when": bundle.created_at,
        **_command(str(bundle.generator.get("command") or "")),
    }


def _command(command: str) -> dict[str, str]:
    """What is shown; where that leaves something out, ``exact`` is what ran, for copying."""
    short = wording.readable_command(command)
    return {"command": short} if short == command else {"command": short, "exact": command}


def _title(session: Session) -> str:
    name = session.project.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return name.removesuffix(".json") or session.name


def _problems(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [
        {"severity": p.severity, "message": p.message, "where": p.where}
        for p in dict.fromkeys(problems)
    ]
