"""The only place where the hub starts processes.

A :class:`Command` is an argv, never a shell string. Every process gets its own process group and a
closed standard input; when its time is up the whole tree ends, not only the direct child; what it
prints is kept up to a limit (the beginning and the end) and decoded as UTF-8 with replacement.
"""

from __future__ import annotations

from cli_hub.standins import load_without

load_without("subprocess", "locale")  # a third of its cost

from cli_hub.process.ending import end_those_naming, end_tree  # noqa: E402
from cli_hub.process.model import Command, Completed, OnOutput, Runner, command  # noqa: E402
from cli_hub.process.running import run  # noqa: E402
from cli_hub.process.starting import OnStart, Process, replace_process, start_detached  # noqa: E402
from cli_hub.process.streams import OUTPUT_LIMIT  # noqa: E402

__all__ = [
    "OUTPUT_LIMIT",
    "Command",
    "Completed",
    "OnOutput",
    "OnStart",
    "Process",
    "Runner",
    "command",
    "end_those_naming",
    "end_tree",
    "replace_process",
    "run",
    "start_detached",
]
