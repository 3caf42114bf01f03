"""Start an installed harness and keep a record of how it went."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn

from cli_hub import config, process
from cli_hub.errors import HubError, RequirementMissing, TimedOut
from cli_hub.install.installed import Installed
from cli_hub.paths import Paths
from cli_hub.process import Command, Completed, OnOutput, Runner, command
from cli_hub.runs.record import RunRecord, RunShelf, Status
from cli_hub.runs.secrets import Masker, given_secrets

PATIENCE_SECONDS = 30.0
"""What a harness gets after Ctrl-C to end its work in order, as a macro does under ``finally``."""


class Dispatcher:
    """Runs harnesses; *run* starts processes, records go below ``paths.runs``."""

    def __init__(self, paths: Paths, run: Runner = process.run) -> None:
        self.shelf = RunShelf(paths)
        self._run = run

    def run(
        self,
        installed: Installed,
        arguments: Sequence[str],
        *,
        timeout: float | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        hidden: Sequence[str] = (),
        on_output: OnOutput | None = None,
    ) -> RunRecord:
        """Run the entry point with *arguments* to its end, its standard input closed.

        The values in *hidden* are masked in everything that is kept.

        *timeout* in seconds ends its whole tree and makes the record's exit code 124. A child that
        fails is an answer, not an error; what cannot be started raises, and is recorded as such.
        """
        start = _start(installed, arguments, cwd).with_env(env or {})
        masker = Masker([*config.secret_values(), *given_secrets(arguments), *hidden])
        record = RunRecord(
            id=_new_id(),
            harness=installed.name,
            version=installed.version,
            argv=masker.argv(start.argv),
            cwd=str(cwd or Path.cwd()),
            started_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            folder=Path(),
            pid=os.getpid(),
        )
        record = replace(record, folder=self.shelf.folder(record.id))
        self.shelf.put(record)
        began = time.monotonic()
        try:
            done = self._run(start, timeout=timeout, on_output=on_output)
        except BaseException as problem:
            status = Status.NOT_STARTED if isinstance(problem, HubError) else Status.INTERRUPTED
            seconds = time.monotonic() - began
            self.shelf.put(
                replace(
                    record,
                    status=status,
                    seconds=seconds,
                    exit_code=getattr(problem, "exit_code", 130),
                    problem=masker.text(str(problem)),
                )
            )
            raise
        return self._finish(record, done, masker)

    def _finish(self, record: RunRecord, done: Completed, masker: Masker) -> RunRecord:
        self.shelf.keep_outputs(record, masker.text(done.stdout), masker.text(done.stderr))
        finished = replace(
            record,
            seconds=done.seconds,
            status=Status.TIMED_OUT if done.timed_out else Status.DONE,
            exit_code=TimedOut.exit_code if done.timed_out else _exit_code(done),
            truncated=done.truncated,
        )
        self.shelf.put(finished)
        return finished


def launch(installed: Installed, arguments: Sequence[str]) -> NoReturn:
    """Become the harness: nothing is added, nothing recorded, its exit code is the answer."""
    process.replace_process(_start(installed, arguments, None))


def _start(installed: Installed, arguments: Sequence[str], cwd: Path | None) -> Command:
    words = installed.entry_point
    if not words:
        raise RequirementMissing(
            f"{installed.name} names no program to start", hint=f"cli-hub doctor {installed.name}"
        )
    return replace(command(*words, *arguments, cwd=cwd), patience=PATIENCE_SECONDS)


def _exit_code(done: Completed) -> int:
    return done.exit_code if done.exit_code >= 0 else 128 - done.exit_code


def _new_id() -> str:
    return f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{secrets.token_hex(3)}"
