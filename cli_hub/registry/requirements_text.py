"""What a ``requires`` line says that a program can check: variables, programs with a version."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cli_hub.registry.need import Need
from cli_hub.registry.vocabulary import NeedKind

_VARIABLE = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_VERSIONED = re.compile(r"\b([A-Za-z][A-Za-z0-9.+-]*)\s*(>=|==|<=|~=|>|<)\s*(\d+(?:\.\d+)*)")
_PROGRAMS = {"node.js": "node", "nodejs": "node"}


def stated_needs(text: str) -> Iterator[Need]:
    """The needs that *text* states plainly; most of what people write there is not plain."""
    for name in dict.fromkeys(_VARIABLE.findall(text)):
        yield Need(NeedKind.ENV, name)
    for name, sign, version in _VERSIONED.findall(text):
        program = _PROGRAMS.get(name.lower(), name)
        yield Need(NeedKind.BINARY, program, version=f"{sign}{version}")
