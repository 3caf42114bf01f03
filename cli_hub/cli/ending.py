"""Every way a command can end, turned into output and an exit code: the same for every way in."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from cli_hub.cli.surface import Surface
from cli_hub.errors import HubError, Interrupted


def carry_out(surface: Surface, act: Callable[[], int]) -> int:
    """Run *act*, say what went wrong if it does, and return the program's exit code."""
    signal.signal(signal.SIGTERM, _end_politely)
    try:
        code = _interruptible(act)
        sys.stdout.flush()
    except HubError as problem:
        surface.fail(problem)
        return problem.exit_code
    except BrokenPipeError:
        # The reader (head, less) has seen enough; Python must not complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _interruptible(act: Callable[[], int]) -> int:
    try:
        return act()
    except KeyboardInterrupt:
        raise Interrupted("interrupted") from None


def _end_politely(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
