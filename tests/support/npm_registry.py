"""An npm registry on the loopback interface, as far as npm's own client reads it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.support.http_server import Reply, Request, Server, http_server


@dataclass
class NpmRegistry:
    """Packages by name; ``url`` goes into ``npm_config_registry``."""

    server: Server
    _replies: dict[str, Reply] = field(default_factory=dict)
    _versions: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"{self.server.url}/"

    def add(self, name: str, version: str = "1.0.0", **manifest: Any) -> None:
        """Offer a package of one file, ``cli.js``, and what *manifest* says of it.

        The version that is added last is the newest.
        """
        described = {"name": name, "version": version, **manifest}
        tarball = _packed({"package.json": json.dumps(described), "cli.js": _PROGRAM})
        integrity = base64.b64encode(hashlib.sha512(tarball).digest()).decode()
        address = f"/{name}/-/{name.rpartition('/')[2]}-{version}.tgz"
        dist = {"tarball": f"{self.server.url}{address}", "integrity": f"sha512-{integrity}"}
        versions = self._versions.setdefault(name, {})
        versions[version] = {**described, "dist": dist}
        document = {"name": name, "dist-tags": {"latest": version}, "versions": versions}
        self._replies[f"/{name}"] = Reply(json.dumps(document).encode())
        self._replies[address] = Reply(tarball)

    def answer(self, request: Request) -> Reply:
        return self._replies.get(unquote(request.path), Reply(b'{"error": "not found"}', 404))


_PROGRAM = "#!/usr/bin/env node\nconsole.log('usage: from the loopback registry')\n"


def _packed(files: Mapping[str, str]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size, member.mode = len(text.encode()), 0o755
            archive.addfile(member, io.BytesIO(text.encode()))
    return gzip.compress(packed.getvalue(), mtime=0)


@contextmanager
def npm_registry() -> Iterator[NpmRegistry]:
    """A registry that has nothing until packages are added."""
    with http_server() as server:
        registry = NpmRegistry(server)
        server.answer = registry.answer
        yield registry
