"""A program counts as installed only when it starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_hub.errors import CommandFailed, TimedOut
from cli_hub.install.execute import check_starts
from cli_hub.install.receipt import Receipt
from cli_hub.process import Command, Completed, Runner


def installed(generation: Path) -> Receipt:
    program = generation / "bin" / "tool"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    return Receipt(
        name="tool",
        version="1.0",
        source="tests",
        package="tool",
        strategy={"strategy": "pip", "package": "tool"},
        scope="private",
        entry_point=("tool",),
        scripts=("tool",),
        installed_at="2026-11-30T00:00:00+00:00",
    )


def answering(exit_code: int, *, timed_out: bool = False) -> Runner:
    def run(
        command: Command, *, timeout: float | None = None, on_output: object = None
    ) -> Completed:
        del on_output  # it says nothing
        return Completed(command, exit_code, "", "", timeout or 0.0, timed_out)

    return run


def test_a_program_that_never_answers_is_said_to_be_slow_and_not_to_have_failed(
    tmp_path: Path,
) -> None:
    with pytest.raises(TimedOut, match="gave no answer within 60 s"):
        check_starts(installed(tmp_path), tmp_path, answering(0, timed_out=True))


def test_a_program_that_fails_is_named_with_its_exit_code(tmp_path: Path) -> None:
    with pytest.raises(CommandFailed, match="exited with 3"):
        check_starts(installed(tmp_path), tmp_path, answering(3))


def test_a_program_that_answers_has_started(tmp_path: Path) -> None:
    check_starts(installed(tmp_path), tmp_path, answering(0))
