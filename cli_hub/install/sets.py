"""``export`` and ``import``: the set of installed harnesses as one small document.

``{"schema": "cli-hub-set/1", "harnesses": [{"name", "source", "version", "pinned",
"extras"}]}``
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_hub.errors import BadDocument
from cli_hub.install.installed import Installed

SCHEMA = "cli-hub-set/1"


@dataclass(frozen=True, slots=True)
class Member:
    """One harness of a set. *version* is what it had where the set was made."""

    name: str
    source: str
    version: str
    pinned: bool = False
    extras: tuple[str, ...] = ()

    def request(self, sources: Collection[str] = ()) -> str:
        """What ``install`` is asked for: of its own source where that is among *sources*.

        Only a pinned harness insists on its version.
        """
        address = f"{self.source}/{self.name}" if self.source in sources else self.name
        if self.extras:
            address = f"{address}[{','.join(self.extras)}]"
        return f"{address}=={self.version}" if self.pinned else address


def export(installed: Iterable[Installed]) -> dict[str, Any]:
    """The document that :func:`read` takes."""
    return {
        "schema": SCHEMA,
        "harnesses": [
            {
                "name": each.name,
                "source": each.source,
                "version": each.version,
                "pinned": each.pinned,
                "extras": sorted(each.receipt.strategy.get("extras", ())),
            }
            for each in sorted(installed, key=lambda each: each.name)
        ],
    }


def read(path: Path) -> list[Member]:
    """The members of the set in *path*. Raises :class:`BadDocument`."""
    where = str(path)
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadDocument(where, str(problem)) from None
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        raise BadDocument(where, f"is not a {SCHEMA} document", hint="cli-hub export makes one")
    members = []
    for number, row in enumerate(document.get("harnesses", [])):
        try:
            members.append(
                Member(
                    str(row["name"]),
                    str(row.get("source", "")),
                    str(row.get("version", "")),
                    bool(row.get("pinned", False)),
                    tuple(str(extra) for extra in row.get("extras", ())),
                )
            )
        except (KeyError, TypeError, AttributeError) as problem:
            raise BadDocument(where, repr(problem), where=f"harnesses[{number}]") from None
    return members
