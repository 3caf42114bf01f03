"""Runs: the child's exit code, its outputs, its end in time, and never a secret."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from cli_hub.errors import NotFound
from cli_hub.install.installed import Installed
from cli_hub.install.receipt import Receipt
from cli_hub.paths import Paths
from cli_hub.runs.dispatch import Dispatcher
from cli_hub.runs.record import RunRecord, Status


def harness(folder: Path, source: str) -> Installed:
    """A harness whose program is a Python file of the test's."""
    generation = folder / "envs" / "demo" / "1"
    (generation / "bin").mkdir(parents=True)
    program = generation / "bin" / "demo"
    program.write_text(f"#!{sys.executable}\n{source}")
    program.chmod(0o755)
    receipt = Receipt(
        "demo", "1.0", "tests", "demo", {"strategy": "pip", "package": "demo"}, "private",
        ("demo",), ("demo",), "2026-01-01T00:00:00Z",
    )  # fmt: skip
    return Installed(receipt, generation)


@pytest.fixture
def dispatcher(tmp_path: Path) -> Dispatcher:
    return Dispatcher(Paths(tmp_path))


def test_the_childs_exit_code_and_outputs_are_kept(tmp_path: Path, dispatcher: Dispatcher) -> None:
    program = "import sys; print('out', sys.argv[1:]); print('err', file=sys.stderr); sys.exit(7)"

    record = dispatcher.run(harness(tmp_path, program), ["a b", "--json"])

    assert (record.status, record.exit_code) == (Status.DONE, 7)
    assert record.stdout == "out ['a b', '--json']\n"
    assert record.stderr == "err\n"
    assert dispatcher.shelf.find(record.id) == record
    assert dispatcher.shelf.find("latest") == record
    assert dispatcher.shelf.find(record.id[:-2]) == record


def test_output_passes_through_as_it_comes(tmp_path: Path, dispatcher: Dispatcher) -> None:
    arrived: list[tuple[bytes, float]] = []
    program = "import time; print('first', flush=True); time.sleep(0.5); print('second')"

    dispatcher.run(
        harness(tmp_path, program),
        [],
        on_output=lambda _, chunk: arrived.append((chunk, time.monotonic())),
    )

    assert b"".join(chunk for chunk, _ in arrived) == b"first\nsecond\n"
    assert arrived[-1][1] - arrived[0][1] > 0.3


def test_a_run_that_takes_too_long_is_ended_and_says_124(
    tmp_path: Path, dispatcher: Dispatcher
) -> None:
    program = "import time; print('begun', flush=True); time.sleep(60)"

    record = dispatcher.run(harness(tmp_path, program), [], timeout=0.7)

    assert (record.status, record.exit_code) == (Status.TIMED_OUT, 124)
    assert record.stdout == "begun\n"
    assert record.seconds < 10


def test_a_child_that_ends_by_a_signal_says_128_and_more(
    tmp_path: Path, dispatcher: Dispatcher
) -> None:
    record = dispatcher.run(harness(tmp_path, "import os; os.kill(os.getpid(), 15)"), [])

    assert (record.status, record.exit_code) == (Status.DONE, 143)


def test_a_child_that_asks_for_input_gets_none(tmp_path: Path, dispatcher: Dispatcher) -> None:
    record = dispatcher.run(harness(tmp_path, "import sys; print(repr(sys.stdin.read()))"), [])

    assert record.stdout == "''\n"


def test_bytes_that_are_not_text_are_kept_as_well_as_can_be(
    tmp_path: Path, dispatcher: Dispatcher
) -> None:
    program = r"import sys; sys.stdout.buffer.write(b'\377\376bad\n')"

    assert dispatcher.run(harness(tmp_path, program), []).stdout == "��bad\n"


def test_no_secret_reaches_the_record(
    tmp_path: Path, dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEMO_API_KEY", "value-of-the-key")
    program = "import os, sys; print(os.environ['DEMO_API_KEY'], *sys.argv[1:])"

    record = dispatcher.run(
        harness(tmp_path, program),
        ["--token", "tok-1", "--password=pw-1", "api_key=ak-1", "sk-" + "a" * 24,
         "https://user:pw-2@x.test/", "plain"],
    )  # fmt: skip

    for path in (tmp_path / "runs").rglob("*"):
        if path.is_file():
            text = path.read_bytes()
            for secret in (b"value-of-the-key", b"tok-1", b"pw-1", b"ak-1", b"sk-aaaa", b"pw-2"):
                assert secret not in text
    assert "value-of-the-key" not in record.stdout
    assert "pw-2" not in record.stdout
    assert record.argv[1:] == (
        "--token", "•••", "--password=•••", "api_key=•••", "•••",
        "https://user:•••@x.test/", "plain",
    )  # fmt: skip


def test_what_cannot_be_started_is_recorded_and_raised(
    tmp_path: Path, dispatcher: Dispatcher
) -> None:
    demo = harness(tmp_path, "")
    (demo.generation / "bin" / "demo").unlink()

    with pytest.raises(NotFound):
        dispatcher.run(demo, [])

    record = dispatcher.shelf.find("latest")
    assert record.status is Status.NOT_STARTED
    assert "no program" in record.problem


def test_the_newest_runs_come_first(tmp_path: Path, dispatcher: Dispatcher) -> None:
    demo = harness(tmp_path, "")
    made: list[RunRecord] = []
    for number in range(3):
        made.append(dispatcher.run(demo, [str(number)]))
        time.sleep(0.01)

    assert [record.id for record in dispatcher.shelf.latest(2)] == [made[2].id, made[1].id]
    assert dispatcher.shelf.latest(5, harness="other") == []


def test_a_run_whose_hub_is_gone_is_lost(tmp_path: Path, dispatcher: Dispatcher) -> None:
    record = dispatcher.run(harness(tmp_path, ""), [])
    dispatcher.shelf.put(
        RunRecord(record.id, "demo", "1.0", (), "", record.started_at, record.folder, pid=2**22 + 1)
    )

    assert dispatcher.shelf.find(record.id).status is Status.LOST


def test_an_unknown_run_is_not_found(dispatcher: Dispatcher) -> None:
    with pytest.raises(NotFound):
        dispatcher.shelf.find("20260101")
