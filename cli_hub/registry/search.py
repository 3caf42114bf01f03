"""Search: candidates from the index, then a score that says why.

A hit's score is the share of the query it answers, between 0 and 1: every word counts by its
rarity, by how closely it is matched (itself, a synonym, a beginning, a misspelling) and by where
(the name says more than the requirements). What answers less than ``ENOUGH`` is noise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from cli_hub.registry import matching
from cli_hub.registry.index import Index
from cli_hub.registry.matching import Filters
from cli_hub.registry.query import Word, understand
from cli_hub.registry.spelling import folded
from cli_hub.values import dataclass

FIELDS = ("name", "capability", "category", "description", "requires")
WORTH = {"name": 1.0, "capability": 0.95, "category": 0.85, "description": 0.85, "requires": 0.45}
LATE = 0.08
"""What the last word of a description is worth less than its first: what matters stands first."""
ENOUGH = 0.33
_NAMED = 0.25
"""What is added when the query is the name itself."""
_SPOKEN_OF = 0.5
"""What an entry scores at least when one word of the query is its name."""
_VERIFIED = 0.002


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. *matched* maps each word of the query to what it met: ``field: word (why)``."""

    record: Mapping[str, Any]
    source: str
    kind: str
    score: float
    matched: Mapping[str, str] = field(default_factory=dict)
    installable: bool = True
    reason: str = ""
    """Why it cannot be installed anywhere."""
    tool: str = ""
    """The program that installing it needs on PATH."""
    strategy: str = ""
    verified: bool = False

    @property
    def name(self) -> str:
        return str(self.record["name"])


def search(
    index: Index,
    text: str,
    *,
    filters: Filters | None = None,
    limit: int = 20,
    keep: Callable[[Hit], bool] | None = None,
) -> list[Hit]:
    """The entries that answer *text*, best first, at most *limit* of those that *keep* accepts.

    Equal scores stand by verified before not, then by name. Nothing is found rather than noise.
    """
    words = understand(text, index)
    rows = matching.candidates(index, words, text, filters or Filters())
    found = [hit for row in rows if (hit := _judge(row, words, text)).score >= ENOUGH]
    found.sort(key=lambda hit: (-hit.score, not hit.verified, hit.name))
    kept = [hit for hit in found if keep is None or keep(hit)]
    return kept[:limit]


def everything(index: Index, filters: Filters | None = None) -> list[Hit]:
    """All entries that pass *filters*, in the order of their sources and files, without scores."""
    rows = matching.everything(index, filters or Filters())
    return [_hit(row, json.loads(row["raw"]), 0.0, {}) for row in rows]


def _judge(row: Mapping[str, Any], words: list[Word], text: str) -> Hit:
    padded = {name: f" {row[name]} " for name in FIELDS}
    total = sum(word.rarity for word in words) or 1.0
    score, matched = 0.0, {}
    for word in words:
        worth, why = _best(word, padded)
        score += word.rarity * worth
        if why:
            matched[word.text] = why
    score /= total
    record = json.loads(row["raw"])
    names = {folded(record["name"]), folded(record.get("display_name") or "")}
    if folded(text) in names:
        score = max(score, 0.9) + _NAMED
        matched.setdefault(text, "name")
    elif any(folded(word.text) in names for word in words):
        score = max(score, _SPOKEN_OF)
    score += _VERIFIED if row["verified"] else 0.0
    return _hit(row, record, round(score / (1 + _NAMED + _VERIFIED), 4), matched)


def _hit(
    row: Mapping[str, Any], record: Mapping[str, Any], score: float, matched: Mapping[str, str]
) -> Hit:
    return Hit(
        record=record,
        source=row["source"],
        kind=row["kind"],
        score=score,
        matched=matched,
        installable=bool(row["strategy"]),
        reason=row["reason"],
        tool=row["tool"],
        strategy=row["strategy"],
        verified=bool(row["verified"]),
    )


def _best(word: Word, padded: Mapping[str, str]) -> tuple[float, str]:
    best, why = 0.0, ""
    for one in word.stand_ins.values():
        needle = f" {one.phrase} "
        for name in FIELDS:
            worth = one.weight * WORTH[name]
            if worth <= best or (at := padded[name].find(needle)) < 0:
                continue
            if name == "description":
                worth *= 1 - LATE * at / len(padded[name])
            if worth > best:
                best, why = worth, f"{name}: {one.phrase} ({one.why})"
    return best, why
