"""Commands of several threads, which one Ctrl-C ends together.

Only the main thread hears of an interrupt. Without this it would wait until what the other threads
had started came to its own end.
"""

from __future__ import annotations

import threading

from cli_hub.errors import Interrupted
from cli_hub.process import Command, Completed, OnOutput, Process, end_tree, run


class Crew:
    """A :class:`cli_hub.process.Runner` for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[Process] = set()
        self._over = False

    def __call__(
        self, command: Command, *, timeout: float | None = None, on_output: OnOutput | None = None
    ) -> Completed:
        """Run *command*. Raises :class:`Interrupted` once the crew's work is over."""
        if self._over:
            raise Interrupted("interrupted")
        mine: list[Process] = []

        def started(process: Process) -> None:
            mine.append(process)
            with self._lock:
                self._running.add(process)
                over = self._over
            if over:
                end_tree(process)

        try:
            done = run(command, timeout=timeout, on_output=on_output, on_start=started)
        finally:
            with self._lock:
                self._running.difference_update(mine)
        if self._over:
            raise Interrupted("interrupted")
        return done

    def end(self) -> None:
        """End all that runs now with all it started; nothing is started any more."""
        with self._lock:
            self._over = True
            running = list(self._running)
        for process in running:
            end_tree(process)
