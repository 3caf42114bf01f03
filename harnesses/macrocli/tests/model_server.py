"""A server that speaks the chat API on loopback and really looks at the screenshot it gets."""

from __future__ import annotations

import base64
import io
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from PIL import Image

Answer = Callable[[dict[str, Any]], dict[str, Any]]
"""Given the request: the assistant's message."""


@dataclass
class ModelServer:
    """What was asked, and where to ask."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


def screenshot(request: dict[str, Any]) -> Image.Image:
    """The last picture of a request."""
    urls = [
        part["image_url"]["url"]
        for message in request["messages"]
        if isinstance(message.get("content"), list)
        for part in message["content"]
        if part["type"] == "image_url"
    ]
    content = base64.b64decode(urls[-1].removeprefix("data:image/png;base64,"))
    return Image.open(io.BytesIO(content)).convert("RGB")


def tool_calls(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """An assistant's message that calls tools."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for number, (name, arguments) in enumerate(calls)
        ],
    }


@contextmanager
def model_server(answer: Answer) -> Iterator[ModelServer]:
    """Serve until the block ends."""
    server = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(request)
            server.keys.append(self.headers["Authorization"])
            refused = "wrong" in server.keys[-1]
            if refused:
                key = server.keys[-1].removeprefix("Bearer ")
                document: dict[str, Any] = {"error": {"message": f"bad key {key}"}}
            else:
                choice = {"index": 0, "finish_reason": "stop", "message": answer(request)}
                document = {
                    "id": "x",
                    "object": "chat.completion",
                    "created": 0,
                    "model": request["model"],
                    "choices": [choice],
                }
            content = json.dumps(document).encode()
            self.send_response(401 if refused else 200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_arguments: Any) -> None:
            """Quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as http:
        server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
        thread = threading.Thread(target=http.serve_forever, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            http.shutdown()
            thread.join(5)
