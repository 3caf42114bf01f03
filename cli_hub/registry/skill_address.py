"""Where an entry's skill text is: a file, an address, or a command that would fetch it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from urllib.parse import urljoin

from cli_hub.registry.sources import Source, SourceKind


class SkillKind(StrEnum):
    NONE = "none"
    FILE = "file"
    URL = "url"
    COMMAND = "command"
    """Shown to people; the hub never runs it."""


@dataclass(frozen=True, slots=True)
class SkillAddress:
    kind: SkillKind
    address: str = ""


def skill_address(text: str, source: Source | None) -> SkillAddress:
    """What *text* (an entry's ``skill_md``) means in a registry that came from *source*.

    An absolute address is left alone, anything with spaces is a command, and a path is joined to
    where the registry file is.
    """
    text = text.strip()
    if not text:
        return SkillAddress(SkillKind.NONE)
    if "://" in text:
        return SkillAddress(SkillKind.URL, text)
    if any(char.isspace() for char in text):
        return SkillAddress(SkillKind.COMMAND, text)
    if source is not None and source.kind is SourceKind.URL:
        return SkillAddress(SkillKind.URL, urljoin(source.location, text))
    if source is not None and source.kind is SourceKind.FILE:
        return SkillAddress(SkillKind.FILE, str(Path(source.location).parent / text))
    return SkillAddress(SkillKind.FILE, text)
