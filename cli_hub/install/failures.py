"""What an installer's own words mean: which of our errors a failed command is."""

from __future__ import annotations

import errno
import re
from pathlib import Path
from typing import TYPE_CHECKING

from cli_hub.errors import CommandFailed, HubError, IntegrityError, Offline, TimedOut

if TYPE_CHECKING:
    from cli_hub.process import Completed

_NETWORK = (
    r"error sending request|tcp connect error|dns error|failed to lookup address|Could not connect"
    r"|network was disabled|network is unreachable|Connection (refused|reset|timed out)"
    r"|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENOTCACHED|Could not resolve host"
    r"|operation timed out|getaddrinfo"
)  # patterns that are compiled once something failed
_UNKNOWN = r"\bcode E404\b|was not found in the package registry"
_HASH = r"hash mismatch|EINTEGRITY|checksum mismatch"
_FULL = r"No space left on device|ENOSPC|os error 28\b"
_DENIED = r"Permission denied|Read-only file system|EACCES|EROFS"


def is_network(done: Completed) -> bool:
    """Whether it failed because something could not be reached."""
    return not done.ok and bool(re.search(_NETWORK, done.output, re.IGNORECASE))


def is_unknown(done: Completed) -> bool:
    """Whether it failed because the index has no package of that name."""
    return not done.ok and bool(re.search(_UNKNOWN, done.output))


def explain(done: Completed, *, name: str, log: Path) -> HubError:
    """The error for a command that failed while installing *name*."""
    tail = done.tail()
    details = {"command": str(done.command), "exit_code": done.exit_code, "log": str(log)}
    if done.timed_out:
        return TimedOut(
            f"installing {name} took more than {done.seconds:.0f} s and was ended\n{tail}".strip(),
            hint="give it more time with --timeout SECONDS",
            details=details,
        )
    if re.search(_HASH, done.output, re.IGNORECASE):
        return IntegrityError(
            f"what was fetched for {name} is not what was pinned\n{tail}",
            hint="do not use it; tell the maintainer of the entry",
            details=details,
        )
    if re.search(_FULL, done.output):
        return out_of_room(tail)
    if is_network(done):
        return Offline(
            f"{name} needs the network, which cannot be reached, and is not cached: {_cause(done)}",
            hint="check the network, the index and the proxy settings, then run this again",
            details=details | {"output": tail},
        )
    if re.search(_DENIED, done.output):
        return HubError(
            f"installing {name} was denied a file\n{tail}",
            hint="check who may write there; CLI_HUB_HOME moves everything the hub writes",
            details=details,
        )
    return CommandFailed(str(done.command), exit_code=done.exit_code, output=tail, log=str(log))


def _cause(done: Completed) -> str:
    """The last thing an installer says about the network: uv ends with the innermost cause."""
    said = [line.strip() for line in done.output.splitlines()]
    causes = [line.removeprefix("cause:").strip() for line in said if line.startswith("cause:")]
    return (causes or [line for line in said if re.search(_NETWORK, line, re.IGNORECASE)])[-1]


def storage_problem(problem: OSError, home: Path) -> HubError:
    """The error for a file of our own that could not be written or read."""
    where = problem.filename or home
    if problem.errno == errno.ENOSPC:
        return out_of_room(str(where))
    return HubError(
        f"{where} cannot be used: {problem.strerror or problem}",
        hint="check who may write there; CLI_HUB_HOME moves everything the hub writes",
        details={"path": str(where)},
    )


def out_of_room(about: str) -> HubError:
    """*about* is the file that had no room, or what the installer said of it in its own lines."""
    return HubError(
        "the disk is full" + ("\n" if "\n" in about else ": ") + about,
        hint="make room, or move everything with CLI_HUB_HOME; cli-hub gc removes what is not used",
    )
