"""What somebody typed to name a harness: ``[source/]NAME[EXTRA,…]``, then ``@1.2`` or ``==1.2``."""

from __future__ import annotations

import re

from cli_hub.errors import UsageError
from cli_hub.values import dataclass

_EXTRAS = re.compile(r"(?P<name>[^\[\]]*)\[(?P<extras>[^\[\]]*)\]")
_EXTRA = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9.+!_-]*")


@dataclass(frozen=True, slots=True)
class Request:
    """*name* as the registry resolves it, the *version* and the *extras* asked for, if any."""

    name: str
    version: str = ""
    extras: tuple[str, ...] = ()

    @property
    def bare(self) -> str:
        """The name without its source."""
        return self.name.rpartition("/")[2]

    @property
    def names_source(self) -> bool:
        return "/" in self.name

    def __str__(self) -> str:
        name = f"{self.name}[{','.join(self.extras)}]" if self.extras else self.name
        return f"{name}=={self.version}" if self.version else name


def parse_request(text: str) -> Request:
    """Read one word of the command line. Raises :class:`UsageError`."""
    name, separator, version = text.partition("==")
    if not separator:
        name, separator, version = text.partition("@")
    if separator and version == "latest":
        version = ""
    elif separator and not _VERSION.fullmatch(version):
        raise UsageError(f"{text}: {version!r} is not a version", hint=f"like {name}==1.2")
    extras: tuple[str, ...] = ()
    if (bracketed := _EXTRAS.fullmatch(name)) is not None:
        name = bracketed["name"]
        extras = tuple(dict.fromkeys(word.strip() for word in bracketed["extras"].split(",")))
        wrong = [word for word in extras if not _EXTRA.fullmatch(word)]
        if wrong:
            raise UsageError(f"{text}: {wrong[0]!r} is not an extra", hint=f"like {name}[all]")
    if not name or name.startswith("-") or "[" in name or "]" in name:
        raise UsageError(f"{text!r} names no harness", hint="cli-hub list shows them")
    return Request(name, version, extras)
