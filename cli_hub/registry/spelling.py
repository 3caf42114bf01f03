"""Names that nearly are another: for "did you mean", for search, and against look-alikes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SEPARATORS = re.compile(r"[\s._+/-]+")


def folded(name: str) -> str:
    """*name* in lower case without separators: ``Muse Score`` and ``muse-score`` are one."""
    return _SEPARATORS.sub("", name.casefold())


def distance(one: str, other: str, limit: int) -> int:
    """Edits between two words, swapped neighbours counting one; *limit* + 1 when there are more."""
    if one == other:
        return 0
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, char in enumerate(one, 1):
        earlier, before = before, row
        row = [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != wanted))
            if i > 1 and j > 1 and char == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def tolerance(word: str) -> int:
    """How many edits may lie between a word and what was meant by it."""
    return 0 if len(word) < 3 else 1 if len(word) < 8 else 2


def nearest(name: str, known: Iterable[str], *, most: int = 3) -> list[str]:
    """The *known* names that come closest to *name*, best first; none rather than far ones."""
    wanted = folded(name)
    limit = max(1, tolerance(wanted) + (len(wanted) > 4))
    found: list[tuple[float, str]] = []
    for candidate in dict.fromkeys(known):
        form = folded(candidate)
        if not wanted or not form:
            continue
        if len(wanted) > 2 and _begins(form, wanted):
            found.append((0.5 + abs(len(form) - len(wanted)) / 50, candidate))
        elif len(wanted) > 3 and wanted in form:
            found.append((1.5 + len(form) / 50, candidate))
        else:
            edits = distance(wanted, form, limit)
            if edits <= limit and edits < max(len(wanted), len(form)) / 2:
                found.append((edits, candidate))
    return [candidate for _rank, candidate in sorted(found)[:most]]


def _begins(form: str, wanted: str) -> bool:
    return form.startswith(wanted) or (len(form) > 2 and wanted.startswith(form))


def shapes(word: str) -> set[str]:
    """*word* and every form with one letter left out: two words one edit apart share a shape."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
