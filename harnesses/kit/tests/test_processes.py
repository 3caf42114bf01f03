"""Programs a harness starts: their tree ends in time, their output is bounded, nothing hangs."""

from __future__ import annotations

import signal
import sys
import threading
import time
from contextlib import nullcontext
from pathlib import Path

import psutil
import pytest

from cli_anything.kit import interrupts, processes, starting, watching
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


def test_what_keeps_a_program_from_starting_is_said(tmp_path: Path) -> None:
    plain, foreign = tmp_path / "plain", tmp_path / "foreign"
    plain.write_text("text")
    foreign.write_bytes(b"\0 not a program")
    foreign.chmod(0o755)
    before = open_descriptors()

    with pytest.raises(ApplicationMissing, match="no program '/no/such'"):
        run(command("/no/such"))
    with pytest.raises(ApplicationMissing, match="plain is not executable"):
        run(command(plain))
    with pytest.raises(ApplicationMissing, match="foreign cannot be started"):
        run(command(foreign))

    assert open_descriptors() == before


@pytest.mark.parametrize("many", [False, True])
def test_an_interrupt_while_a_program_starts_is_heard_once_it_can_be_ended(many: bool) -> None:
    own = signal.getsignal(signal.SIGINT)
    with interrupts.watched_for() if many else nullcontext():
        for _ in range(2):
            held = interrupts.Held()
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                held.let_go()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)

    assert signal.getsignal(signal.SIGINT) is own


def test_programs_that_end_leave_no_descriptor_open() -> None:
    before = open_descriptors()

    run(command("true"))
    run(command("sleep", "5"), timeout=0.05)

    assert open_descriptors() == before


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
    started = starting.start(command("sleep", "64.5"))
    kept = {name: watching.HeadAndTail(1000) for name in ("stdout", "stderr")}
    try:
        with pytest.raises(Interrupted):
            watching.watch_by_threads(started, kept, 30, None, stop)
    finally:
        processes.end_tree(started.process)
        stop.close()


def running(mark: str) -> bool:
    return any(
        mark in (found.info["cmdline"] or ())
        for found in psutil.process_iter(["cmdline", "status"])
        if found.info["status"] != psutil.STATUS_ZOMBIE
    )


def open_descriptors() -> int:
    return psutil.Process().num_fds()


def lives(pid: int) -> bool:
    """Whether a process still does anything; who reaps it, and when, is the system's business."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
