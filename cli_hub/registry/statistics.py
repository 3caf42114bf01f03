"""Counting a catalogue, as the tables published about such catalogues have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from cli_hub.registry.entry import Entry
from cli_hub.registry.vocabulary import Kind
from cli_hub.strategies import Uninstallable
from cli_hub.values import dataclass

NO_STRATEGY = "none"


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers of entries. *by_category* maps a category to its count for each kind."""

    entries: int
    by_kind: dict[str, int]
    by_category: dict[str, dict[str, int]]
    by_strategy: dict[str, int]
    with_skill: int
    with_previews: int
    with_macros: int
    verified: int
    with_capabilities: int

    def as_document(self) -> dict[str, Any]:
        return {
            "entries": self.entries,
            "categories": len(self.by_category),
            "by_kind": self.by_kind,
            "by_category": [
                {"category": category, **counts, "total": sum(counts.values())}
                for category, counts in self.by_category.items()
            ],
            "by_strategy": self.by_strategy,
            "with_skill": self.with_skill,
            "with_previews": self.with_previews,
            "with_macros": self.with_macros,
            "with_capabilities": self.with_capabilities,
            "verified": self.verified,
        }

    def as_markdown(self, *, top: int = 10) -> str:
        """Two tables: the whole, and the *top* categories split by kind."""
        kinds = list(self.by_kind)
        whole = [
            ("Entries", self.entries),
            *((f"Entries: {kind}", count) for kind, count in self.by_kind.items()),
            ("Categories", len(self.by_category)),
            *((f"Strategy: {name}", count) for name, count in self.by_strategy.items()),
            ("With a skill", self.with_skill),
            ("Preview-capable", self.with_previews),
            ("With macros", self.with_macros),
            ("Verified", self.verified),
        ]
        lines = ["| What | Count |", "|---|---:|"]
        lines += [f"| {name} | {count} |" for name, count in whole]
        heads = " | ".join(kind.capitalize() for kind in kinds)
        lines += ["", f"| Category | {heads} | Total |", f"|---|{'---:|' * (len(kinds) + 1)}"]
        for category, counts in list(self.by_category.items())[:top]:
            cells = " | ".join(str(counts[kind]) for kind in kinds)
            lines.append(f"| {category} | {cells} | {sum(counts.values())} |")
        return "\n".join(lines) + "\n"


def count(entries: Sequence[Entry]) -> Statistics:
    """Count *entries*. Categories and strategies stand by size, then by name."""
    kinds = [kind.value for kind in Kind]
    split: Counter[tuple[str, str]] = Counter(
        (entry.category, entry.kind.value) for entry in entries
    )
    sizes = Counter(entry.category for entry in entries)
    return Statistics(
        entries=len(entries),
        by_kind={kind: sum(entry.kind == kind for entry in entries) for kind in kinds},
        by_category={
            category: {kind: split[category, kind] for kind in kinds}
            for category in _by_size(sizes)
        },
        by_strategy=_by_size(Counter(map(_strategy, entries))),
        with_skill=sum(bool(entry.skill_md) for entry in entries),
        with_previews=sum(bool(entry.recipes) for entry in entries),
        with_macros=sum(entry.macros for entry in entries),
        verified=sum(bool(entry.verified and entry.verified.entry_point) for entry in entries),
        with_capabilities=sum(bool(entry.capabilities) for entry in entries),
    )


def _strategy(entry: Entry) -> str:
    install = entry.install
    return NO_STRATEGY if isinstance(install, Uninstallable) else install.kind.value


def _by_size(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
