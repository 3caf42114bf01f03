"""Starts the programs of a macro through the kit, and says what kept them from starting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from cli_anything.kit import processes
from cli_anything.kit.errors import ApplicationMissing, HarnessError, Interrupted
from cli_anything.macrocli.backends.base import ProgramMissing, StepFailed


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None,
    stop: processes.Stop | None = None,
) -> processes.Completed:
    """Run a program to its end; when its time is up its whole tree is ended.

    *env* is set on top of this process's own environment. *stop* ends it early, as
    :class:`Interrupted`.
    """
    command = processes.Command(tuple(argv), cwd, tuple((env or {}).items()))
    try:
        return processes.run(command, timeout=timeout, stop=stop)
    except Interrupted:
        raise
    except HarnessError as problem:
        raise _not_started(problem) from None


def _not_started(problem: HarnessError) -> StepFailed:
    kind = ProgramMissing if isinstance(problem, ApplicationMissing) else StepFailed
    return kind(problem.message, hint=problem.hint)


def start(
    argv: Sequence[str],
    *,
    cwd: Path | None,
    env: Mapping[str, str],
    log: Path | None,
    settle: float,
) -> int:
    """Start a program that outlives the run and give its process id.

    It must still live after *settle* seconds, or have ended well. Its output goes to *log*.
    """
    command = processes.Command(tuple(argv), cwd, tuple(env.items()))
    try:
        return processes.start_detached(command, log=log, settle=settle)
    except HarnessError as problem:
        raise _not_started(problem) from None
