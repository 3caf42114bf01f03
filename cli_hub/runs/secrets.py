"""Secrets never reach a record: they are masked before anything is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

MASK = "•••"
_SHORTEST = 4

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
        return tuple(
            self.text(word[: len(word) - len(secret)]) + MASK if secret else self.text(word)
            for word, secret in _with_secrets(argv)
        )


def given_secrets(argv: Sequence[str]) -> list[str]:
    """The values that stand after options such as ``--token``, to mask them in outputs too."""
    return [secret for _, secret in _with_secrets(argv) if len(secret) >= _SHORTEST]


def _with_secrets(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Each word with the part at its end that is secret because of where it stands."""
    for number, word in enumerate(argv):
        option, equals, value = word.partition("=")
        if number and _OPTION.match(argv[number - 1]) and not word.startswith("--"):
            yield word, word
        elif (equals and _OPTION.match(option)) or _ASSIGNED.match(word):
            yield word, value
        else:
            yield word, ""
