"""Which entries a search looks at: what the index finds for its words.

In a small index SQLite ranks everything that has any of the words. That takes the longer the more
entries have them, and half of a large registry may have one. A large index is therefore asked in
turn, without an order, for what would score best first, until there is enough to judge.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from cli_hub.registry.index import Index
from cli_hub.registry.query import Word, phrases
from cli_hub.registry.spelling import folded
from cli_hub.registry.words import VERIFIED
from cli_hub.values import dataclass

ENOUGH = 60
"""Entries to judge."""
IN_NAMES = 20
"""Entries to judge because a word is in their names, for each word: names are worth the most."""
SMALL = 5000
"""Entries among which all that have any word of a query are ranked."""


@dataclass(frozen=True, slots=True)
class Filters:
    """What an entry must be; empty means anything. *installable* wants one with a strategy."""

    category: str = ""
    kind: str = ""
    strategy: str = ""
    source: str = ""
    installable: bool = False


Row = Mapping[str, Any]

_WANTED = """
AND (e.shadowed = 0 OR :source <> '')
AND (:category = '' OR e.category = :category COLLATE NOCASE)
AND (:kind = '' OR e.kind = :kind)
AND (:strategy = '' OR e.strategy = :strategy)
AND (:source = '' OR e.source = :source)
AND (NOT :installable OR e.strategy <> '')
"""
_ALL = "SELECT e.* FROM entry e WHERE true"
_BY_NAME = """
SELECT e.*, s.* FROM alias a JOIN entry e ON e.id = a.id JOIN stem s ON s.rowid = e.id
WHERE a.folded = :folded
"""
_BY_WORDS = """
SELECT e.*, s.* FROM ({numbers}) c JOIN entry e ON e.id = c.id JOIN stem s ON s.rowid = c.id
"""
_NUMBERS = """
SELECT e.id FROM stem s JOIN entry e ON e.id = s.rowid WHERE stem MATCH :match
"""
"""Sorted by their numbers alone: whole entries would all pass through the sorter."""
_IN_ORDER = "ORDER BY e.id"
_BEST_FIRST = "ORDER BY bm25(stem, 8, 5, 4, 3, 1)"
_MOST = " LIMIT :most"
_RANKED = _BY_WORDS.format(numbers=_NUMBERS + _WANTED + _BEST_FIRST + _MOST)
_UNRANKED = _BY_WORDS.format(numbers=_NUMBERS + _WANTED + _MOST)


def everything(index: Index, filters: Filters) -> Iterator[Row]:
    """All entries that pass *filters*, in the order of their sources and files."""
    return _rows(index.connection.execute(_ALL + _WANTED + _IN_ORDER, _asked(filters)))


def candidates(index: Index, words: list[Word], text: str, filters: Filters) -> list[Row]:
    """Entries named *text*, and those worth judging by *words*, each once."""
    values = {**_asked(filters), "folded": folded(text)}
    found: dict[int, Row] = {}

    def look(query: str, **asked: object) -> None:
        found.update((row["id"], row) for row in _rows(execute(query, values | asked)))

    execute = index.connection.execute
    look(_BY_NAME + _WANTED)
    known = [word for word in words if word.stand_ins]
    if known and index.size <= SMALL:
        look(_RANKED, match=_either(known), most=ENOUGH)
    elif known:
        for match in _in_names(known):
            look(_UNRANKED, match=match, most=IN_NAMES)
        enough = len(found) + ENOUGH
        for match in _by_worth(known):
            look(_UNRANKED, match=match, most=ENOUGH)
            if len(found) >= enough:
                break
    return list(found.values())


def _asked(filters: Filters) -> dict[str, object]:
    """As ``asdict``, which for these loads the means to copy anything."""
    return {each.name: getattr(filters, each.name) for each in fields(filters)}


def _rows(cursor: sqlite3.Cursor) -> Iterator[dict[str, Any]]:
    columns = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(columns, row, strict=True))


def _in_names(words: list[Word]) -> Iterator[str]:
    """All *words*, one of them in the name."""
    each = _themselves(words)
    for at, one in enumerate(each):
        yield " AND ".join([f"name : {one}", *each[:at], *each[at + 1 :]])


def _by_worth(words: list[Word]) -> Iterator[str]:
    """The words themselves, then what stands for them, then each word, the most telling first."""
    alone = sorted(words, key=lambda word: -word.rarity) if len(words) > 1 else ()
    wanted = [
        " AND ".join(_themselves(words)),
        " AND ".join(f"({_either([word])})" for word in words),
        *(_either([word]) for word in alone),
    ]
    for match in dict.fromkeys(wanted):
        yield f"{_quoted(VERIFIED)} AND ({match})"
        yield match


def _themselves(words: list[Word]) -> list[str]:
    """Each word as it is, or all that stands for it where the index does not know it."""
    return [
        _quoted(word.stem) if word.stem in word.stand_ins else f"({_either([word])})"
        for word in words
    ]


def _either(words: list[Word]) -> str:
    return " OR ".join(map(_quoted, phrases(words)))


def _quoted(phrase: str) -> str:
    return '"' + phrase.replace('"', "") + '"'
