"""Keeps the values of secret parameters out of everything that is shown or stored."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from cli_anything.macrocli.parameters import Parameter
from cli_anything.macrocli.substitution import as_text

MASK = "***"


class Secrets:
    """Replaces the values it knows, in any spelling a step may give them, by ``***``."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        spellings: set[str] = set()
        for value in filter(None, values):
            spellings |= {value, shlex.quote(value), json.dumps(value, ensure_ascii=False)[1:-1]}
            spellings |= {json.dumps(value)[1:-1], repr(value)[1:-1]}
            spellings |= {line for line in value.splitlines() if len(line) > 3}
        self._spellings = sorted(spellings, key=len, reverse=True)

    @classmethod
    def among(cls, parameters: Mapping[str, Parameter], values: Mapping[str, Any]) -> Secrets:
        """The secrets of one call."""
        return cls(
            text
            for name, value in values.items()
            if name in parameters and parameters[name].secret
            for text in _texts(value)
        )

    def joined(self, other: Secrets) -> Secrets:
        """Both sets of secrets."""
        both = Secrets()
        both._spellings = sorted({*self._spellings, *other._spellings}, key=len, reverse=True)
        return both

    def mask(self, value: Any) -> Any:
        """*value* with every secret in it replaced, in text at any depth, keys included."""
        if not self._spellings:
            return value
        if isinstance(value, str):
            for spelling in self._spellings:
                value = value.replace(spelling, MASK)
            return value
        if isinstance(value, Mapping):
            return {self.mask(key): self.mask(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.mask(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return MASK if as_text(value) in self._spellings else value
        return value


def _texts(value: Any) -> Iterable[str]:
    """The pieces of a secret that must not be seen; a list or a mapping hides its leaves too."""
    if not isinstance(value, bool | None):  # masking "true" everywhere would hide nothing
        yield as_text(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
