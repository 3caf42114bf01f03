"""What an entry needs beside its own package, parsed from ``needs``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Self

from cli_hub.registry.fields import BadField, flag, mapping, text, text_map, words
from cli_hub.registry.vocabulary import NeedKind
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Need:
    """One requirement. *hints* say how to get it: installer name → package or arguments."""

    kind: NeedKind
    name: str
    version: str = ""
    """A PEP 440 style range such as ``>=3.4``; empty when any will do."""
    probe: tuple[str, ...] = ()
    """The argv whose output shows the version; its first word is the program."""
    any_of: tuple[str, ...] = ()
    """Other program names that serve as well (``soffice`` for ``libreoffice``)."""
    url: str = ""
    hints: Mapping[str, str] = field(default_factory=dict, hash=False)
    optional: bool = False
    """True when only some commands of the harness need it."""
    note: str = ""

    @classmethod
    def parse(cls, raw: Any, where: str) -> Self:
        """Read one member of ``needs``. Raises :class:`BadField` naming the field."""
        record = mapping(raw, where)
        try:
            kind = NeedKind(record.get("kind", ""))
        except ValueError:
            raise BadField(
                f"{where}.kind", f"{record.get('kind')!r} is not one of {', '.join(NeedKind)}"
            ) from None
        url = text(record, "url", where)
        name = text(record, "name", where) or url
        if not name:
            raise BadField(f"{where}.name", "is missing")
        return cls(
            kind=kind,
            name=name,
            version=text(record, "version", where),
            probe=words(record, "probe", where),
            any_of=words(record, "any_of", where),
            url=url,
            hints=text_map(record, "hints", where),
            optional=flag(record, "optional", where),
            note=text(record, "note", where),
        )

    @property
    def programs(self) -> tuple[str, ...]:
        """The names to look for on PATH, best first."""
        return (self.name, *self.any_of)

    def __str__(self) -> str:
        return f"{self.name} {self.version}".rstrip()
