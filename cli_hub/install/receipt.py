"""The receipt a finished generation carries: enough to rebuild the ledger from the disk alone."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import Any, Self

from cli_hub.errors import BadDocument
from cli_hub.values import dataclass

FILE = "cli-hub-receipt.json"
SCHEMA = "cli-hub-receipt/1"


@dataclass(frozen=True, slots=True)
class Receipt:
    """What was installed, from where, and why; paths are relative to its generation.

    *requested* is the version the user asked for, *entry_version* what the registry said then,
    *strategy* the structured ``install`` that was carried out, *entry* the registry record.
    """

    name: str
    version: str
    source: str
    package: str
    strategy: Mapping[str, Any]
    scope: str
    entry_point: tuple[str, ...]
    scripts: tuple[str, ...]
    installed_at: str
    requested: str = ""
    entry_version: str = ""
    program: str = ""
    """Where the entry point is when it lies outside the generation."""
    source_digest: str = ""
    """What the folder of this machine held that it was built from."""
    entry: Mapping[str, Any] = field(default_factory=dict)

    def as_document(self) -> dict[str, Any]:
        return {"schema": SCHEMA, **asdict(self)}

    @classmethod
    def parse(cls, raw: object, where: str) -> Self:
        """Read one document; *where* names it. Raises :class:`BadDocument`."""
        if not isinstance(raw, Mapping) or raw.get("schema") != SCHEMA:
            raise BadDocument(where, f"is not a {SCHEMA} document")
        try:
            return cls(
                **{key: str(raw[key]) for key in ("name", "version", "source", "package", "scope")},
                strategy=dict(raw["strategy"]),
                entry_point=tuple(map(str, raw["entry_point"])),
                scripts=tuple(map(str, raw["scripts"])),
                installed_at=str(raw["installed_at"]),
                requested=str(raw.get("requested", "")),
                entry_version=str(raw.get("entry_version", "")),
                program=str(raw.get("program", "")),
                source_digest=str(raw.get("source_digest", "")),
                entry=dict(raw.get("entry", {})),
            )
        except (KeyError, TypeError, ValueError) as problem:
            raise BadDocument(where, f"{type(problem).__name__}: {problem}") from None


def read(generation: Path) -> Receipt | None:
    """The receipt in *generation*; ``None`` when it was never finished or is damaged."""
    path = generation / FILE
    try:
        return Receipt.parse(json.loads(path.read_bytes()), str(path))
    except (OSError, ValueError, BadDocument):
        return None


def write(generation: Path, receipt: Receipt) -> None:
    """Put *receipt* into *generation*, whole or not at all."""
    staged = generation / f"{FILE}.new"
    with staged.open("w", encoding="utf-8") as file:
        json.dump(receipt.as_document(), file, indent=1, ensure_ascii=False)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(generation / FILE)
