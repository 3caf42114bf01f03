"""Programs a harness starts: their tree ends in time, their output is bounded, nothing hangs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from cli_anything.kit.errors import ApplicationMissing, UsageError
from cli_anything.kit.processes import OUTPUT_LIMIT, command, run


def test_a_timeout_ends_the_whole_tree_and_keeps_what_was_said(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    done = run(command("sh", "-c", f"sleep 60 & echo $! > {pid_file}; echo on; wait"), timeout=1)

    assert (done.timed_out, done.stdout) == (True, "on\n")
    assert not psutil.pid_exists(int(pid_file.read_text()))


def test_a_background_child_does_not_delay_the_answer() -> None:
    started = time.monotonic()

    done = run(command("sh", "-c", "sleep 5 & echo done"), timeout=20)

    assert done.left_running
    assert time.monotonic() - started < 3


def test_output_of_any_size_and_encoding_is_bounded_text() -> None:
    code = (
        r"import sys; w = sys.stdout.buffer.write; w(b'\xff');"
        "[w(b'x' * 100_000) for _ in range(50)]"
    )

    done = run(command(sys.executable, "-c", code))

    assert done.truncated
    assert done.stdout.startswith("\ufffdx")
    assert len(done.stdout) < 2 * OUTPUT_LIMIT


def test_a_missing_program_and_a_missing_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ApplicationMissing, match="no program 'no-such-program'"):
        run(command("no-such-program"))
    with pytest.raises(UsageError, match="does not exist"):
        run(command("true", cwd=tmp_path / "gone"))
