"""Checks macro files and gathers what is wrong with any of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli_anything.macrocli.library import Library
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.problems import BadMacro
from cli_anything.macrocli.read_macro import load_macro


@dataclass(slots=True)
class Validation:
    """One verdict a file. The exit code is 3 when only gaps are wrong, 2 for anything else."""

    verdicts: list[dict[str, Any]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def exit_code(self) -> int:
        return 0 if not self.codes else (2 if 2 in self.codes else self.codes[0])

    def as_document(self) -> dict[str, Any]:
        return {
            "valid": not self.codes,
            "checked": len(self.verdicts),
            "macros": self.verdicts,
            "warnings": self.warnings,
        }

    def add(self, name: str, path: Path) -> None:
        """Check the file at *path*."""
        verdict: dict[str, Any] = {
            "name": name,
            "file": str(path),
            "valid": True,
            "problems": [],
            "warnings": [],
        }
        try:
            macro: Macro = load_macro(path)
        except BadMacro as problem:
            verdict |= {"valid": False, "problems": problem.details["problems"]}
            self.codes.append(problem.exit_code)
        else:
            verdict["name"] = macro.name
            verdict["warnings"] = [warning.as_document() for warning in macro.warnings]
        self.verdicts.append(verdict)


def validate(library: Library, names: Sequence[str], files: Sequence[Path]) -> Validation:
    """Check the named macros and files, or everything in *library* when none is named."""
    report = Validation()
    for file in files:
        report.add(file.stem, file)
    for name in names:
        found = library.find(name)
        report.add(found.name, found.path)
    if not names and not files:
        for found in library.definitions():
            report.add(found.name, found.path)
        for name, clashing in library.clashes().items():
            report.codes.append(4)
            listed = " and ".join(str(one.path) for one in clashing)
            report.warnings.append(f"{len(clashing)} macros are called {name!r}: {listed}")
        report.warnings += library.warnings
    return report
