"""A loopback HTTP server that answers as told, badly if need be, and remembers what it was asked.

It binds 127.0.0.1, runs in a thread and ends with its ``with`` block.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    """By lower-case name."""


@dataclass
class Reply:
    """*cut* announces the whole body and sends only that many bytes; *stall* sends none of it."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    stall: bool = False


@dataclass
class Server:
    """*answer* decides each reply; ``requests`` are those that came, in order."""

    url: str
    answer: Callable[[Request], Reply]
    requests: list[Request] = field(default_factory=list)
    _over: threading.Event = field(default_factory=threading.Event)

    def gives(self, body: bytes | str, **more: object) -> None:
        """From now on answer everything with *body*."""
        content = body.encode() if isinstance(body, str) else body
        reply = Reply(content, **more)  # type: ignore[arg-type]
        self.answer = lambda _request: reply


@contextmanager
def http_server() -> Iterator[Server]:
    """A running :class:`Server` that answers 404 until told otherwise."""
    told = Server("", lambda _request: Reply(b"nothing here", 404))

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.path, headers)
            told.requests.append(request)
            _send(self, told.answer(request), told._over)

        def log_message(self, *_: object) -> None:
            """Tests read ``requests`` instead."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    told.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield told
    finally:
        told._over.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def _send(handler: BaseHTTPRequestHandler, reply: Reply, over: threading.Event) -> None:
    handler.send_response(reply.status)
    for name, value in reply.headers.items():
        handler.send_header(name, value)
    if reply.status != 304:
        handler.send_header("Content-Length", str(len(reply.body)))
    handler.end_headers()
    if reply.stall:
        over.wait(30)
    elif reply.cut is not None:
        handler.wfile.write(reply.body[: reply.cut])
    else:
        handler.wfile.write(reply.body)
    handler.close_connection = reply.stall or reply.cut is not None
