"""The live page over loopback: one page, its events, and the artifacts that manifests name.

Every address carries a token made for this run; foreign ``Host`` headers are refused, which
defeats DNS rebinding; there is no listing and no cross-origin access. Artifacts that could carry
script are served with a policy that sandboxes them.
"""

from __future__ import annotations

import hmac
import re
import secrets
import socket
import threading
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, Any, ClassVar
from urllib.parse import unquote, urlsplit

from cli_hub.errors import Conflict, UsageError
from cli_hub.previews.feed import Feed
from cli_hub.previews.page import MEDIA_TYPES, content_security_policy, render
from cli_hub.previews.reading import inside

FIRST_PORT = 18765
_PORTS_TRIED = 40
_HEARTBEAT_SECONDS = 10.0
_SEND_SECONDS = 20.0
_CLIENTS = 100
_CHUNK = 64 * 1024
_ARTIFACT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
_ARTIFACT = re.compile(r"a/(?P<bundle>[^/]{1,600})/(?P<number>\d{1,6})/[^/]*")
_EVENTS = re.compile(r"events(?:\?v=(?P<version>\d{1,12}))?")


@dataclass(frozen=True, slots=True)
class Span:
    """The part of a file that is sent: *start* and the position behind its end."""

    start: int
    stop: int
    partial: bool


def span_of(header: str | None, size: int) -> Span | None:
    """What a ``Range`` header asks of *size* bytes; ``None`` when it cannot be had (416).

    Anything but one range of bytes is ignored, as RFC 9110 allows.
    """
    found = _RANGE.fullmatch(header.strip()) if header else None
    if found is None or found.group(0) == "bytes=-":
        return Span(0, size, partial=False)
    first, last = found.groups()
    if not first:
        length = min(int(last), size)
        return Span(size - length, size, partial=True) if length else None
    start = int(first)
    stop = min(int(last) + 1, size) if last else size
    return Span(start, stop, partial=True) if start < size and start < stop else None


class LiveServer(ThreadingHTTPServer):
    """Serves one :class:`Feed` on 127.0.0.1 until :meth:`close`."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def __init__(self, feed: Feed, port: int) -> None:
        super().__init__(("127.0.0.1", port), _Handler)
        self.feed = feed
        self.token = secrets.token_urlsafe(24)
        self.clients = threading.BoundedSemaphore(_CLIENTS)
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The ``Host`` headers that are ours."""
        return frozenset({f"127.0.0.1:{self.server_port}", f"localhost:{self.server_port}"})

    def close(self) -> None:
        """Stop serving and let the pages go, idle connections included."""
        self.feed.close()
        self.shutdown()
        self.server_close()
        for connection in list(self._open):
            with suppress(OSError):  # the page was faster
                connection.shutdown(socket.SHUT_RDWR)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        self._open.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that went away is no error; anything else is ours and is shown."""
        import sys

        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


def bind(feed: Feed, port: int | None) -> LiveServer:
    """A server on *port*, or on the first free one from 18765 on when it is ``None``.

    Raises :class:`UsageError` for a port out of range, :class:`Conflict` for one in use.
    """
    if port is not None:
        if not 1 <= port <= 65535:
            raise UsageError(f"--port {port} is not between 1 and 65535")
        try:
            return LiveServer(feed, port)
        except OSError as problem:
            raise Conflict(
                f"port {port} cannot be used: {problem.strerror}",
                hint="choose another, or leave --port out to take a free one",
            ) from None
    for candidate in (*range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED), 0):
        if candidate and _is_taken(candidate):
            continue
        try:
            return LiveServer(feed, candidate)
        except OSError:
            continue  # somebody was faster; the last candidate, 0, lets the system choose
    raise Conflict("no port is free on 127.0.0.1")


def _is_taken(port: int) -> bool:
    """Somebody answers there already; binding alone may succeed beside a socket in TIME_WAIT."""
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class _Handler(BaseHTTPRequestHandler):
    server: LiveServer
    protocol_version = "HTTP/1.1"
    timeout = _SEND_SECONDS
    disable_nagle_algorithm = True  # or a body would wait 40 ms for the header's acknowledgement
    server_version = "cli-hub"
    sys_version = ""
    _common: ClassVar[dict[str, str]] = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
    }

    def do_GET(self) -> None:
        token, _, rest = self.path.lstrip("/").partition("/")
        ours = self.headers.get("Host", "") in self.server.hosts
        if not ours or not hmac.compare_digest(token.encode(), self.server.token.encode()):
            self._refuse(HTTPStatus.FORBIDDEN)
        elif rest == "":
            self._page()
        elif events := _EVENTS.fullmatch(rest):
            self._events(int(events["version"] or 0))
        elif artifact := _ARTIFACT.fullmatch(urlsplit(rest).path):
            self._artifact(unquote(artifact["bundle"]), int(artifact["number"]))
        else:
            self._refuse(HTTPStatus.NOT_FOUND)

    do_HEAD = do_GET  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing: addresses carry the token."""

    def _page(self) -> None:
        body = render(self.server.feed.view, live=True).encode()
        policy = f"{content_security_policy(live=True)}; frame-ancestors 'none'"
        self._start(
            HTTPStatus.OK,
            "text/html; charset=utf-8",
            len(body),
            {
                "Content-Security-Policy": policy,
                "Cache-Control": "no-store",
            },
        )
        if self.command == "GET":
            self.wfile.write(body)

    def _events(self, have: int) -> None:
        """Push every change until the page goes away; only the newest is ever held."""
        resumed = self.headers.get("Last-Event-ID", "")
        have = int(resumed) if resumed.isdecimal() and len(resumed) < 13 else have
        if not self.server.clients.acquire(blocking=False):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        try:
            self.close_connection = True
            headers = {"Cache-Control": "no-store", "Connection": "close"}
            self._start(HTTPStatus.OK, "text/event-stream", None, headers)
            if self.command == "GET":
                self._push(have)
        finally:
            self.server.clients.release()

    def _push(self, have: int) -> None:
        self.wfile.write(b"retry: 500\n\n")
        feed = self.server.feed
        while not feed.closed:
            update = feed.wait(have, _HEARTBEAT_SECONDS)
            if update is None:
                self.wfile.write(b": still here\n\n")
                continue
            have = update.version
            event = f"id: {have}\nevent: {update.name}\ndata: {update.data}\n\n"
            self.wfile.write(event.encode())

    def _artifact(self, bundle_id: str, number: int) -> None:
        known = self.server.feed.artifact(bundle_id, number)
        # Looked at again for every request: a link may have been put there since.
        file = inside(known[0].folder, known[1].path) if known else None
        if file is None or not file.is_file():
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        with file.open("rb") as stream:
            self._send_part(stream, file)

    def _send_part(self, stream: IO[bytes], file: Path) -> None:
        size = file.stat().st_size
        wanted = span_of(self.headers.get("Range"), size)
        if wanted is None:
            status = HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE
            self._refuse(status, {"Content-Range": f"bytes */{size}"})
            return
        headers = {
            "Accept-Ranges": "bytes",
            "Cache-Control": "private, max-age=60",
            "Content-Security-Policy": _ARTIFACT_POLICY,
        }
        if wanted.partial:
            headers["Content-Range"] = f"bytes {wanted.start}-{wanted.stop - 1}/{size}"
        status = HTTPStatus.PARTIAL_CONTENT if wanted.partial else HTTPStatus.OK
        self._start(status, media_type(file), wanted.stop - wanted.start, headers)
        if self.command == "GET":
            self._send(stream, wanted)

    def _send(self, stream: IO[bytes], wanted: Span) -> None:
        stream.seek(wanted.start)
        left = wanted.stop - wanted.start
        while left > 0 and (chunk := stream.read(min(_CHUNK, left))):
            self.wfile.write(chunk)
            left -= len(chunk)
        if left:  # the file shrank meanwhile: the promised length cannot be kept
            self.close_connection = True

    def _refuse(self, status: HTTPStatus, headers: dict[str, str] | None = None) -> None:
        body = f"{status.value} {status.phrase}\n".encode()
        self._start(status, "text/plain; charset=utf-8", len(body), headers or {})
        if self.command == "GET":
            self.wfile.write(body)

    def _start(
        self, status: HTTPStatus, kind: str, length: int | None, headers: dict[str, str]
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is not None:
            self.send_header("Content-Length", str(length))
        for name, value in {**self._common, **headers}.items():
            self.send_header(name, value)
        self.end_headers()


def media_type(file: Path) -> str:
    """The type a file is served with: by its ending, and nothing a browser would run."""
    ending = file.suffix.lower().lstrip(".")
    if ending in MEDIA_TYPES:
        return MEDIA_TYPES[ending]
    if ending in {"html", "htm", "xhtml"}:
        return "text/html; charset=utf-8"  # sandboxed by its policy
    if ending in {"json", "txt", "md", "log", "csv", "yaml", "yml", "toml", "srt", "vtt", "mlt"}:
        return "text/plain; charset=utf-8"
    return "application/octet-stream"
