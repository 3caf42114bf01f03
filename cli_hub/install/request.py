"""What somebody typed to name a harness: ``NAME``, ``source/NAME``, ``NAME@1.2``, ``NAME==1.2``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cli_hub.errors import UsageError

_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]*")


@dataclass(frozen=True, slots=True)
class Request:
    """*name* as the registry resolves it, and the *version* asked for, if any."""

    name: str
    version: str = ""

    @property
    def bare(self) -> str:
        """The name without its source."""
        return self.name.rpartition("/")[2]

    @property
    def names_source(self) -> bool:
        return "/" in self.name

    def __str__(self) -> str:
        return f"{self.name}=={self.version}" if self.version else self.name


def parse_request(text: str) -> Request:
    """Read one word of the command line. Raises :class:`UsageError`."""
    name, separator, version = text.partition("==")
    if not separator:
        name, separator, version = text.partition("@")
    if separator and version == "latest":
        version = ""
    elif separator and not _VERSION.fullmatch(version):
        raise UsageError(f"{text}: {version!r} is not a version", hint=f"like {name}==1.2")
    if not name or name.startswith("-"):
        raise UsageError(f"{text!r} names no harness", hint="cli-hub list shows them")
    return Request(name, version)
