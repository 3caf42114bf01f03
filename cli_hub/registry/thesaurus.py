"""The words of the fields: ``thesaurus.txt`` says how it is written, this reads it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from cli_hub.registry.words import FILLERS, stems, words

FILE = Path(__file__).with_name("thesaurus.txt")

SAME = 0.85
"""Weight of a term that means the same."""
RELATED = 0.7
"""Weight of a term that may be meant."""
BESIDE = 0.5
"""Weight of a term that stands beside another one before the same ``>``."""


def key(text: str) -> str:
    """What a term is found by: the stems of its words in any order, fillers left out."""
    return " ".join(sorted(stems(" ".join(_telling(text)))))


def phrase(text: str) -> str:
    """What a term looks like in an index: the stems of its words, in order."""
    return " ".join(stems(text))


def pairs(text: str) -> Iterator[tuple[str, str, float]]:
    """All ``(key, phrase, weight)`` of a thesaurus, the strongest weight of each only."""
    best: dict[tuple[str, str], float] = {}
    for line in text.splitlines():
        terms, arrow, related = line.partition("#")[0].partition(">")
        ours = _terms(terms)
        for term in ours:
            for other in ours:
                _raise(best, key(term), phrase(other), BESIDE if arrow else SAME)
            for other in _terms(related):
                _raise(best, key(term), phrase(other), RELATED)
    for (found, other), weight in best.items():
        if other != found:
            yield found, other, weight


def _raise(best: dict[tuple[str, str], float], found: str, other: str, weight: float) -> None:
    if found and other:
        best[found, other] = max(weight, best.get((found, other), 0.0))


def _terms(text: str) -> list[str]:
    return [term.strip() for term in text.split(",") if term.strip()]


def _telling(text: str) -> list[str]:
    found = words(text)
    return [word for word in found if word not in FILLERS] or found
