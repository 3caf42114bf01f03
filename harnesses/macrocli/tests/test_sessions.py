"""Every run is recorded, in its session, without secrets."""

from __future__ import annotations

import json
import sqlite3

import pytest

from harnesses.macrocli.tests.program import Program

GOOD = "name: m\nparameters: {pw: {secret: true, default: x}}\nsteps:\n"
GOOD += "  - {id: a, action: run_command, params: {command: [echo, '${pw}']}}\n"


def test_a_run_is_recorded_with_routing_timings_attempts_and_hashes(program: Program) -> None:
    program.file("made", "hello")
    outcome = program.run(GOOD + "outputs: [{name: o, path: made}]\n", flags=("--session-id", "s1"))
    program("session", "save", "s1", "-o", "s.json", "--json")
    (run,) = json.loads((program.folder / "s.json").read_text())["history"]

    assert run["id"] == outcome.document["telemetry"]["run_id"]
    assert run["answer"]["telemetry"]["routing"]["a"][0]["backend"] == "native_api"
    assert run["answer"]["steps"][0]["attempts"][0]["duration_ms"] > 0
    assert run["answer"]["output"]["o"]["sha256"].startswith("2cf24dba")


def test_a_session_goes_on_under_its_id(program: Program) -> None:
    for _ in range(3):
        program.run(GOOD, flags=("--session-id", "s1"))
    program.run(GOOD.replace("echo", "'false'"), flags=("--session-id", "s1"))
    program.run(GOOD)

    status = program("session", "status", "s1", "--json").document
    sessions = {s["session"]: s["runs"] for s in program("session", "list", "--json").document}
    history = program("--session-id", "s1", "session", "history", "--limit", "2", "--json").document

    assert (status["runs"], status["failed"]) == (4, 1)
    assert sessions == {"s1": 4, "default": 1}
    assert [run["status"] for run in history] == ["failed", "success"]


def test_no_secret_reaches_the_records(program: Program) -> None:
    program.run(GOOD, "pw=hunter2-öß")
    program.run(GOOD.replace("secret: true", "secret: true, type: integer"), "pw=hunter2-öß")

    files = list((program.folder.parent / "home").rglob("*"))
    content = b"".join(file.read_bytes() for file in files if file.is_file())
    assert b"hunter2" not in content
    assert b"***" in content


def test_a_call_that_never_began_is_recorded_as_refused(program: Program) -> None:
    program.run(GOOD, "nope=1")

    (run,) = program("session", "history", "--json").document
    assert (run["status"], run["exit_code"]) == ("refused", 2)


def test_a_dry_run_leaves_no_record(program: Program) -> None:
    program.run(GOOD, flags=("--dry-run",))

    assert program("session", "history", "--json").document == []


@pytest.mark.parametrize("name", ["a b", "../x", "x" * 129])
def test_a_session_has_a_plain_name(program: Program, name: str) -> None:
    assert program.run(GOOD, flags=("--session-id", name)).exit_code == 2


def test_an_unknown_session_is_not_found(program: Program) -> None:
    program.run(GOOD, flags=("--session-id", "real"))

    outcome = program("session", "status", "reel", "--json")

    assert outcome.exit_code == 3
    assert outcome.error["details"]["nearest"] == ["real"]


def test_damaged_records_do_not_stop_a_run_and_are_left_alone(program: Program) -> None:
    program.run(GOOD)
    file = program.folder.parent / "home/macrocli/runs.sqlite3"
    file.write_bytes(b"not a database, but long enough to be taken for one" * 20)
    for extra in file.parent.glob("runs.sqlite3-*"):
        extra.unlink()

    outcome = program.run(GOOD)
    listed = program("session", "list", "--json")

    assert outcome.exit_code == 0
    assert "not recorded" in outcome.document["telemetry"]["warnings"][0]
    assert listed.exit_code == 1
    assert file.read_bytes().startswith(b"not a database")


def test_the_records_are_for_their_owner_only(program: Program) -> None:
    program.run(GOOD)
    file = program.folder.parent / "home/macrocli/runs.sqlite3"

    assert file.stat().st_mode & 0o077 == 0
    assert sqlite3.connect(file).execute("PRAGMA journal_mode").fetchone() == ("wal",)
