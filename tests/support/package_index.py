"""A package index on the loopback interface, with wheels made by the tests.

    with PackageIndex(tmp_path / "wheels") as index:
        index.add("cli-anything-demo", "1.0", scripts={"cli-anything-demo": PROGRAM})
        # index.address goes into UV_DEFAULT_INDEX, or into an entry's install.index

Pages are those of the simple repository API, HTML and JSON (PEP 503, PEP 691).
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import secrets
import threading
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

PROGRAM = """\
import sys

def main():
    if "--help" in sys.argv:
        print("usage: demo [words]")
        return 0
    print("VERSION", *sys.argv[1:])
    return 0
"""
"""A program's module; ``VERSION`` is replaced by the version of its wheel."""

BROKEN_PROGRAM = "import a_module_that_nobody_has\n\ndef main():\n    return 0\n"

_JSON = "application/vnd.pypi.simple.v1+json"


def build_wheel(
    folder: Path,
    name: str,
    version: str = "1.0",
    *,
    scripts: Mapping[str, str] | None = None,
    files: Mapping[str, str | bytes] | None = None,
    requires: Sequence[str] = (),
    requires_python: str = ">=3.8",
    intact: bool = True,
) -> Path:
    """Write a pure-Python wheel and return its path.

    *scripts* maps a console script to the source of the module that has its ``main``; without any
    the wheel has one script called *name*. *files* are further files, by their path in
    site-packages. One that is not *intact* lists a file in RECORD that is not there and is cut off.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{re.sub(r'[-_.]+', '_', name)}-{version}"
    path = folder / f"{stem}-py3-none-any.whl"
    members: dict[str, bytes] = {}
    points = ["[console_scripts]"]
    for number, (script, source) in enumerate((scripts or {name: PROGRAM}).items()):
        module = f"_{re.sub('[^a-z0-9]', '_', name.lower())}_{number}"
        members[f"{module}.py"] = source.replace("VERSION", version).encode()
        points.append(f"{script} = {module}:main")
    for relative, content in (files or {}).items():
        members[relative] = content.encode() if isinstance(content, str) else content
    needs = "".join(f"Requires-Dist: {one}\n" for one in requires)
    extras = sorted({extra for one in requires for extra in re.findall("extra == '(.+?)'", one)})
    needs += "".join(f"Provides-Extra: {extra}\n" for extra in extras)
    members |= {
        f"{stem}.dist-info/METADATA": (
            f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            f"Requires-Python: {requires_python}\n{needs}"
        ).encode(),
        f"{stem}.dist-info/WHEEL": (
            b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        ),
        f"{stem}.dist-info/entry_points.txt": "\n".join(points).encode(),
    }
    record = "".join(f"{inside},{_digest(body)},{len(body)}\n" for inside, body in members.items())
    members[f"{stem}.dist-info/RECORD"] = f"{record}{stem}.dist-info/RECORD,,\n".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for inside, body in members.items():
            # A fixed time: the same wheel is the same bytes whenever it is built.
            archive.writestr(zipfile.ZipInfo(inside, (2020, 1, 1, 0, 0, 0)), body)
    if not intact:
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    return path


def _digest(body: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(body).digest()).rstrip(b"=").decode()


@dataclass
class PackageIndex:
    """Serves the wheels in *folder* until it is closed; requests are kept in *asked*."""

    folder: Path
    asked: list[str] = field(default_factory=list)
    failing: set[str] = field(default_factory=set)
    """Project names whose page answers 500."""
    altered: set[str] = field(default_factory=set)
    """Wheel file names that are served with other bytes than their page promises."""
    page_age: int = 0
    """Seconds that a page may be taken from a cache unasked; public indexes say 600."""
    token: str = field(default_factory=lambda: secrets.token_hex(4))
    """Part of every address, so that no cache takes one index for another on the same port."""
    _server: ThreadingHTTPServer | None = None

    def add(self, name: str, version: str = "1.0", **wheel: object) -> Path:
        """Build a wheel (see :func:`build_wheel`) and offer it."""
        return build_wheel(self.folder, name, version, **wheel)  # type: ignore[arg-type]

    @property
    def address(self) -> str:
        assert self._server is not None, "the index is not open"
        return f"http://127.0.0.1:{self._server.server_port}/{self.token}/simple/"

    def address_of(self, wheel: Path) -> str:
        """Where one wheel can be fetched."""
        return self.address.removesuffix("simple/") + f"files/{wheel.name}"

    def wheels(self, project: str) -> list[Path]:
        key = _key(project)
        return [
            path
            for path in sorted(self.folder.glob("*.whl"))
            if _key(path.name.split("-")[0]) == key
        ]

    def start(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        handler = type("Handler", (_Handler,), {"index": self})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """From here on nothing answers at the address."""
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _Handler(BaseHTTPRequestHandler):
    index: ClassVar[PackageIndex]
    protocol_version = "HTTP/1.1"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = self.path.removeprefix(f"/{self.index.token}")
        self.index.asked.append(path)
        if path.startswith("/files/"):
            self._file(path.removeprefix("/files/"))
        elif match := re.fullmatch(r"/simple/([^/]+)/?", path):
            self._project(match[1])
        else:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"nothing here\n")

    def _project(self, name: str) -> None:
        wheels = self.index.wheels(name)
        if name in self.index.failing:
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, "text/plain", b"broken\n")
        elif not wheels:
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"no such project\n")
        elif _JSON in self.headers.get("Accept", ""):
            document = {
                "meta": {"api-version": "1.0"},
                "name": name,
                "files": [
                    {
                        "filename": path.name,
                        "url": f"../../files/{path.name}",
                        "hashes": {"sha256": _sha256(path)},
                    }
                    for path in wheels
                ],
            }
            self._answer(HTTPStatus.OK, _JSON, json.dumps(document).encode())
        else:
            page = "<!doctype html>\n" + "".join(map(_anchor, wheels))
            self._answer(HTTPStatus.OK, "text/html", page.encode())

    def _file(self, name: str) -> None:
        path = self.index.folder / Path(name).name
        if not path.is_file():
            self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"no such file\n")
            return
        body = path.read_bytes()
        if name in self.index.altered:
            body = body[:10] + bytes([body[10] ^ 1]) + body[11:]  # a time stamp: still a sound zip
        self._answer(HTTPStatus.OK, "application/octet-stream", body)

    def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        """Like the public indexes: files never change, pages have a tag to ask again with."""
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        if status is HTTPStatus.OK and self.headers.get("If-None-Match") == tag:
            status, body = HTTPStatus.NOT_MODIFIED, b""
        self.send_response(status)
        if status in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
            age = 365_000_000 if kind == "application/octet-stream" else self.index.page_age
            self.send_header("Cache-Control", f"max-age={age}, public")
            self.send_header("ETag", tag)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base's word
        """Requests are kept in ``asked``; nothing is printed."""


def _anchor(path: Path) -> str:
    return (
        f'<a href="../../files/{html.escape(path.name)}#sha256={_sha256(path)}">{path.name}</a>\n'
    )


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _key(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
