"""Secrets never reach a record: they are masked before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MASK = "•••"

_SHAPES = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|xox[abprs]-[\w-]{10,}"
    r"|AKIA[0-9A-Z]{16}|glpat-[\w-]{16,}|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}"
    r"|eyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{5,})"
)
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_IN_ADDRESS = re.compile(r"(?<=://)([^/\s:@]+):([^/\s@]+)@")
_OPTION = re.compile(
    r"(?i)^--?[\w-]*(token|secret|passw(?:or)?d|passphrase|api-?_?key|access-?_?key|credential)[\w-]*$"
)
_ASSIGNED = re.compile(
    r"(?i)^([\w-]*(?:token|secret|passw(?:or)?d|api-?_?key|access-?_?key|credential)[\w-]*)=(.+)$"
)


class Masker:
    """Replaces known secret *values*, and what looks like one."""

    def __init__(self, values: Iterable[str]) -> None:
        ordered = sorted({value for value in values if value}, key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, ordered))) if ordered else None

    def text(self, text: str) -> str:
        if self._values is not None:
            text = self._values.sub(MASK, text)
        text = _SHAPES.sub(MASK, text)
        text = _BEARER.sub(lambda match: f"{match[1]} {MASK}", text)
        return _IN_ADDRESS.sub(lambda match: f"{match[1]}:{MASK}@", text)

    def argv(self, argv: Sequence[str]) -> tuple[str, ...]:
        """Also what follows ``--api-key`` and the like, and ``token=…``."""
        masked: list[str] = []
        for number, word in enumerate(argv):
            option, equals, _ = word.partition("=")
            if number and _OPTION.match(argv[number - 1]) and not word.startswith("--"):
                masked.append(MASK)
            elif equals and _OPTION.match(option):
                masked.append(f"{option}={MASK}")
            elif match := _ASSIGNED.match(word):
                masked.append(f"{match[1]}={MASK}")
            else:
                masked.append(self.text(word))
        return tuple(masked)
