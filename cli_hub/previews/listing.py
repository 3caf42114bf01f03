"""All previews below a folder, newest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cli_hub.previews.fields import Fields
from cli_hub.previews.models import moment
from cli_hub.previews.places import Kind, Place, walk
from cli_hub.previews.reading import read_object
from cli_hub.previews.shapes import Document, normalise


@dataclass(frozen=True, slots=True)
class Listed:
    """One preview in a list. *step_count* is ``None`` for bundles, *when* is UTC."""

    kind: Kind
    folder: Path
    name: str
    software: str
    recipe: str
    status: str
    headline: str
    when: datetime
    step_count: int | None
    bundle_id: str


def listing(root: Path) -> list[Listed]:
    """The sessions and bundles below *root*, newest first. Damaged ones have status unknown."""
    found = [_listed(place) for place in walk(root.expanduser().absolute())]
    return sorted(found, key=lambda item: (item.when, str(item.folder)), reverse=True)


def _listed(place: Place) -> Listed:
    session = place.kind is Kind.SESSION
    head = place.folder / ("session.json" if session else "manifest.json")
    shape = Document.SESSION if session else Document.BUNDLE
    fields = Fields(normalise(shape, read_object(head).value or {}), head.name, [])
    bundle_id = fields.text("current_bundle_id" if session else "bundle_id")
    told = fields.text("updated_at") or fields.text("created_at")
    name = fields.text("project_name") or fields.text("session_name") or place.folder.name
    return Listed(
        kind=place.kind,
        folder=place.folder,
        name=name if session else bundle_id or place.folder.name,
        software=fields.text("software"),
        recipe=fields.text("recipe"),
        status=str(fields.status()),
        headline="" if session else _headline(place.folder),
        when=moment(told) or _changed(head),
        step_count=(fields.whole("trajectory_step_count") or 0) if session else None,
        bundle_id=bundle_id,
    )


def _headline(folder: Path) -> str:
    raw = read_object(folder / "summary.json").value
    return Fields(normalise(Document.SUMMARY, raw or {}), "summary.json", []).text("headline")


def _changed(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.fromtimestamp(0, UTC)
