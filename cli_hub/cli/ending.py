"""Every way a command can end, turned into output and an exit code: the same for every way in."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from cli_hub.cli.surface import OutputLost, Surface
from cli_hub.errors import HubError, Interrupted


def carry_out(surface: Surface, act: Callable[[], int]) -> int:
    """Run *act*, say what went wrong if it does, and return the program's exit code."""
    signal.signal(signal.SIGTERM, _end_politely)
    code = 0
    try:
        try:
            code = _interruptible(act)
        except OutputLost:
            raise
        except HubError as problem:
            code = problem.exit_code
            surface.fail(problem)
        surface.flush()
    except OutputLost as lost:
        # What is still to be written must not come up again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if lost.wanted:
            surface.problem(lost.message, lost.hint)
            return code or lost.exit_code
    return code


def _interruptible(act: Callable[[], int]) -> int:
    try:
        return act()
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None


def _end_politely(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
