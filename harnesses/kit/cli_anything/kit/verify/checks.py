"""The result of a verification: every check with what was wanted and what was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import VerificationFailed


@dataclass(frozen=True, slots=True)
class Check:
    """One property. *wanted* and *found* are JSON values or short text."""

    name: str
    ok: bool
    wanted: Any
    found: Any

    def __str__(self) -> str:
        return f"{self.name} is {self.found}, wanted {self.wanted}"

    def as_document(self) -> dict[str, Any]:
        return {"check": self.name, "ok": self.ok, "wanted": self.wanted, "found": self.found}


def same(name: str, wanted: Any, found: Any) -> Check:
    """Whether two values are equal."""
    return Check(name, wanted == found, wanted, found)


@dataclass(frozen=True, slots=True)
class Verification:
    """All checks of one artifact."""

    path: Path
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        return tuple(check for check in self.checks if not check.ok)

    def as_document(self) -> dict[str, Any]:
        return {
            "passed": self.passed,
            "checks": [check.as_document() for check in self.checks],
        }

    def require(self, *, name: str = "", hint: str = "") -> None:
        """Raise :class:`VerificationFailed`, naming what is off, unless every check passed.

        *name* is what to call the artifact when its path is only temporary.
        """
        if self.passed:
            return
        raise VerificationFailed(
            f"{name or self.path.name} is not what was asked for: "
            + "; ".join(map(str, self.failures)),
            hint=hint,
            details=self.as_document(),
        )


def verification(path: Path, checks: Iterable[Check]) -> Verification:
    """Spell a :class:`Verification` from any iterable."""
    return Verification(path, tuple(checks))
