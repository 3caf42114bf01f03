"""INI files, edited in place."""

from __future__ import annotations

import re

from cli_anything.macrocli.edits import EditFailed

_SECTION = re.compile(r"\s*\[([^\]]+)\]")
_KEY = re.compile(
    r"(?P<lead>\s*(?P<key>[^\s=:;#\[][^=:]*?)(?P<mark>[ \t]*[=:][ \t]*))(?P<value>.*)\Z"
)
_INLINE_COMMENT = re.compile(r"\s+[;#].*\Z")


def set_key(text: str, section: str, key: str, value: str) -> str:
    """*text* with *key* of *section* set; both are added where they are missing.

    An empty *section* means the keys above the first one. Further lines of an old value go; a
    comment behind it stays.
    """
    if "\n" in value or "\r" in value:
        raise EditFailed("an INI value is one line")
    if not key or re.search(r"[=:\n\[\]]", key) or re.search(r"[\]\n]", section):
        raise EditFailed(f"{key!r} in [{section}] cannot be an INI key")
    lines = text.splitlines(keepends=True)
    ending = "\r\n" if "\r\n" in text else "\n"
    first, last = _section_span(lines, section)
    if first is None:
        return text + _new_section(text, section, ending) + f"{key} = {value}{ending}"
    found = _find_key(lines, first, last, key)
    if found is not None:
        place, match = found
        end = place + 1
        while end < last and _continues(lines[end]):
            end += 1
        comment = _INLINE_COMMENT.search(match["value"])
        line_end = lines[place][len(lines[place].rstrip("\r\n")) :]
        lines[place:end] = [f"{match['lead']}{value}{comment[0] if comment else ''}{line_end}"]
        return "".join(lines)
    while last > first and not lines[last - 1].strip():
        last -= 1
    if last and not lines[last - 1].endswith(("\n", "\r")):
        lines[last - 1] += ending
    lines.insert(last, f"{key}{_usual_mark(lines, first, last)}{value}{ending}")
    return "".join(lines)


def _section_span(lines: list[str], section: str) -> tuple[int | None, int]:
    """The lines of a section, without its header; None when there is no such section."""
    start: int | None = None if section else 0
    for number, line in enumerate(lines):
        header = _SECTION.match(line)
        if header is None:
            continue
        if start is not None:
            return start, number
        if header[1].strip() == section:
            start = number + 1
    return start, len(lines)


def _find_key(
    lines: list[str], first: int, last: int, key: str
) -> tuple[int, re.Match[str]] | None:
    """The line of *key*: spelt the same, else the same but for its case."""
    matches = []
    for number in range(first, last):
        match = _KEY.match(lines[number].rstrip("\r\n"))
        if match and not (number > first and _continues(lines[number])):
            matches.append((number, match))
    same = [found for found in matches if found[1]["key"].strip() == key]
    similar = [found for found in matches if found[1]["key"].strip().lower() == key.lower()]
    return next(iter((*same, *similar)), None)


def _continues(line: str) -> bool:
    """An indented line with something on it goes on with the value above it."""
    return line[:1] in (" ", "\t") and bool(line.strip()) and line.strip()[0] not in ";#"


def _usual_mark(lines: list[str], first: int, last: int) -> str:
    """How the keys of this section are set apart from their values."""
    for line in lines[first:last]:
        if match := _KEY.match(line.rstrip("\r\n")):
            return match["mark"] or " = "
    return " = "


def _new_section(text: str, section: str, ending: str) -> str:
    gap = "" if not text else ending if text.endswith(("\n", "\r")) else ending * 2
    return f"{gap}[{section}]{ending}"
