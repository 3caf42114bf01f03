"""One record of a registry, parsed once.

The format is the one of the registries the CLI-Anything project publishes (``name``,
``display_name``, ``version``, ``description``, ``category``, ``requires``, ``install_cmd``,
``entry_point``, ``skill_md`` …) plus the structured fields ``install``, ``needs``,
``capabilities``, ``platforms``, ``previews``, ``macros``, ``verified``, ``aliases`` and
``renamed_to``. ``schemas/entry.schema.json`` has it whole. Unknown fields are kept.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from cli_hub.registry import fields
from cli_hub.registry.fields import BadField
from cli_hub.registry.need import Need
from cli_hub.registry.vocabulary import STRATEGIES, Kind, Platform
from cli_hub.values import dataclass

if TYPE_CHECKING:
    from cli_hub.strategies.model import Strategy, Uninstallable

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}", re.ASCII)
"""What a name may be: it becomes a directory, so no separators and no leading dot."""

_QUOTED = frozenset("'\"\\#")
KNOWN = frozenset(
    {
        *("name", "display_name", "version", "description", "category", "kind", "aliases"),
        *("requires", "needs", "platforms", "homepage", "source_url", "docs_url", "contributors"),
        *("install", "install_cmd", "entry_point", "skill_md", "capabilities", "previews"),
        *("macros", "verified", "renamed_to"),
    }
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What a real installation proved: the *version*, the day, and that its command starts."""

    version: str
    on: str
    entry_point: bool
    platform: str = ""
    seconds: float = 0.0
    size: int = 0
    reason: str = ""
    """Why it could not be proven; empty when it was."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A registry entry. *raw* is the record as published; nothing of it is lost."""

    name: str
    display_name: str
    version: str
    description: str
    category: str
    requires: str
    homepage: str
    source_url: str
    docs_url: str
    install_cmd: str
    entry_point: tuple[str, ...]
    skill_md: str
    needs: tuple[Need, ...]
    capabilities: tuple[str, ...]
    platforms: tuple[Platform, ...]
    """Where it works; empty when the entry does not say."""
    recipes: tuple[str, ...]
    """Preview recipes, from ``previews.recipes``."""
    macros: bool
    verified: Verified | None
    kind: Kind
    source: str
    """Name of the source it came from; ``source/name`` addresses exactly this entry."""
    aliases: tuple[str, ...]
    renamed_to: str
    base: Path | None
    """The folder that relative paths of the entry start from: that of its registry file."""
    raw: Mapping[str, Any] = field(hash=False, repr=False)

    @classmethod
    def parse(
        cls, raw: Any, *, source: str = "", kind: Kind | None = None, base: Path | None = None
    ) -> Self:
        """Read one record. Raises :class:`BadField` naming the field that is wrong.

        *kind* is what the registry's ``meta.kind`` says; the entry's own ``kind`` wins, and
        without either an entry with a ``package_manager`` is a public one.
        """
        record = fields.mapping(raw, "entry")
        name = fields.required_text(record, "name")
        if not NAME.fullmatch(name) or ".." in name:
            raise BadField("name", f"{name!r} may have only letters, digits and . _ + -")
        _check_install(record)
        return cls(
            name=name,
            display_name=fields.text(record, "display_name") or name,
            version=fields.text(record, "version") or "latest",
            description=fields.required_text(record, "description"),
            category=fields.required_text(record, "category"),
            requires=fields.text(record, "requires"),
            homepage=fields.text(record, "homepage"),
            source_url=fields.text(record, "source_url"),
            docs_url=fields.text(record, "docs_url"),
            install_cmd=fields.text(record, "install_cmd"),
            entry_point=_entry_point(record),
            skill_md=fields.text(record, "skill_md"),
            needs=_needs(record),
            capabilities=fields.words(record, "capabilities"),
            platforms=_platforms(record),
            recipes=_recipes(record),
            macros=fields.flag(record, "macros"),
            verified=_verified(record),
            kind=_kind(record, kind),
            source=source,
            aliases=fields.words(record, "aliases"),
            renamed_to=fields.text(record, "renamed_to"),
            base=base,
            raw=record,
        )

    @property
    def install(self) -> Strategy | Uninstallable:
        """How it installs, or why it cannot be: parsed on demand, most readers never ask."""
        from cli_hub.strategies import parse_install

        return parse_install(self.raw, base=self.base)

    @property
    def extra(self) -> Mapping[str, Any]:
        """The fields that are not known here."""
        return {key: value for key, value in self.raw.items() if key not in KNOWN}

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its aliases."""
        return (self.name, *self.aliases)

    @property
    def address(self) -> str:
        """``source/name``, which names this entry and no other."""
        return f"{self.source}/{self.name}"


def _needs(record: Mapping[str, Any]) -> tuple[Need, ...]:
    value = record.get("needs")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadField("needs", "must be a list")
    return tuple(Need.parse(need, f"needs[{number}]") for number, need in enumerate(value))


def _entry_point(record: Mapping[str, Any]) -> tuple[str, ...]:
    value = record.get("entry_point")
    if isinstance(value, str):
        try:
            plain = _QUOTED.isdisjoint(value)
            argv = tuple(value.split() if plain else shlex.split(value))
        except ValueError as problem:
            raise BadField("entry_point", f"{value!r} cannot be split: {problem}") from None
    else:
        argv = fields.words(record, "entry_point")
    if argv and ("/" in argv[0] or "\\" in argv[0] or argv[0].startswith((".", "-"))):
        raise BadField("entry_point", f"{argv[0]!r} must be the bare name of a command")
    return argv


def _check_install(record: Mapping[str, Any]) -> None:
    if record.get("install") is None:
        return
    install = fields.mapping(record["install"], "install")
    if install.get("strategy") not in STRATEGIES:
        raise BadField(
            "install.strategy", f"{install.get('strategy')!r} is not one of {', '.join(STRATEGIES)}"
        )


def _platforms(record: Mapping[str, Any]) -> tuple[Platform, ...]:
    try:
        return tuple(map(Platform, fields.words(record, "platforms")))
    except ValueError as problem:
        raise BadField("platforms", f"{problem}: one of {', '.join(Platform)}") from None


def _recipes(record: Mapping[str, Any]) -> tuple[str, ...]:
    if record.get("previews") is None:
        return ()
    return fields.words(fields.mapping(record["previews"], "previews"), "recipes", "previews")


def _verified(record: Mapping[str, Any]) -> Verified | None:
    if record.get("verified") is None:
        return None
    proof = fields.mapping(record["verified"], "verified")
    return Verified(
        version=fields.text(proof, "version", "verified"),
        on=fields.text(proof, "on", "verified"),
        entry_point=fields.flag(proof, "entry_point", "verified"),
        platform=fields.text(proof, "platform", "verified"),
        seconds=fields.number(proof, "seconds", "verified"),
        size=int(fields.number(proof, "size", "verified")),
        reason=fields.text(proof, "reason", "verified"),
    )


def _kind(record: Mapping[str, Any], of_registry: Kind | None) -> Kind:
    value = fields.text(record, "kind")
    if value:
        try:
            return Kind(value)
        except ValueError:
            raise BadField("kind", f"{value!r} is not one of {', '.join(Kind)}") from None
    return of_registry or (Kind.PUBLIC if "package_manager" in record else Kind.HARNESS)
