"""One HTML page for a bundle or a session: written to disk, or served by ``watch``.

The page needs no server and makes no request beyond the artifacts themselves. Style and script are
inside and named by their hash in the content security policy; data is inert JSON with ``<``, ``>``
and ``&`` escaped, so no text of a manifest can become markup or code.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from cli_hub.errors import HubError
from cli_hub.previews.loading import bundle_of_session, load_bundle, load_session
from cli_hub.previews.models import Bundle, Problem, Step
from cli_hub.previews.places import Kind, locate
from cli_hub.previews.trajectory import Window
from cli_hub.previews.view import Addresses, BundleViews, lone_bundle_view, session_view, showing

_HERE = Path(__file__).resolve().parent
_SCRIPTS = (
    "elements.js",
    "state.js",
    "tree.js",
    "panels.js",
    "lightbox.js",
    "stage.js",
    "strip.js",
    "model.js",
    "model-scene.js",
    "tabs.js",
    "live.js",
    "main.js",
)
_TEXT_LIMIT = 256 * 1024
_MODEL_LIMIT = 8 * 1024 * 1024
_INLINE_LIMIT = 12 * 1024 * 1024
_INLINE_TOTAL = 48 * 1024 * 1024
MEDIA_TYPES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "avif": "image/avif",
    "bmp": "image/bmp",
    "svg": "image/svg+xml",
    "mp4": "video/mp4",
    "m4v": "video/mp4",
    "webm": "video/webm",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "wav": "audio/wav",
    "ogg": "audio/ogg",
}


def write_page(
    reference: Path, output: Path, *, self_contained: bool = False, limit: int = 10_000
) -> Path:
    """Write the page of the bundle or session *reference* to *output* and return its path.

    *limit* is the number of steps shown, the newest; the page says how many there are. With
    *self_contained* pictures, clips, models and texts up to 12 MB each and 48 MB together are put
    into the page, the rest stays linked; without it everything but small texts and models is
    linked relative to the page. The same input gives the same bytes. Raises
    :class:`~cli_hub.errors.NotFound` when there is no preview, :class:`HubError` when *output*
    would lie in the preview itself or cannot be written.
    """
    place = locate(reference)
    target = output.expanduser().absolute()
    if target.resolve().is_relative_to(place.folder.resolve()):
        raise HubError(
            f"{target} lies inside the preview, which is not ours to change",
            hint="choose another place with -o",
        )
    addresses = FromDisk(target.parent, self_contained=self_contained)
    view = page_view(place.kind, place.folder, addresses, limit)
    replace_file(target, render(view))
    return target


def default_output(reference: Path, pages: Path) -> Path:
    """Where the page of *reference* is kept when nobody says: in *pages*, one per preview."""
    folder = locate(reference).folder.resolve()
    digest = hashlib.sha256(os.fsencode(folder)).hexdigest()[:10]
    return pages / f"{folder.name[:80]}-{digest}.html"


def page_view(kind: Kind, folder: Path, addresses: Addresses, limit: int) -> dict[str, Any]:
    """The data of the page: read the preview in *folder* and say what to show."""
    if kind is Kind.BUNDLE:
        return lone_bundle_view(load_bundle(folder), addresses)
    views = BundleViews(addresses)
    return session_view(load_session(folder, Window(limit)), _load_step_bundle, views)


def render(view: dict[str, Any], *, live: bool = False) -> str:
    """The page as HTML. A *live* page takes its data from the server that serves it."""
    style, script = assets()
    template = templates().get_template("page.html.j2")
    html: str = template.render(
        view=view,
        live=live,
        policy=content_security_policy(live=live),
        style=style,
        script=script,
        data=inert_json(view),
        current=_current(view),
    )
    return html


@cache
def assets() -> tuple[str, str]:
    """The page's whole style and script."""
    folder = _HERE / "static"
    script = "".join((folder / name).read_text(encoding="utf-8") for name in _SCRIPTS)
    return (
        (folder / "page.css").read_text(encoding="utf-8"),
        f'"use strict";\n(() => {{\n{script}}})();\n',
    )


def content_security_policy(*, live: bool = False) -> str:
    """What the page may do: its own script and style, pictures and clips, nothing else."""
    style, script = assets()
    files = "'self'" if live else "'self' file: data:"
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_source_hash(script)}",
            f"style-src {_source_hash(style)}",
            f"img-src {files} data:",
            f"media-src {files}",
            f"frame-src {files}",
            "connect-src 'self'" if live else "connect-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "object-src 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def gallery_policy() -> str:
    """What an index page may do: show pictures, follow its own links. It has no script."""
    style, _ = assets()
    return (
        f"default-src 'none'; style-src {_source_hash(style)}; img-src 'self' file: data:; "
        "base-uri 'none'; form-action 'none'"
    )


def style() -> str:
    """The style all pages share."""
    return assets()[0]


def inert_json(value: Any) -> str:
    """*value* as JSON that is safe inside a ``script`` element of type ``application/json``."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text


@dataclass(slots=True)
class FromDisk:
    """Addresses for a page in *base*: relative links, or the content itself."""

    base: Path
    self_contained: bool
    _inside: int = 0
    _links: dict[Path, str] = field(default_factory=dict)

    def __call__(self, bundle: Bundle, number: int) -> dict[str, str]:
        artifact = bundle.artifacts[number]
        file, size = artifact.file, artifact.actual_bytes or 0
        if file is None:
            return {}
        kind = showing(artifact)
        if kind in {"json", "text"} and self._fits(size, _TEXT_LIMIT):
            return {**self._link(file), "text": file.read_text(encoding="utf-8", errors="replace")}
        if kind == "model" and self._fits(size, _MODEL_LIMIT):
            return {**self._link(file), "data": _base64(file)}
        media = MEDIA_TYPES.get(artifact.path.rpartition(".")[2].lower())
        if self.self_contained and media and self._fits(size, _INLINE_LIMIT):
            return {"src": f"data:{media};base64,{_base64(file)}"}
        return self._link(file)

    def _link(self, file: Path) -> dict[str, str]:
        folder = file.parent
        if folder not in self._links:
            relative = Path(os.path.relpath(folder, self.base)).as_posix()
            self._links[folder] = quote(relative if relative.startswith("..") else f"./{relative}")
        return {"src": f"{self._links[folder]}/{quote(file.name)}"}

    def _fits(self, size: int, limit: int) -> bool:
        if size > limit or self._inside + size > _INLINE_TOTAL:
            return False
        self._inside += size
        return True


def _load_step_bundle(step: Step, problems: list[Problem]) -> Bundle | None:
    return bundle_of_session(step.bundle_folder, problems) if step.bundle_folder else None


def _base64(file: Path) -> str:
    return base64.b64encode(file.read_bytes()).decode("ascii")


def _source_hash(text: str) -> str:
    digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")
    return f"'sha256-{digest}'"


def _current(view: dict[str, Any]) -> dict[str, Any]:
    """What a browser without scripts shows: the newest bundle and its first picture."""
    newest = view["steps"][-1] if view["steps"] else {}
    nothing = {"headline": "", "facts": [], "artifacts": []}
    bundle = view["bundles"].get(newest.get("bundle"), nothing)
    return {"bundle": bundle, "picture": first_picture(bundle)}


def first_picture(bundle: dict[str, Any]) -> dict[str, Any] | None:
    """The artifact that stands for a bundle's view: its first picture that can be shown."""
    pictures = (a for a in bundle["artifacts"] if a["show"] == "image" and "src" in a)
    return next(pictures, None)


@cache
def templates() -> Any:
    """The Jinja2 environment of the pages: everything is escaped unless a template says safe."""
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def replace_file(target: Path, text: str) -> None:
    """Write *target* so that a reader sees the old page or the new one."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", newline="\n", dir=target.parent, prefix=".page-", delete=False
        ) as stream:
            stream.write(text)
        Path(stream.name).chmod(0o644)
        Path(stream.name).replace(target)
    except OSError as problem:
        raise HubError(
            f"{target} cannot be written: {problem.strerror}", hint="choose another place with -o"
        ) from problem
