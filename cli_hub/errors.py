"""Every failure the hub knows: a stable code, an exit code and the next step.

Raise where most is known; ``cli.main`` catches once. Anything that is not a
:class:`HubError` is a bug of ours and is left to show its traceback.

Exit codes are one table for the whole product (also in the README):

==== =======================================================
0    done
1    the operation failed
2    wrong usage
3    not found, or a capability gap
4    locked, or in conflict with what is there
5    the application or a requirement is missing
6    consent is needed, or a policy forbids
7    integrity: a hash or signature does not match
8    the network is needed and nothing is cached
124  timed out
130  interrupted
==== =======================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class HubError(Exception):
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

    def as_document(self) -> dict[str, Any]:
        """The ``{"error": {...}}`` document printed by ``--json``."""
        return {
            "error": {
                "code": self.code,
                "message": self.message,
                "hint": self.hint,
                "details": self.details,
            }
        }


class UsageError(HubError):
    """The command line, or a value given on it, is wrong."""

    code = "usage"
    exit_code = 2


class NotFound(HubError):
    """Nothing has that name; *nearest* are the names that come closest."""

    code = "not_found"
    exit_code = 3

    def __init__(
        self, message: str, *, nearest: Sequence[str] = (), hint: str = "", **details: Any
    ) -> None:
        if nearest and not hint:
            hint = f"did you mean {', '.join(nearest)}?"
        super().__init__(message, hint=hint, details={"nearest": list(nearest), **details})


class NotInstalled(NotFound):
    """The entry is known but no harness of that name is installed."""

    code = "not_installed"


class CapabilityGap(HubError):
    """Nothing known can do what was asked."""

    code = "capability_gap"
    exit_code = 3


class Conflict(HubError):
    """Something else already holds the name, the file or the place."""

    code = "conflict"
    exit_code = 4


class Locked(Conflict):
    """Another process holds the lock and did not let go in time."""

    code = "locked"


class RequirementMissing(HubError):
    """The application, an installer or a setting that is needed is not here."""

    code = "requirement_missing"
    exit_code = 5


class ToolMissing(RequirementMissing):
    """The installer an entry needs is not on PATH."""

    code = "tool_missing"

    def __init__(self, tool: str, *, wanted_by: str, hint: str = "") -> None:
        super().__init__(
            f"{wanted_by} needs {tool}, which is not on PATH",
            hint=hint or f"install {tool}, then run this again",
            details={"tool": tool, "wanted_by": wanted_by},
        )


class ConsentNeeded(HubError):
    """The step runs foreign code and nobody has agreed to it yet."""

    code = "consent_needed"
    exit_code = 6


class PolicyForbids(HubError):
    """The configuration, or the entry itself, rules the operation out."""

    code = "policy_forbids"
    exit_code = 6


class IntegrityError(HubError):
    """A hash or signature does not match what was pinned."""

    code = "integrity"
    exit_code = 7


class Offline(HubError):
    """The network is needed, cannot be reached, and nothing is cached."""

    code = "offline"
    exit_code = 8


class CommandFailed(HubError):
    """A process the hub started ended badly; *output* is the end of what it said."""

    code = "command_failed"

    def __init__(
        self, command: str, *, exit_code: int, output: str, hint: str = "", log: str = ""
    ) -> None:
        tail = output.strip()
        message = f"{command} exited with {exit_code}" + (f"\n{tail}" if tail else "")
        super().__init__(
            message,
            hint=hint or (f"the whole output is in {log}" if log else ""),
            details={"command": command, "exit_code": exit_code, "output": tail, "log": log},
        )


class TimedOut(HubError):
    """The process was ended, with all its children, because its time was up."""

    code = "timed_out"
    exit_code = 124


class BadDocument(HubError):
    """A file is not what its format promises; *where* points into it."""

    code = "bad_document"

    def __init__(self, source: str, problem: str, *, where: str = "", hint: str = "") -> None:
        place = f"{source}: {where}" if where else source
        super().__init__(
            f"{place}: {problem}",
            hint=hint,
            details={"source": source, "where": where, "problem": problem},
        )


class InvalidEntry(HubError):
    """An entry that was to be written has faults; *problems* name field and fault."""

    code = "invalid_entry"

    def __init__(self, name: str, problems: Sequence[str]) -> None:
        super().__init__(
            f"{name} was not written: " + "; ".join(problems),
            hint="cli-hub schema entry says what an entry may have",
            details={"entry": name, "problems": list(problems)},
        )


class UnknownProtocol(HubError):
    """A document follows a version of its format that this hub does not know."""

    code = "unknown_protocol"

    def __init__(self, source: str, *, wanted: str, found: str) -> None:
        super().__init__(
            f"{source}: the protocol is {found!r}, this hub reads {wanted}",
            hint="update cli-hub, or publish again with a current harness",
            details={"source": source, "wanted": wanted, "found": found},
        )


class Interrupted(HubError):
    """The user pressed Ctrl-C, or the hub was asked to end."""

    code = "interrupted"
    exit_code = 130
