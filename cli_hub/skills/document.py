"""Reading one ``SKILL.md``: front matter, body, and text that hides from people.

The format is the Agent Skills specification (agentskills.io): YAML front matter between two ``---``
lines, then Markdown. Loading is lenient, as that specification advises clients to be: only a
missing name or description, or YAML that cannot be parsed, makes a skill unusable; everything else
is a remark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from cli_hub.errors import BadDocument

_FRONT_MATTER = re.compile(
    r"\A---[ \t]*\r?\n(?P<yaml>.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE
)
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_STANDARD_KEYS = {
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
}
_NAME_LIMIT, _DESCRIPTION_LIMIT = 64, 1024
_LINK = re.compile(r"\[[^\]]*\]\((?!#|[a-z][a-z0-9+.-]*:|//)(?P<target>[^)\s#]+)", re.IGNORECASE)

_HIDDEN = (
    (0xE0000, 0xE007F, "tag character"),
    (0x202A, 0x202E, "bidirectional override"),
    (0x2066, 0x2069, "bidirectional isolate"),
    (0xE0100, 0xE01EF, "variation selector"),
    (0x200B, 0x200F, "invisible character"),
    (0x2061, 0x2064, "invisible operator"),
    (0x00AD, 0x00AD, "soft hyphen"),
    (0xFEFF, 0xFEFF, "byte order mark inside the text"),
)
"""Code points that an agent reads and a person does not see."""

_HIDDEN_PATTERN = re.compile(
    "[" + "".join(f"{chr(low)}-{chr(high)}" for low, high, _ in _HIDDEN) + "]"
)


@dataclass(frozen=True, slots=True)
class Skill:
    """One skill. *body* is the Markdown without front matter; *remarks* are for its author."""

    name: str
    description: str
    body: str
    path: Path
    fields: Mapping[str, Any]
    remarks: tuple[str, ...] = ()

    def as_document(self, *, body: bool = True) -> dict[str, Any]:
        """For ``--json``; without *body* a line for a catalogue of skills."""
        return {
            "name": self.name,
            "description": self.description,
            "path": str(self.path),
            "remarks": list(self.remarks),
            **({"body": self.body} if body else {}),
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What the author of one skill should know; a skill that is not *usable* cannot be loaded."""

    path: Path
    usable: bool
    remarks: tuple[str, ...]

    def as_document(self) -> dict[str, Any]:
        return {"path": str(self.path), "usable": self.usable, "remarks": list(self.remarks)}


def report(path: Path) -> Report:
    """Check the ``SKILL.md`` at *path*, or in the folder *path*; it never raises for a bad one."""
    file = path / "SKILL.md" if path.is_dir() else path
    try:
        return Report(file, True, read(file).remarks)
    except BadDocument as problem:
        return Report(file, False, (problem.message,))


def read(path: Path) -> Skill:
    """Load one ``SKILL.md``. Raises :class:`BadDocument` with the line that is wrong."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadDocument(str(path), f"is not UTF-8 (byte {problem.start})") from None
    except OSError as problem:
        raise BadDocument(str(path), problem.strerror or str(problem)) from None
    return parse(text, path)


def parse(text: str, path: Path) -> Skill:
    """Parse the text of a ``SKILL.md``; *path* names it in errors and resolves its links."""
    match = _FRONT_MATTER.match(text)
    if not match:
        raise BadDocument(
            str(path),
            "has no front matter",
            where="line 1",
            hint="begin the file with a block between two --- lines that has name and description",
        )
    fields = _front_matter(match["yaml"], path)
    for key in ("name", "description"):
        if not isinstance(fields.get(key), str) or not fields[key].strip():
            raise BadDocument(str(path), f"{key} is missing or empty", where="front matter")
    body = text[match.end() :].lstrip("\r\n")
    return Skill(
        fields["name"].strip(),
        " ".join(fields["description"].split()),
        body,
        path,
        MappingProxyType(fields),
        tuple(_remarks(fields, text, body, path)),
    )


def _front_matter(block: str, path: Path) -> dict[str, Any]:
    try:
        fields = yaml.safe_load(block)
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        line = f"line {mark.line + 2}" if mark else "front matter"
        raise BadDocument(
            str(path), getattr(problem, "problem", None) or "is not YAML", where=line
        ) from None
    if not isinstance(fields, dict):
        raise BadDocument(str(path), "the front matter is not a mapping", where="line 2")
    return {str(key): value for key, value in fields.items()}


def _remarks(fields: Mapping[str, Any], text: str, body: str, path: Path) -> Iterator[str]:
    name, description = fields["name"].strip(), fields["description"]
    if not _NAME.fullmatch(name) or len(name) > _NAME_LIMIT:
        yield f"name {name!r} is not 1 to {_NAME_LIMIT} of a-z, 0-9 and single hyphens"
    if len(description) > _DESCRIPTION_LIMIT:
        yield f"description has {len(description)} characters, more than {_DESCRIPTION_LIMIT}"
    for key in sorted(set(fields) - _STANDARD_KEYS):
        yield f"front matter key {key!r} is not part of the specification"
    for target in sorted({match["target"] for match in _LINK.finditer(body)}):
        if not (path.parent / target).exists():
            yield f"link to {target}, which is not beside the skill"
    yield from hidden_text(text)


def hidden_text(text: str) -> list[str]:
    """One remark for each character that hides from the reader: its line and code point."""
    found = []
    for hit in _HIDDEN_PATTERN.finditer(text):
        point = ord(hit[0])
        line = text.count("\n", 0, hit.start()) + 1
        what = next(what for low, high, what in _HIDDEN if low <= point <= high)
        found.append(f"line {line} has a hidden U+{point:04X} ({what})")
    return found
