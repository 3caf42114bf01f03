"""The life of a run: steps, failures, retries, outputs, and what the answer says of them."""

from __future__ import annotations

import json
import time

import pytest

from harnesses.macrocli.tests.program import Program

OK = "{action: run_command, params: {command: ['true']}}"
FAIL = "action: run_command, params: {command: ['false']}"


def test_the_answer_has_the_promised_keys_and_nothing_else(program: Program) -> None:
    outcome = program.run(f"name: m\nsteps:\n  - {OK}\n")

    assert list(outcome.document) == ["success", "status", "output", "error", "steps", "telemetry"]
    assert outcome.document["success"] is True
    assert outcome.document["status"] == "success"
    assert outcome.document["error"] is None


def test_a_failed_step_stops_the_run_and_the_rest_is_listed_as_not_run(program: Program) -> None:
    outcome = program.run(
        f"name: m\nsteps:\n  - {{id: a, {FAIL}}}\n"
        "  - {id: b, action: run_command, params: {command: [touch, after]}}\n"
    )

    assert outcome.exit_code == 1
    assert outcome.error["code"] == "step_failed"
    assert outcome.error["step"] == "a"
    assert [s["status"] for s in outcome.document["steps"]] == ["failed", "not_run"]
    assert not (program.folder / "after").exists()


def test_a_skipped_failure_stays_visible_and_the_run_succeeds(program: Program) -> None:
    outcome = program.run(f"name: m\nsteps:\n  - {{id: a, on_failure: skip, {FAIL}}}\n  - {OK}\n")
    step = outcome.document["steps"][0]

    assert outcome.exit_code == 0
    assert outcome.document["status"] == "success"
    assert (step["status"], step["outcome"]) == ("skipped", "failed")
    assert outcome.document["telemetry"]["steps_failed"] == 1


def test_a_continued_failure_makes_the_run_partial_at_best(program: Program) -> None:
    steps = f"name: m\nsteps:\n  - {{id: a, on_failure: continue, {FAIL}}}\n  - {OK}\n"

    fine = program.run(steps)
    broken = program.run(steps + "postconditions: [{file_exists: nope}]\n")

    assert (fine.exit_code, fine.document["status"]) == (0, "partial")
    assert (broken.exit_code, broken.document["status"]) == (1, "failed")


def test_a_postcondition_can_read_how_a_step_ended(program: Program) -> None:
    outcome = program.run(
        f"name: m\nsteps:\n  - {{id: a, on_failure: skip, {FAIL}}}\n"
        "postconditions:\n  - equals: ['${steps.a.outcome}', success]\n"
    )

    assert outcome.exit_code == 1
    assert "'failed' is not 'success'" in outcome.error["message"]


def test_two_retries_are_three_tries_and_all_are_listed_with_their_pauses(program: Program) -> None:
    began = time.monotonic()
    outcome = program.run(
        "name: m\nsteps:\n  - action: run_command\n    max_retries: 2\n    backoff_ms: 50\n"
        "    params: {command: [sh, -c, 'echo x >> tries; false']}\n"
    )

    assert (program.folder / "tries").read_text() == "x\nx\nx\n"
    attempts = outcome.document["steps"][0]["attempts"]
    assert [(a["number"], a["outcome"]) for a in attempts] == [
        (1, "failed"),
        (2, "failed"),
        (3, "failed"),
    ]
    assert time.monotonic() - began > 0.15  # 50 ms, then 100 ms


def test_a_retry_that_works_ends_the_tries(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - action: run_command\n    max_retries: 5\n"
        "    params: {command: [sh, -c, 'test -e there || { touch there; false; }']}\n"
    )

    assert outcome.document["success"]
    assert len(outcome.document["steps"][0]["attempts"]) == 2


def test_a_step_whose_condition_does_not_hold_is_skipped_and_says_why(program: Program) -> None:
    outcome = program.run(
        "name: m\nparameters: {f: {default: csv}}\nsteps:\n"
        "  - {when: {equals: ['${f}', json]}, action: run_command, params: {command: [touch, j]}}\n"
        "  - {when: {equals: ['${f}', csv]}, action: run_command, params: {command: [touch, c]}}\n"
    )
    first = outcome.document["steps"][0]

    assert (first["status"], first["outcome"]) == ("skipped", "not_run")
    assert "'csv' is not 'json'" in first["reason"]
    assert (program.folder / "c").exists()
    assert not (program.folder / "j").exists()


def test_finally_runs_after_a_failure_and_keeps_the_first_error(program: Program) -> None:
    outcome = program.run(
        f"name: m\nsteps:\n  - {{id: a, {FAIL}}}\nfinally:\n"
        f"  - {{id: b, {FAIL}}}\n"
        "  - {id: c, action: run_command, params: {command: [touch, cleaned]}}\n"
    )

    assert outcome.exit_code == 1
    assert outcome.error["step"] == "a"
    assert (program.folder / "cleaned").exists()


def test_a_failed_cleanup_fails_a_run_that_went_well(program: Program) -> None:
    outcome = program.run(f"name: m\nsteps:\n  - {OK}\nfinally:\n  - {{id: b, {FAIL}}}\n")

    assert outcome.exit_code == 1
    assert outcome.error["step"] == "b"


def test_an_output_that_is_not_there_is_marked_and_the_run_is_partial(program: Program) -> None:
    outcome = program.run(f"name: m\nsteps:\n  - {OK}\noutputs:\n  - {{name: o, path: nope}}\n")

    assert outcome.document["status"] == "partial"
    assert outcome.document["output"]["o"]["exists"] is False
    assert "there is no file" in outcome.document["output"]["o"]["missing"]


def test_an_output_carries_size_and_hash_and_a_value_its_value(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n"
        "  - {id: a, action: run_command, params: {command: [sh, -c, 'printf hello > o']}}\n"
        "outputs:\n  - {name: o, path: o}\n  - {name: n, value: '${steps.a.exit_code}'}\n"
    )
    made = outcome.document["output"]["o"]

    assert made["bytes"] == 5
    assert made["sha256"].startswith("2cf24dba")
    assert made["path"] == str(program.folder / "o")
    assert outcome.document["output"]["n"] == {"value": 0}


def test_a_dry_run_has_no_side_effect_and_stops_where_the_run_would(program: Program) -> None:
    text = (
        "name: m\nparameters: {f: {required: true}}\npreconditions: [{file_exists: '${f}'}]\n"
        "steps:\n  - {action: run_command, params: {command: [touch, done]}}\n"
    )
    program.file("there", "")

    dry = program.run(text, "f=there", flags=("--dry-run",))
    unmet = program.run(text, "f=nope", flags=("--dry-run",))

    assert dry.document["status"] == "dry_run"
    assert dry.document["steps"][0]["output"]["params"]["command"] == ["touch", "done"]
    assert dry.document["telemetry"]["dry_run"] is True
    assert not (program.folder / "done").exists()
    assert (unmet.exit_code, unmet.error["code"]) == (1, "precondition_failed")


def test_the_same_macro_twice_gives_the_same_artifact(program: Program) -> None:
    program.file("s.json", '{\n  "a": 1, // no\n}'.replace(" // no", "").replace(",", ""))
    words = ("macro", "run", "set_json_value", "-p", "file=s.json", "-p", "key=b.c")

    first = program(*words, "-p", "value=x", "--json").document["output"]["file"]["sha256"]
    second = program(*words, "-p", "value=x", "--json").document["output"]["file"]["sha256"]

    assert first == second
    assert json.loads((program.folder / "s.json").read_text()) == {"a": 1, "b": {"c": "x"}}


def test_a_macro_runs_another_and_reads_its_outputs(program: Program) -> None:
    program.file(
        "macros/inner.yaml",
        "name: inner\nparameters: {t: {required: true}}\nsteps:\n"
        "  - {id: w, action: run_command, params: {command: [sh, -c, 'printf ${t|sh} > made']}}\n"
        "outputs:\n  - {name: file, path: made}\n",
    )
    program.file(
        "macros/outer.yaml",
        "name: outer\nsteps:\n  - {id: i, macro: inner, with: {t: it's}}\n"
        "  - {id: c, action: run_command, params: {command: [cat, '${steps.i.file}']}}\n",
    )

    outcome = program("macro", "run", "outer", "--json")

    assert outcome.exit_code == 0, outcome.out
    assert outcome.document["steps"][1]["output"]["stdout"] == "it's"
    assert outcome.document["steps"][0]["steps"][0]["id"] == "w"


def test_a_macro_that_runs_itself_is_refused_before_anything_runs(program: Program) -> None:
    touch = "  - {action: run_command, params: {command: [touch, before]}}\n"
    program.file("macros/a.yaml", f"name: a\nsteps:\n{touch}  - {{macro: b}}\n")
    program.file("macros/b.yaml", "name: b\nsteps:\n  - {macro: a}\n")

    outcome = program("macro", "run", "a", "--json")

    assert outcome.exit_code == 2
    assert "a → b → a" in outcome.error["message"]
    assert not (program.folder / "before").exists()


def test_an_inner_failure_keeps_its_code(program: Program) -> None:
    program.file(
        "macros/slow.yaml",
        "name: slow\nsteps:\n"
        "  - {timeout: 200ms, action: run_command, params: {command: [sleep, '5']}}\n",
    )
    program.file("macros/outer.yaml", "name: outer\nsteps:\n  - {macro: slow}\n")

    outcome = program("macro", "run", "outer", "--json")

    assert outcome.exit_code == 124
    assert outcome.error["code"] == "timed_out"


def test_an_inner_macro_with_wrong_parameters_is_found_before_anything_runs(
    program: Program,
) -> None:
    program.file("macros/inner.yaml", f"name: inner\nparameters: {{t: {{}}}}\nsteps: [{OK}]\n")
    program.file(
        "macros/outer.yaml",
        "name: outer\nsteps:\n"
        "  - {id: a, action: run_command, params: {command: [touch, before]}}\n"
        "  - {macro: inner, with: {tt: '${steps.a.stdout}'}}\n",
    )

    outcome = program("macro", "run", "outer", "--json")

    assert outcome.exit_code == 2
    assert not (program.folder / "before").exists()


def test_a_dangerous_macro_needs_a_yes_also_inside_another(program: Program) -> None:
    program.file(
        "macros/d.yaml",
        "name: d\nagent_hints: {danger_level: dangerous, side_effects: [deletes_files]}\n"
        "steps:\n  - {action: run_command, params: {command: [touch, done]}}\n",
    )
    program.file("macros/outer.yaml", "name: outer\nsteps:\n  - {macro: d}\n")

    for name in ("d", "outer"):
        held = program("macro", "run", name, "--json")
        assert held.exit_code == 6
        assert held.error["code"] == "consent_needed"
        assert "deletes_files" in held.error["message"]
        assert not (program.folder / "done").exists()
    assert program("macro", "dry-run", "d", "--json").exit_code == 0
    assert program("macro", "run", "d", "--yes", "--json").exit_code == 0
    assert (program.folder / "done").exists()


@pytest.mark.parametrize(
    ("text", "code", "exit_code"),
    [
        (f"name: m\nsteps:\n  - {{{FAIL}}}\n", "step_failed", 1),
        ("name: m\nsteps:\n  - {action: run_command, params: {}}\n", "bad_macro", 2),
        ("name: m\nsteps:\n  - {action: fly}\n", "capability_gap", 3),
        ("name: m\nsteps:\n  - {action: shortcut, params: {keys: a}}\n", "capability_gap", 3),
        (
            "name: m\nsteps:\n  - {action: run_command, params: {command: [no-such-tool]}}\n",
            "application_missing",
            5,
        ),
        (
            "name: m\nsteps:\n"
            "  - {timeout: 100ms, action: run_command, params: {command: [sleep, '9']}}\n",
            "timed_out",
            124,
        ),
    ],
)
def test_every_kind_of_failure_has_its_own_exit_code(
    program: Program, text: str, code: str, exit_code: int
) -> None:
    outcome = program.run(text)

    assert outcome.exit_code == exit_code
    assert outcome.error["code"] == code
    assert outcome.error["message"]
