"""English words reduced to their stems, after M. F. Porter, "An algorithm for suffix stripping"
(Program 14 no. 3, 1980), whose rules and step numbers are used here.

Three additions: agent nouns in ``-itor`` and ``-ssor`` follow their verb (``editor`` meets
``edit``), so do those that double a letter (``debugger``), and words that the rules would make one
with a word of another meaning stay apart from it (``accounting`` from ``accounts``).
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = "aeiou"


def _by_last_letter(*rules: tuple[str, str]) -> dict[str, tuple[tuple[str, str], ...]]:
    """*rules* in their order, parted so that a word is held only against those it could meet."""
    lasts = {ending[-1] for ending, _other in rules}
    return {last: tuple(rule for rule in rules if rule[0][-1] == last) for last in lasts}


_STEP_2 = _by_last_letter(
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("abli", "able"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
)  # fmt: skip
_STEP_3 = _by_last_letter(
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
    ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous",
    "ive", "ize", "al", "er", "ic", "ou",
)  # fmt: skip

_APART = {
    "accountancy": "accounting", "accounting": "accounting", "engineer": "engineer",
    "engineering": "engineer", "engineers": "engineer", "important": "important", "news": "news",
    **{
        word + plural: word
        for word in ("booking", "container", "customer", "letter")
        for plural in ("", "s")
    },
}  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case *word*; short words and those with digits stay as they are."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    if word in _APART:
        return _APART[word]
    word = _british(word)
    word = _plurals(word)
    word = _past_and_gerund(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    word = _dropped(word)
    return _tidied(word)


def _british(word: str) -> str:
    """American spelling: ``normalise`` and ``visualisation`` meet their other forms."""
    for ours, theirs in (("isation", "ization"), ("ising", "izing"), ("ised", "ized")):
        if len(word) > len(ours) + 3 and word.endswith(ours):
            return word[: -len(ours)] + theirs
    if len(word) > 6 and word.endswith(("ise", "iser", "ises")):
        at = word.rindex("is")
        return word[:at] + "iz" + word[at + 2 :]
    return word


def _plurals(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 4):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


def _past_and_gerund(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        if word.endswith(ending) and _has_vowel(word[: -len(ending)]):
            return _mended(word[: -len(ending)])
    return word


def _mended(rest: str) -> str:
    """What is left after -ed or -ing, with the ``e`` it lost or without its doubled letter."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    if len(rest) > 2 and rest[-1] == rest[-2] and rest[-1] not in "lsz" + _VOWELS:
        return rest[:-1]
    if _measure(rest) == 1 and _short(rest):
        return rest + "e"
    return rest


def _replaced(word: str, rules: dict[str, tuple[tuple[str, str], ...]]) -> str:
    for ending, other in rules.get(word[-1], ()):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) > 0 else word
    return word


def _dropped(word: str) -> str:
    if word.endswith(("itor", "ssor")) and len(word) > 5:
        return word[:-2]
    if word.endswith("ion") and word[-4:-3] in ("s", "t") and _measure(word[:-3]) > 1:
        return word[:-3]
    for ending in _STEP_4 if word.endswith(_STEP_4) else ():
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if ending == "er" and rest[-1:] == rest[-2:-1] and rest[-1:] not in "lsz":
                return rest[:-1]
            return rest if _measure(rest) > 1 else word
    return word


def _tidied(word: str) -> str:
    if word.endswith("e"):
        measure = _measure(word[:-1])
        if measure > 1 or (measure == 1 and not _short(word[:-1])):
            word = word[:-1]
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word


def _consonant(word: str, at: int) -> bool:
    if word[at] in _VOWELS:
        return False
    return word[at] != "y" or at == 0 or not _consonant(word, at - 1)


def _measure(word: str) -> int:
    """How often a vowel is followed by a consonant: the ``m`` of the paper."""
    count, after_vowel, after_consonant = 0, False, False
    for char in word:
        if char in _VOWELS or (char == "y" and after_consonant):
            after_vowel, after_consonant = True, False
        else:
            count += after_vowel
            after_vowel, after_consonant = False, True
    return count


def _has_vowel(word: str) -> bool:
    return any(not _consonant(word, at) for at in range(len(word)))


def _short(word: str) -> bool:
    """Ends consonant, vowel, consonant, the last not w, x or y."""
    return (
        len(word) > 2
        and _consonant(word, len(word) - 1)
        and not _consonant(word, len(word) - 2)
        and _consonant(word, len(word) - 3)
        and word[-1] not in "wxy"
    )
