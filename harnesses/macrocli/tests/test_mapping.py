"""One macro over many parameter sets."""

from __future__ import annotations

import json
from typing import Any

from harnesses.macrocli.tests.program import Outcome, Program

COPY = """\
name: m
parameters: {n: {type: integer, required: true}, pw: {secret: true}}
steps:
  - {action: run_command, params: {command: [sh, -c, 'echo ${n} >> log; test ${n} -ne 3']}}
"""


def mapped(program: Program, lines: list[Any], *flags: str, text: str = COPY) -> Outcome:
    file = program.file("m.yaml", text)
    sets = program.file("sets.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    return program("macro", "map", "--macro-file", file, "--params", sets, *flags, "--json")


def results(program: Program) -> list[dict[str, Any]]:
    text = (program.folder / "sets.results.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_every_set_gets_a_line_and_one_failure_makes_the_whole_fail(program: Program) -> None:
    outcome = mapped(program, [{"n": n} for n in range(6)], "--jobs", "3")

    assert outcome.exit_code == 1
    assert outcome.document["succeeded"] == 5
    assert outcome.document["failures"][0]["line"] == 4
    assert sorted(r["params"]["n"] for r in results(program)) == list(range(6))
    assert {r["status"] for r in results(program)} == {"success", "failed"}


def test_resuming_runs_only_what_is_not_done(program: Program) -> None:
    lines = [{"n": n} for n in range(5)]
    mapped(program, lines)
    with (program.folder / "sets.results.jsonl").open("a") as stream:
        stream.write('{"key": "cut o')

    outcome = mapped(program, lines, "--resume")

    assert (outcome.document["skipped"], outcome.document["failed"]) == (4, 1)
    log = (program.folder / "log").read_text().split()
    assert sorted(log) == ["0", "1", "2", "3", "3", "4"]


def test_a_set_with_wrong_parameters_does_not_stop_the_others(program: Program) -> None:
    outcome = mapped(program, [{"n": "x"}, {"n": 1}])

    assert (outcome.document["succeeded"], outcome.document["failed"]) == (1, 1)
    assert {r["exit_code"] for r in results(program)} == {0, 2}


def test_no_more_than_the_wanted_number_run_at_once(program: Program) -> None:
    marks = "echo + >> marks; sleep 0.3; echo - >> marks"
    outcome = mapped(
        program, [{"n": 1}] * 5, "--jobs", "2", text=COPY.replace("echo ${n} >> log", marks)
    )

    running = highest = 0
    for mark in (program.folder / "marks").read_text().split():
        running += 1 if mark == "+" else -1
        highest = max(highest, running)
    assert outcome.exit_code == 0
    assert highest == 2


def test_secrets_are_masked_in_the_results(program: Program) -> None:
    mapped(program, [{"n": 1, "pw": "hunter2"}])

    assert "hunter2" not in (program.folder / "sets.results.jsonl").read_text()


def test_a_line_that_is_no_object_is_named(program: Program) -> None:
    outcome = mapped(program, [{"n": 1}, [2]])

    assert outcome.exit_code == 2
    assert "sets.jsonl:2" in outcome.error["message"]
