"""The one place processes start: trees end whole, output is bounded, nothing hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from cli_hub.errors import NotFound, RequirementMissing
from cli_hub.process import OUTPUT_LIMIT, Process, command, run


def python(code: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code, *arguments)


def test_both_streams_and_the_exit_code_are_kept_apart() -> None:
    done = run(command(*python("import sys; print('out'); print('err', file=sys.stderr); exit(3)")))

    assert (done.exit_code, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert not done.ok


def test_a_timeout_ends_the_grandchildren_too_and_keeps_what_was_said(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"

    done = run(
        command("sh", "-c", f"sleep 60 & echo $! > {pid_file}; echo started; wait"), timeout=1
    )

    assert done.timed_out
    assert done.stdout == "started\n"
    assert not lives(int(pid_file.read_text()))


TRACER = """
import ctypes, sys, time
seize = 0x4206
if ctypes.CDLL(None, use_errno=True).ptrace(seize, int(sys.argv[1]), None, None):
    raise SystemExit(f"tracing is not allowed: {ctypes.get_errno()}")
print("tracing", flush=True)
time.sleep(1)
"""
"""Takes the end of a process for itself and passes it on late, as a debugger does."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="traces as Linux does")
def test_a_traced_program_that_ends_in_time_has_not_run_out_of_it() -> None:
    tracers = []

    def trace(process: Process) -> None:
        tracer = subprocess.Popen(
            [sys.executable, "-c", TRACER, str(process.pid)], stdout=subprocess.PIPE, text=True
        )
        tracers.append(tracer)
        assert tracer.stdout is not None
        assert tracer.stdout.readline() == "tracing\n"

    done = run(command("sleep", "0.5"), timeout=20, on_start=trace)
    for tracer in tracers:
        tracer.communicate(timeout=20)

    assert done.ok


def test_a_child_that_ignores_the_polite_signal_is_killed() -> None:
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); time.sleep(60)"
    started = time.monotonic()

    done = run(command(*python(stubborn)), timeout=1)

    assert done.timed_out
    assert done.exit_code == -signal.SIGKILL
    assert time.monotonic() - started < 10


def test_a_background_child_holding_the_pipe_does_not_delay_the_answer() -> None:
    started = time.monotonic()

    done = run(command("sh", "-c", "sleep 5 & echo done"), timeout=20)

    assert done.stdout == "done\n"
    assert done.left_running
    assert time.monotonic() - started < 3


def test_endless_output_keeps_its_beginning_and_end_in_bounded_memory() -> None:
    talk = "print('first')\nfor _ in range(300): print('x' * 100_000)\nprint('last')"
    before = psutil.Process().memory_info().rss

    done = run(command(*python(talk)))

    assert done.truncated
    assert done.stdout.startswith("first\n")
    assert done.stdout.endswith("last\n")
    assert len(done.stdout) < 2 * OUTPUT_LIMIT
    assert psutil.Process().memory_info().rss - before < 20_000_000


def test_bytes_that_are_not_utf8_become_replacement_characters() -> None:
    done = run(command(*python(r"import sys; sys.stdout.buffer.write(b'\xff\xfebad')")))

    assert done.stdout == "\ufffd\ufffdbad"


def test_standard_input_is_closed_so_a_question_never_hangs() -> None:
    done = run(command(*python("print(repr(input('name? ')))")), timeout=10)

    assert done.exit_code == 1
    assert "EOFError" in done.stderr


def test_a_missing_program_and_a_missing_directory_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no program 'no-such-program'"):
        run(command("no-such-program"))
    with pytest.raises(NotFound, match=r"working directory .*gone does not exist"):
        run(command("true", cwd=tmp_path / "gone"))


def test_a_file_without_the_executable_bit_says_how_to_mend_it(tmp_path: Path) -> None:
    script = tmp_path / "tool"
    script.write_text("#!/bin/sh\n")

    with pytest.raises(RequirementMissing, match="not executable") as caught:
        run(command(script))

    assert "chmod +x" in caught.value.hint


def test_the_program_is_looked_up_on_the_path_the_command_will_see(tmp_path: Path) -> None:
    tool = tmp_path / "only-here"
    tool.write_text("#!/bin/sh\necho found\n")
    tool.chmod(0o755)

    done = run(command("only-here").with_env({"PATH": f"{tmp_path}{os.pathsep}/bin"}))

    assert done.stdout == "found\n"


def test_variables_can_be_set_and_removed_for_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    show = "import os; print(os.environ.get('PYTHONPATH'), os.environ['MARK'])"

    done = run(command(*python(show)).with_env({"MARK": "yes"}, unset=["PYTHONPATH"]))

    assert done.stdout == "None yes\n"


def test_output_can_be_watched_while_it_is_written() -> None:
    seen: list[tuple[str, bytes]] = []
    first = threading.Event()

    def watch(stream: str, chunk: bytes) -> None:
        seen.append((stream, chunk))
        first.set()

    code = "import time; print('one', flush=True); time.sleep(1); print('two')"
    worker = threading.Thread(target=lambda: run(command(*python(code)), on_output=watch))
    worker.start()

    assert first.wait(0.9)
    worker.join()
    assert b"".join(chunk for _, chunk in seen) == b"one\ntwo\n"


def test_ctrl_c_ends_the_child_before_it_reaches_the_caller(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    script = (
        "import signal, sys\n"
        "from cli_hub.process import command, run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"run(command('sh', '-c', 'echo $$ > {pid_file}; sleep 60'))\n"
    )
    hub = psutil.Popen([sys.executable, "-c", script])
    deadline = time.monotonic() + 10
    while not (pid_file.exists() and pid_file.read_text().strip()):
        assert time.monotonic() < deadline
        time.sleep(0.02)

    hub.send_signal(signal.SIGINT)

    assert hub.wait(10) != 0
    assert not lives(int(pid_file.read_text()))


def test_ctrl_c_at_the_moment_of_the_start_leaves_nothing_running(tmp_path: Path) -> None:
    script = (
        "import signal, sys\n"
        "from cli_hub.process import command, run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "run(command('sh', '-c', 'echo $$ > ' + sys.argv[1] + '; kill -INT $PPID; sleep 60'))\n"
    )
    for number in range(8):
        pid_file = tmp_path / str(number)

        hub = psutil.Popen([sys.executable, "-c", script, pid_file])

        assert hub.wait(20) != 0
        assert not lives(int(pid_file.read_text()))


def test_after_ctrl_c_a_patient_command_ends_its_own_work(tmp_path: Path) -> None:
    done = tmp_path / "done"
    script = f"trap 'sleep 2.5; touch {done}; exit 0' TERM; sleep 71.5 & wait"
    patient = replace(command("sh", "-c", script), patience=20)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

    with pytest.raises(KeyboardInterrupt):
        run(patient)

    assert done.exists()


def lives(pid: int) -> bool:
    """Whether a process still does anything; who reaps it, and when, is the system's business."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
