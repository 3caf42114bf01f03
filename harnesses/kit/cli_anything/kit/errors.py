"""Failures of a harness: a stable code, an exit code and the next step.

The exit codes are those of the whole product: 0 done, 1 failed, 2 wrong usage, 3 not found or a
capability gap, 4 locked or in conflict, 5 the application or a requirement is missing, 6 consent
needed, 7 integrity, 8 network needed, 124 timed out, 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class HarnessError(Exception):
    """Base of all expected failures. *details* must be JSON-serialisable."""

    code: ClassVar[str] = "failed"
    exit_code: ClassVar[int] = 1

    def __init__(
        self, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.details: dict[str, Any] = dict(details or {})

    def as_dict(self) -> dict[str, Any]:
        """``{code, message, hint, details}``, the inside of an error document."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "details": self.details,
        }


class UsageError(HarnessError):
    """The command line, or a value given on it, is wrong."""

    code = "usage"
    exit_code = 2


class NotFound(HarnessError):
    """Nothing has that name; *nearest* are the names that come closest."""

    code = "not_found"
    exit_code = 3

    def __init__(self, message: str, *, nearest: Sequence[str] = (), hint: str = "") -> None:
        if nearest and not hint:
            hint = f"did you mean {', '.join(nearest)}?"
        super().__init__(message, hint=hint, details={"nearest": list(nearest)})


class Conflict(HarnessError):
    """Something is already there, or the state does not allow the step."""

    code = "conflict"
    exit_code = 4


class Locked(Conflict):
    """Another process holds the lock and did not let go in time."""

    code = "locked"


class BadProject(HarnessError):
    """A project or another input file is not what its format promises."""

    code = "bad_document"


class ApplicationMissing(HarnessError):
    """The application the harness drives, or a program it needs, is not here or too old."""

    code = "application_missing"
    exit_code = 5


class ConsentNeeded(HarnessError):
    """The step is dangerous and nobody has agreed to it."""

    code = "consent_needed"
    exit_code = 6


class VerificationFailed(HarnessError):
    """An artifact was made, and is not what was asked for; *details* hold every check."""

    code = "verification_failed"


class ApplicationFailed(HarnessError):
    """The application ended badly; the message carries the end of what it said."""

    code = "application_failed"


class TimedOut(HarnessError):
    """The process was ended, with all its children, because its time was up."""

    code = "timed_out"
    exit_code = 124


class Interrupted(HarnessError):
    """The user pressed Ctrl-C, or the harness was asked to end."""

    code = "interrupted"
    exit_code = 130
