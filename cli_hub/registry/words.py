"""From text to the words that are indexed and searched: the same for both sides."""

from __future__ import annotations

import re
import unicodedata

from cli_hub.registry.stemming import stem

_WORD = re.compile(r"c\+\+|[a-z]#(?![a-z0-9])|[^\W_]+")
_IDEOGRAPH = r"([\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af])"

_FILLERS = """
a about all also an and any app application are as at be best by can cli command commands could do
does easily existing file find for from get give good have help how i if in into is it its just
like line looking make me my need new of on onto or other our out over please program show simple
software some something task terminal than that the their them then there these thing this to tool
tools try up use using utility via want way we what when where which while who will with work works
would you your
"""
FILLERS = frozenset(_FILLERS.split())
"""Words that say nothing about what is looked for."""
VERIFIED = "+verified"
"""What an index has among the words of a verified entry; no text has this word."""


def words(text: str) -> list[str]:
    """The words of *text*, lower case, without accents, in order. ``C++`` is one word."""
    found: list[str] = _WORD.findall(text.casefold())
    if all(map(str.isascii, found)):
        return found
    return [part for word in found for part in ([word] if word.isascii() else _plain(word))]


def _plain(word: str) -> list[str]:
    """*word* without accents; a writing without spaces falls into its characters."""
    bare = "".join(
        char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char)
    )
    return re.sub(_IDEOGRAPH, r" \1 ", unicodedata.normalize("NFC", bare)).split()


def stems(text: str) -> list[str]:
    """The stems of all words of *text*, in order, fillers included."""
    return [stem(word) for word in words(text)]


def asked(text: str) -> list[str]:
    """The words of a query that carry meaning; all of them when none does."""
    found = words(text)
    return [word for word in found if word not in FILLERS] or found
