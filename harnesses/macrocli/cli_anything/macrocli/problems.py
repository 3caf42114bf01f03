"""What is wrong with a macro file: all of it at once, with places and what would be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cli_anything.kit.errors import HarnessError


class Place(NamedTuple):
    """A position in a file; both numbers count from 1."""

    line: int
    column: int


class Problem(NamedTuple):
    """One fault. *gap* marks a word that may be right elsewhere but that nothing here knows."""

    place: Place
    message: str
    path: str = ""
    found: str = ""
    expected: str = ""
    hint: str = ""
    gap: bool = False

    def as_document(self) -> dict[str, Any]:
        return {
            "line": self.place.line,
            "column": self.place.column,
            "path": self.path,
            "message": self.message,
            "found": self.found,
            "expected": self.expected,
            "hint": self.hint,
        }

    def line(self, source: str) -> str:
        """The way compilers say it, so that editors can jump there."""
        where = f" ({self.path})" if self.path else ""
        text = f"{source}:{self.place.line}:{self.place.column}: {self.message}{where}"
        if self.expected:
            text += f"; expected {self.expected}"
        if self.hint:
            text += f"; {self.hint}"
        return text


class BadMacro(HarnessError):
    """A macro file that cannot be run as it is; *problems* is the whole list."""

    code = "bad_macro"
    exit_code = 2

    def __init__(self, source: str, problems: Sequence[Problem]) -> None:
        self.source = source
        self.problems = tuple(sorted(problems, key=lambda p: (p.place.line, p.place.column)))
        super().__init__(
            "\n".join(problem.line(source) for problem in self.problems),
            hint=self._first_hint(),
            details={
                "file": source,
                "problems": [problem.as_document() for problem in self.problems],
            },
        )

    def _first_hint(self) -> str:
        hints = [problem.hint for problem in self.problems if problem.hint]
        return (
            hints[0] if hints else "cli-anything-macrocli macro validate --help says what is legal"
        )


class UnknownInMacro(BadMacro):
    """The file is well formed but asks for an action, a backend or a condition nobody has."""

    code = "capability_gap"
    exit_code = 3


def refuse(source: str, problems: Sequence[Problem]) -> None:
    """Raise for *problems*, if there are any, with the error that fits them."""
    if problems:
        kind = UnknownInMacro if all(problem.gap for problem in problems) else BadMacro
        raise kind(source, problems)


def suggestion(word: str, legal: Iterable[str]) -> str:
    """``did you mean 'x'?`` or nothing."""
    from difflib import get_close_matches  # only somebody who mistyped pays for it

    near = get_close_matches(word, list(legal), n=1, cutoff=0.6)
    return f"did you mean {near[0]!r}?" if near else ""


def listed(words: Iterable[str]) -> str:
    """Legal values for a message: ``a, b or c``."""
    words = list(words)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"
