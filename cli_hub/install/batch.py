"""Many harnesses at once: each has its own result, and the rest goes on when one fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from threading import Event
from typing import Any

from cli_hub.errors import HubError
from cli_hub.install.installed import Installed
from cli_hub.install.plan import Action
from cli_hub.values import dataclass

JOBS = 8


class Status(StrEnum):
    INSTALLED = "installed"
    UPDATED = "updated"
    REPAIRED = "repaired"
    PRESENT = "present"
    REMOVED = "removed"
    FAILED = "failed"
    SKIPPED = "skipped"
    """Not tried: an earlier one failed and ``--fail-fast`` was given."""


OF_ACTION = {
    Action.INSTALL: Status.INSTALLED,
    Action.UPDATE: Status.UPDATED,
    Action.REPAIR: Status.REPAIRED,
    Action.REINSTALL: Status.INSTALLED,
    Action.PRESENT: Status.PRESENT,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one item of a batch went: *installed* or *problem*, unless it was skipped."""

    request: str
    status: Status
    installed: Installed | None = None
    problem: HubError | None = None
    note: str = ""

    @property
    def name(self) -> str:
        return self.installed.name if self.installed else self.request

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"name": self.name, "status": self.status.value}
        if self.installed is not None:
            document |= self.installed.as_document()
        if self.note:
            document["note"] = self.note
        if self.problem is not None:
            document |= self.problem.as_document()
        return document


def for_each(
    requests: Sequence[str],
    work: Callable[[str], Outcome],
    *,
    fail_fast: bool = False,
    interrupt: Callable[[], None] = lambda: None,
) -> list[Outcome]:
    """Do *work* for all *requests* in parallel; results stand in the order of the requests.

    A :class:`HubError` becomes the item's outcome. With *fail_fast* what has not begun when one
    fails is skipped. *interrupt* is called on Ctrl-C and must bring what is being worked on to
    its end.
    """
    stop = Event()

    def one(request: str) -> Outcome:
        if stop.is_set():
            return Outcome(request, Status.SKIPPED)
        try:
            return work(request)
        except HubError as problem:
            if fail_fast:
                stop.set()
            return Outcome(request, Status.FAILED, problem=problem)

    unique = list(dict.fromkeys(requests))
    if len(unique) == 1:
        return [one(unique[0])]
    from concurrent.futures import ThreadPoolExecutor  # only many pay for its import

    jobs = 1 if fail_fast else min(JOBS, len(unique) or 1)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            return list(pool.map(one, unique))
        except BaseException:
            stop.set()
            interrupt()
            raise


def summary(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many ended in each status, only those that occurred."""
    counts: dict[str, int] = {}
    for outcome in outcomes:
        counts[outcome.status.value] = counts.get(outcome.status.value, 0) + 1
    return counts
