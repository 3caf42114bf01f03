"""``cli-hub.toml``: the harnesses a project needs.

[harnesses]
ffmpeg = "*"                                        # any version
zotero = ">=0.4"                                    # a PEP 440 range, or one version
sanity = { version = "1.2", source = "embedded" }
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from cli_hub.errors import BadDocument, NotFound

FILE = "cli-hub.toml"


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of the table. *version* is empty for any, *source* for the first that has it."""

    name: str
    version: str = ""
    source: str = ""

    @property
    def address(self) -> str:
        return f"{self.source}/{self.name}" if self.source else self.name


def read(folder: Path) -> tuple[Wanted, ...]:
    """What the project in *folder* needs, by name.

    Raises :class:`NotFound` without a ``cli-hub.toml``, :class:`BadDocument` for a wrong one.
    """
    path = folder / FILE
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(
            f"there is no {FILE} in {folder}",
            hint=f'write one: [harnesses] and a line such as ffmpeg = "*" in {path}',
        ) from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as problem:
        raise BadDocument(str(path), str(problem)) from None
    table = document.get("harnesses")
    if not isinstance(table, dict):
        raise BadDocument(str(path), "must be a table", where="harnesses")
    return tuple(_wanted(str(path), name, value) for name, value in sorted(table.items()))


def _wanted(file: str, name: str, value: object) -> Wanted:
    where = f"harnesses.{name}"
    fields = {"version": value} if isinstance(value, str) else value
    if not isinstance(fields, dict) or not set(fields) <= {"version", "source"}:
        raise BadDocument(file, "must be a version, or a table of version and source", where=where)
    if not all(isinstance(each, str) for each in fields.values()):
        raise BadDocument(file, "version and source must be text", where=where)
    version = fields.get("version", "")
    return Wanted(name, "" if version in ("*", "latest") else version, fields.get("source", ""))
