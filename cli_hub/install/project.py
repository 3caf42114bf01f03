"""``cli-hub.toml``: the harnesses a project needs.

[harnesses]
ffmpeg = "*"                                        # any version
zotero = ">=0.4"                                    # a PEP 440 range, or one version
sanity = { version = "1.2", source = "embedded" }
macrocli = { extras = ["visual"] }                  # optional parts of a Python package
"demo[visual]" = "*"                                # the same, as install takes it
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

from cli_hub.errors import BadDocument, NotFound, UsageError
from cli_hub.install.request import Request, parse_request

FILE = "cli-hub.toml"
_FIELDS = ("version", "source", "extras")


@dataclass(frozen=True, slots=True)
class Wanted:
    """One line of the table. *version* is empty for any, *source* for the first that has it."""

    name: str
    version: str = ""
    source: str = ""
    extras: tuple[str, ...] = ()
    """Sorted, each once."""

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
    found: dict[str, Wanted] = {}
    for key, value in table.items():
        wanted = _wanted(str(path), key, value)
        if wanted.name in found:
            raise BadDocument(str(path), f"asks for {wanted.name} a second time", where=_at(key))
        found[wanted.name] = wanted
    return tuple(found[name] for name in sorted(found))


def _wanted(file: str, key: str, value: object) -> Wanted:
    request = _key(file, key)
    fields = {"version": value} if isinstance(value, str) else value
    if not isinstance(fields, dict) or not set(fields) <= set(_FIELDS):
        raise BadDocument(
            file, "must be a version, or a table of version, source and extras", where=_at(key)
        )
    version, source = (fields.get(field, "") for field in ("version", "source"))
    if not isinstance(version, str) or not isinstance(source, str):
        raise BadDocument(file, "version and source must be text", where=_at(key))
    extras = {*request.extras, *_extras(file, key, fields.get("extras", []))}
    return Wanted(
        request.name, "" if version in ("*", "latest") else version, source, tuple(sorted(extras))
    )


def _key(file: str, key: str) -> Request:
    try:
        request = parse_request(key)
    except UsageError as problem:
        raise BadDocument(file, problem.message, where=_at(key)) from None
    if request.version or request.names_source:
        raise BadDocument(
            file,
            "must be a name",
            where=_at(key),
            hint=f'{request.bare} = {{ version = "…", source = "…" }} has the rest',
        )
    return request


def _extras(file: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(extra, str) for extra in value):
        raise BadDocument(file, "must be a list of texts", where=f"{_at(key)}.extras")
    return _key(file, f"{key.partition('[')[0]}[{','.join(value)}]").extras if value else ()


def _at(key: str) -> str:
    return f"harnesses.{key}"
