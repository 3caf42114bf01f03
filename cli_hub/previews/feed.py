"""What a live page shows, kept current: reads the preview when its files change, and says what is
new since the version a page already has.

Memory is bounded: only the newest steps and their bundles are held, and only the newest change.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from cli_hub.errors import UnknownProtocol
from cli_hub.previews.loading import bundle_of_session, load_bundle, load_session
from cli_hub.previews.models import Artifact, Bundle, Code, Problem, Session, Step
from cli_hub.previews.places import Kind, Place
from cli_hub.previews.reading import signature
from cli_hub.previews.shapes import TRAJECTORY_FILES
from cli_hub.previews.trajectory import Window
from cli_hub.previews.view import BundleViews, lone_bundle_view, session_view

LIVE_STEPS = 500
"""Steps a live page shows; a page on disk may show more."""

_HEADS = ("session.json", "manifest.json", *TRAJECTORY_FILES)


@dataclass(frozen=True, slots=True)
class Update:
    """An event for a page: its name (``view`` or ``patch``), the version it leads to, its JSON."""

    name: str
    version: int
    data: str


@dataclass(slots=True)
class Feed:
    """The current state of one preview, shared by all its pages. Safe to use from threads."""

    place: Place
    view: dict[str, Any] = field(default_factory=dict)
    version: int = 0
    _patch: str = ""
    _bundles: dict[str, Bundle] = field(default_factory=dict)
    _views: BundleViews = field(default_factory=lambda: BundleViews(live_address))
    _whole: set[str] = field(default_factory=set)
    _seen: tuple[tuple[int, int], ...] = ()
    _closed: bool = False
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def refresh(self) -> bool:
        """Read again if a file changed; ``True`` when there is something new for the pages.

        While a document is damaged or half-written the last good state stays, with the problem.
        """
        seen = tuple(signature(self.place.folder / name) for name in _HEADS)
        if seen == self._seen:
            return False
        fresh = self._read()
        with self._changed:
            self._seen = seen
            if fresh == {name: value for name, value in self.view.items() if name != "version"}:
                return False
            self.version += 1
            self._patch = _dumped(_patch(self.view, fresh, self.version))
            self.view = {**fresh, "version": self.version}
            self._changed.notify_all()
        return True

    def wait(self, have: int, seconds: float) -> Update | None:
        """The update that brings a page from version *have* to the current one.

        Waits up to *seconds* for one; ``None`` when there was none, or the feed is closed.
        """
        with self._changed:
            if have == self.version and not self._closed:
                self._changed.wait_for(lambda: self.version != have or self._closed, seconds)
            if self._closed or have == self.version:
                return None
            if have == self.version - 1 and have > 0:
                return Update("patch", self.version, self._patch)
            return Update("view", self.version, _dumped(self.view))

    def close(self) -> None:
        """Let all waiting pages go."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        return self._closed

    def artifact(self, bundle_id: str, number: int) -> tuple[Bundle, Artifact] | None:
        """The artifact a page's address means, if the manifest of a shown bundle names it."""
        bundle = self._bundles.get(bundle_id)
        if bundle is None or not 0 <= number < len(bundle.artifacts):
            return None
        return bundle, bundle.artifacts[number]

    def _read(self) -> dict[str, Any]:
        try:
            if self.place.kind is Kind.BUNDLE:
                bundle = load_bundle(self.place.folder)
                self._bundles = {bundle.bundle_id: bundle}
                return lone_bundle_view(bundle, live_address)
            session = load_session(self.place.folder, Window(LIVE_STEPS), whole=self._whole)
        except UnknownProtocol as refusal:
            if not self.view:
                raise
            return self._still(refusal.message)
        damage = [p for p in session.problems if _unreadable(p)]
        if damage and self.view:
            return self._still(damage[0].message)
        return self._session(session)

    def _session(self, session: Session) -> dict[str, Any]:
        used = {step.bundle_id for step in session.steps}
        kept = {name: bundle for name, bundle in self._bundles.items() if name in used}
        if session.current is not None:
            kept[session.current.bundle_id] = session.current

        def load(step: Step, problems: list[Problem]) -> Bundle | None:
            if step.bundle_id not in kept and step.bundle_folder is not None:
                bundle = bundle_of_session(step.bundle_folder, problems)
                if bundle is None:
                    return None
                kept[step.bundle_id] = bundle
            return kept.get(step.bundle_id)

        view = session_view(session, load, self._views)
        self._bundles = kept
        self._views.keep(kept)
        return view

    def _still(self, message: str) -> dict[str, Any]:
        problem = {
            "severity": "warning",
            "message": f"showing the last good state: {message}",
            "where": self.place.folder.name,
        }
        kept = {name: value for name, value in self.view.items() if name != "version"}
        return {**kept, "problems": [problem]}


def _unreadable(problem: Problem) -> bool:
    """The session or its trajectory could not be read, unlike a field or a bundle of it."""
    return (
        problem.code in {Code.BAD_JSON, Code.BEING_WRITTEN, Code.MISSING_FILE}
        and problem.where.partition(":")[0] in _HEADS
    )


def live_address(bundle: Bundle, number: int) -> dict[str, str]:
    """The address of an artifact on the server, relative to the page."""
    name = quote(bundle.artifacts[number].path.rpartition("/")[2] or "file", safe="")
    return {"src": f"./a/{quote(bundle.bundle_id, safe='')}/{number}/{name}"}


def _patch(old: dict[str, Any], new: dict[str, Any], version: int) -> dict[str, Any]:
    """What of *new* a page that shows *old* lacks."""
    had_steps = {step["n"]: step for step in old.get("steps", ())}
    had_bundles = old.get("bundles", {})
    return {
        **{name: value for name, value in new.items() if name not in {"steps", "bundles"}},
        "version": version,
        "first": new["steps"][0]["n"] if new["steps"] else 1,
        "steps": [step for step in new["steps"] if had_steps.get(step["n"]) != step],
        "bundles": {
            name: bundle
            for name, bundle in new["bundles"].items()
            if had_bundles.get(name) is not bundle
        },
    }


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
