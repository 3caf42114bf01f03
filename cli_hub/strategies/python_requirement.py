"""One word of ``pip install``: a requirement, a git or archive address, or a file."""

from __future__ import annotations

import re
from collections.abc import Callable

from cli_hub.strategies.fields import Refused
from cli_hub.values import dataclass

_ADDRESS = re.compile(r"(git\+|https?://|file://|ssh://)")
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?")
_FILE = re.compile(r"(\.{0,2}[/\\]|[A-Za-z]:[/\\]|\.{1,2}$)|.*\.(whl|tar\.gz|zip)$")


@dataclass(frozen=True, slots=True)
class PythonRequirement:
    """*name* with *version* and *extras*, or a *url* (then the name may be unknown)."""

    name: str = ""
    version: str = ""
    extras: tuple[str, ...] = ()
    url: str = ""


def split_requirement(word: str, place: Callable[[str], str]) -> PythonRequirement:
    """Read one word; *place* makes a path absolute. Raises :class:`Refused`."""
    if _ADDRESS.match(word):
        return PythonRequirement(url=word)
    if _FILE.match(word):
        return PythonRequirement(url=place(word))
    if _NAME.fullmatch(word):
        return PythonRequirement(word)
    from packaging.requirements import InvalidRequirement, Requirement  # 12 ms, only when needed

    try:
        parsed = Requirement(word)
    except InvalidRequirement as problem:
        raise Refused(f"{word!r} is not a Python requirement: {problem}") from None
    return PythonRequirement(
        parsed.name, str(parsed.specifier), tuple(sorted(parsed.extras)), parsed.url or ""
    )
