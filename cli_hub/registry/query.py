"""What a search asks for: every word with all that may stand for it in the index."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator
from dataclasses import field
from itertools import pairwise
from typing import TypeAlias

from cli_hub.registry.index import Index
from cli_hub.registry.spelling import distance, shapes, tolerance
from cli_hub.registry.stemming import stem
from cli_hub.registry.thesaurus import SAME
from cli_hub.registry.words import asked
from cli_hub.values import dataclass

PREFIX = 0.7
MISSPELT = 0.8
LONGEST_TERM = 3
"""Words a thesaurus term may have in a query."""
SHORTEST_HALF = 3
"""Letters of the words that a word written together is taken apart into."""
MOST_STANDINS = 24
"""Per word: beyond that a search is about everything and finds nothing in particular."""
Term: TypeAlias = tuple[range, list[tuple[str, float]]]
"""Where in a query a term of the thesaurus stands, and the phrases that may stand for it."""
EXACT, SYNONYM, BEGINNING, SPELLING = "word", "synonym", "prefix", "spelling"


@dataclass(frozen=True, slots=True)
class StandIn:
    """A phrase of stems that counts for a word of the query, by how much and why."""

    phrase: str
    weight: float
    why: str


@dataclasses.dataclass(slots=True, repr=False, eq=False)
class Word:
    """One word of the query. *rarity* is how telling it is: high when few entries have it."""

    text: str
    stem: str
    rarity: float = 0.0
    stand_ins: dict[str, StandIn] = field(default_factory=dict)

    def add(self, found: str, weight: float, why: str) -> None:
        before = self.stand_ins.get(found)
        if before is None or before.weight < weight:
            self.stand_ins[found] = StandIn(found, weight, why)


def understand(text: str, index: Index) -> list[Word]:
    """The words of *text* that carry meaning, each with its stand-ins and its rarity."""
    parts = [part for word in asked(text) for part in _apart(word, index)]
    found = [Word(word, stem(word)) for word in dict.fromkeys(parts)]
    for word in found:
        if _count(word.stem, index):
            word.add(word.stem, 1.0, EXACT)
    _add_compounds(found, index)
    _add_synonyms(found, index)
    for word in found:
        _add_beginnings(word, index)
        if not word.stand_ins:
            _add_spellings(word, index)
        _weigh(word, index)
    return found


def _apart(word: str, index: Index) -> list[str]:
    """*word* in two when only its halves are known: ``videoeditor`` is a video editor."""
    if len(word) < 2 * SHORTEST_HALF or not word.isascii() or _known(word, index):
        return [word]
    halves = [(word[:at], word[at:]) for at in range(SHORTEST_HALF, len(word) - SHORTEST_HALF + 1)]
    common, halves_meant = max(
        (min(_commonness(half, index) for half in pair), pair) for pair in halves
    )
    # The commonest halves are what is meant: a rare one is more likely a chance.
    return list(halves_meant) if common else [word]


def _commonness(word: str, index: Index) -> int:
    """In how many entries it is; one for a word that only the thesaurus has."""
    return _count(stem(word), index) or int(_in_thesaurus(word, index))


def _in_thesaurus(word: str, index: Index) -> bool:
    ask = index.connection.execute
    return bool(ask("SELECT 1 FROM thesaurus WHERE key = ? LIMIT 1", (stem(word),)).fetchone())


def _known(word: str, index: Index) -> bool:
    """Whether the index or the thesaurus has *word*, or a word or name spelt nearly like it."""
    if _commonness(word, index):
        return True
    ask = index.connection.execute
    if ask("SELECT 1 FROM alias WHERE folded = ? LIMIT 1", (word,)).fetchone():
        return True
    near = Word(word, stem(word))
    _add_beginnings(near, index)
    _add_spellings(near, index)
    return bool(near.stand_ins)


def _add_compounds(found: list[Word], index: Index) -> None:
    """Names are written together, apart or with a hyphen: ``muse score`` is ``musescore``."""
    for first, second in pairwise(found):
        joined = stem(first.text + second.text)
        if _count(joined, index):
            first.add(joined, 1.0, EXACT)
            second.add(joined, 1.0, EXACT)


def _add_synonyms(found: list[Word], index: Index) -> None:
    asked = {word.stem for word in found}
    for term, rows in _heads(list(_terms(found, index))):
        # What is asked for anyway, beside a word or in a term, stands for the rest of it only
        # where it means the same.
        said = asked if len(term) == 1 else {found[at].stem for at in term}
        for other, weight in rows:
            for at in term if weight >= SAME or other not in said else ():
                found[at].add(other, weight, SYNONYM)


def _terms(found: list[Word], index: Index) -> Iterator[Term]:
    """The terms of the thesaurus in a query, the short ones first."""
    for length in range(1, LONGEST_TERM + 1):
        for at in range(len(found) - length + 1):
            term = range(at, at + length)
            rows = index.connection.execute(
                "SELECT phrase, weight FROM thesaurus WHERE key = ? ORDER BY weight DESC LIMIT ?",
                (" ".join(sorted(found[number].stem for number in term)), MOST_STANDINS),
            ).fetchall()
            if rows:
                yield term, rows


def _heads(terms: list[Term]) -> list[Term]:
    """Without terms that lose a word to one that ends later: in English the head comes last.

    Who wants to ``remove background noise`` does not want to ``remove background``.
    """
    return [
        (term, rows)
        for term, rows in terms
        if not any(term.start < later.start < term.stop < later.stop for later, _rows in terms)
    ]


def _add_beginnings(word: Word, index: Index) -> None:
    """Longer words that begin with it: ``transcr`` is on its way to ``transcription``."""
    inflected = len(word.text) - len(word.stem) > 2  # a whole word, not the beginning of another
    if len(word.stem) < 4 or inflected or word.stem in word.stand_ins:
        return
    rows = index.connection.execute(
        "SELECT term FROM vocabulary WHERE term > ? AND term < ? LIMIT 8",
        (word.stem, word.stem + "\uffff"),
    )
    for (term,) in rows:
        word.add(term, PREFIX, BEGINNING)


def _add_spellings(word: Word, index: Index) -> None:
    """Words of the index that differ by a missing, superfluous, swapped or wrong letter."""
    limit = tolerance(word.text)
    if not limit or not word.text.isascii():
        return
    rows = index.connection.execute(
        "SELECT DISTINCT word, name FROM spelling WHERE shape IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(shapes(word.text))),),
    )
    near = [(distance(word.text, other, limit), other, bool(name)) for other, name in rows]
    near = [one for one in near if one[0] <= limit and _plausible(word.text, one[1], one[2])]
    closest = min((edits for edits, _other, _name in near), default=0)
    for edits, other, _name in near:
        if edits == closest:
            word.add(stem(other), MISSPELT ** max(1, edits), SPELLING)


def _plausible(typed: str, meant: str, is_name: bool) -> bool:
    """Few get the first letter wrong; a name is also found when it is swapped or left out."""
    if typed[0] == meant[0]:
        return True
    return is_name and len(meant) > 4 and (typed[:2] == meant[1::-1] or typed == meant[1:])


def _weigh(word: Word, index: Index) -> None:
    """Set its rarity: that of the word itself, else of its rarest stand-in, else the highest."""
    size = max(index.size, 1)
    count = _count(word.stem, index)
    if not count:
        firsts = (one.phrase.partition(" ")[0] for one in word.stand_ins.values())
        count = min(filter(None, (_count(first, index) for first in firsts)), default=1)
    word.rarity = math.log(1 + (size - count + 0.5) / (count + 0.5))


def _count(term: str, index: Index) -> int:
    """In how many entries a stem is."""
    row = index.connection.execute(
        "SELECT entries FROM vocabulary WHERE term = ?", (term,)
    ).fetchone()
    return int(row[0]) if row else 0


def phrases(words: list[Word]) -> list[str]:
    """Every stand-in of every word, once."""
    return list(dict.fromkeys(one.phrase for word in words for one in word.stand_ins.values()))
