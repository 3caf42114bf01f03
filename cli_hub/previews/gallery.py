"""An index page over all previews of a folder, with a page for each of them beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.errors import NotFound
from cli_hub.previews.listing import listing
from cli_hub.previews.page import (
    FromDisk,
    first_picture,
    gallery_policy,
    page_view,
    replace_file,
    templates,
    write_page,
)
from cli_hub.previews.page import style as page_style
from cli_hub.previews.places import Kind

_REEL = 6
"""Pictures below the large one of a card."""


@dataclass(frozen=True, slots=True)
class Gallery:
    """The index, the pages it leads to, and how many previews it shows."""

    index: Path
    pages: tuple[Path, ...]


def write_gallery(root: Path, output: Path, *, self_contained: bool = False) -> Gallery:
    """Write an index of the previews below *root* to *output*, and their pages next to it.

    A bundle that belongs to a session is shown in its session only. Everything is linked
    relatively, so folder and index can move together. Raises :class:`NotFound` when there is
    nothing to show, :class:`~cli_hub.errors.HubError` when a file cannot be written.
    """
    target = output.expanduser().absolute()
    addresses = FromDisk(target.parent, self_contained=self_contained)
    shown: set[str] = set()
    cards: list[dict[str, Any]] = []
    pages: list[Path] = []
    found = listing(root)
    for item in sorted(found, key=lambda item: item.kind is Kind.BUNDLE):
        if item.kind is Kind.BUNDLE and item.bundle_id in shown:
            continue
        view = page_view(item.kind, item.folder, addresses, 1000)
        shown.update(view["bundles"])
        name = _page_name(item.folder, root)
        pages.append(write_page(item.folder, target.parent / name, self_contained=self_contained))
        cards.append(_card(view, name))
    if not cards:
        raise NotFound(f"there is no preview below {root}")
    html = (
        templates()
        .get_template("gallery.html.j2")
        .render(cards=cards, policy=gallery_policy(), style=page_style())
    )
    replace_file(target, html)
    return Gallery(target, tuple(pages))


def _card(view: dict[str, Any], page: str) -> dict[str, Any]:
    newest = view["steps"][-1] if view["steps"] else {}
    bundle = view["bundles"].get(newest.get("bundle"), {"headline": "", "artifacts": []})
    return {
        "page": page,
        "title": view["title"],
        "software": view["software"],
        "recipe": view["recipe"],
        "status": newest.get("status", "unknown"),
        "steps": view["total"] if view["kind"] == "session" else 0,
        "headline": bundle["headline"],
        "picture": first_picture(bundle),
        "reel": _reel(view),
        "updated": view["updated"][:10],
    }


def _reel(view: dict[str, Any]) -> list[dict[str, Any]]:
    """How it came about: the picture of some steps, evenly from the first to the newest."""
    ids = dict.fromkeys(step["bundle"] for step in view["steps"] if "bundle" in step)
    found = [first_picture(view["bundles"][each]) for each in ids if each in view["bundles"]]
    pictures = [picture for picture in found if picture is not None]
    if len(pictures) <= _REEL:
        return pictures
    return [pictures[round(n * (len(pictures) - 1) / (_REEL - 1))] for n in range(_REEL)]


def _page_name(folder: Path, root: Path) -> str:
    """A file name for the preview's page: readable, and different for different folders."""
    relative = folder.relative_to(root.expanduser().absolute()).as_posix()
    words = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-")[:60] or "preview"
    return f"{words}-{sha256_of(relative)[:6]}.html"
