"""Programs a harness starts: their tree ends in time, their output is bounded, nothing hangs."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from cli_anything.kit import processes, watching
from cli_anything.kit.errors import ApplicationMissing, Interrupted, UsageError
from cli_anything.kit.processes import OUTPUT_LIMIT, command, run


def test_a_timeout_ends_the_whole_tree_and_keeps_what_was_said(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    done = run(command("sh", "-c", f"sleep 60 & echo $! > {pid_file}; echo on; wait"), timeout=1)

    assert (done.timed_out, done.stdout) == (True, "on\n")
    assert not lives(int(pid_file.read_text()))


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


def test_another_thread_can_end_a_program_and_all_it_started(tmp_path: Path) -> None:
    stop = processes.Stop()
    threading.Timer(0.4, stop.request).start()
    began = time.monotonic()

    with pytest.raises(Interrupted):
        run(command("sh", "-c", "sleep 63.5 & sleep 63.5"), timeout=30, stop=stop)
    with pytest.raises(Interrupted):
        run(command("touch", str(tmp_path / "late")), stop=stop)

    assert time.monotonic() - began < 5
    assert not running("63.5")
    assert not (tmp_path / "late").exists()
    stop.close()


def test_where_processes_have_no_descriptors_a_program_is_ended_all_the_same() -> None:
    stop = processes.Stop()
    threading.Timer(0.3, stop.request).start()
    process = processes._start(command("sleep", "64.5"))
    kept = {name: watching.HeadAndTail(1000) for name in ("stdout", "stderr")}
    try:
        with pytest.raises(Interrupted):
            watching.watch_by_threads(process, kept, 30, None, stop)
    finally:
        processes.end_tree(process)
        stop.close()


def running(mark: str) -> bool:
    return any(
        mark in (found.info["cmdline"] or ())
        for found in psutil.process_iter(["cmdline", "status"])
        if found.info["status"] != psutil.STATUS_ZOMBIE
    )


def lives(pid: int) -> bool:
    """Whether a process still does anything; who reaps it, and when, is the system's business."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
