"""A condition as the macro states it, and what was found when it was checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from cli_anything.macrocli.fields import Arguments, Field
from cli_anything.macrocli.problems import Place
from cli_anything.macrocli.substitution import Reference


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class World:
    """What checks may look at besides the file system."""

    environment: Mapping[str, str]
    started_at: float
    """When the run began, in seconds since the epoch."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a condition holds, and what was seen, in words that complete ``because …``."""

    met: bool
    reason: str


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class ConditionKind:
    """One word of the vocabulary. A bare value or a list fills *fields* in their order."""

    name: str
    fields: tuple[Field, ...]
    check: Callable[[Mapping[str, Any], World], Verdict]
    description: str


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Check:
    """``kind: arguments``."""

    kind: ConditionKind
    arguments: Arguments
    place: Place
    text: str


class Junction(Enum):
    """How several conditions make one."""

    ANY = "any"
    ALL = "all"
    NOT = "not"


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Group:
    """``any``, ``all`` or ``not`` of other conditions; ``not`` has one part."""

    junction: Junction
    parts: tuple[Condition, ...]
    place: Place
    text: str


Condition: TypeAlias = Check | Group


def condition_references(condition: Condition) -> Iterator[Reference]:
    """Every placeholder a condition holds."""
    if isinstance(condition, Check):
        yield from condition.arguments.references()
        return
    for part in condition.parts:
        yield from condition_references(part)
