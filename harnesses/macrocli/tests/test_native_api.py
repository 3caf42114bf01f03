"""Programs: real ones, with trees, floods of output and odd bytes."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import psutil
import pytest

from harnesses.macrocli.tests.program import Program


def alive(mark: str) -> bool:
    """Whether a process runs that was started with *mark* among its arguments."""
    return any(
        mark in (p.info["cmdline"] or ())
        for p in psutil.process_iter(["cmdline", "status"])
        if p.info["status"] != psutil.STATUS_ZOMBIE
    )


def command(*argv: str, **step: object) -> str:
    return json.dumps(
        {
            "name": "m",
            "steps": [{"action": "run_command", "params": {"command": list(argv)}, **step}],
        }
    )


def test_a_timeout_ends_the_whole_tree_and_keeps_what_was_said(program: Program) -> None:
    outcome = program.run(
        command("sh", "-c", "sleep 81.25 & echo said; wait", timeout_ms=700),
    )
    step = outcome.document["steps"][0]

    assert outcome.exit_code == 124
    assert step["output"]["timed_out"] is True
    assert step["output"]["stdout"] == "said\n"
    assert step["attempts"][0]["timed_out"] is True
    assert not alive("81.25")


def test_a_step_returns_when_its_program_does_though_a_child_keeps_the_pipe(
    program: Program,
) -> None:
    began = time.monotonic()
    outcome = program.run(command("sh", "-c", "sleep 3.5 & echo done", timeout="20s"))
    step = outcome.document["steps"][0]

    assert time.monotonic() - began < 3
    assert step["output"]["stdout"] == "done\n"
    assert "still running" in step["notes"][0]


def test_a_flood_of_output_is_kept_at_both_ends_in_little_memory(program: Program) -> None:
    before = psutil.Process().memory_info().rss
    outcome = program.run(command("sh", "-c", "echo first; yes | head -c 300000000; echo last"))
    output = outcome.document["steps"][0]["output"]

    assert output["truncated"] is True
    assert output["stdout"].startswith("first\n")
    assert output["stdout"].endswith("last\n")
    assert len(output["stdout"]) < 2_000_000
    assert psutil.Process().memory_info().rss - before < 100_000_000


def test_bytes_that_are_not_utf_8_are_replaced(program: Program) -> None:
    outcome = program.run(command("printf", r"\377\376bad"))

    assert outcome.document["steps"][0]["output"]["stdout"] == "\ufffd\ufffdbad"


def test_a_failure_keeps_both_streams_and_shows_the_last_words(program: Program) -> None:
    outcome = program.run(command("sh", "-c", "echo out; echo why >&2; exit 3"))
    output = outcome.document["steps"][0]["output"]

    assert (output["stdout"], output["stderr"], output["exit_code"]) == ("out\n", "why\n", 3)
    assert outcome.error["message"].endswith("exited with 3: why")


def test_a_missing_folder_is_told_as_such(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - {action: run_command, params: {command: ['true'], cwd: nope}}\n"
    )

    assert outcome.exit_code == 1
    assert "there is no folder nope" in outcome.error["message"]


def test_an_argument_is_never_read_by_a_shell(program: Program) -> None:
    text = (
        "name: m\nparameters: {p: {}}\nsteps:\n"
        "  - {action: run_command, params: {command: 'printf [%s] ${p} \"a b\"'}}\n"
    )

    outcome = program.run(text, "p=x; echo INJECTED > hole")

    assert outcome.document["steps"][0]["output"]["stdout"] == "[x; echo INJECTED > hole][a b]"
    assert not (program.folder / "hole").exists()


def test_arguments_keep_their_spelling(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - action: run_command\n    params:\n"
        "      command: [printf, '%s|', 1.0, 010, yes, 1e3, 2026-11-30, ~, true]\n"
    )

    said = outcome.document["steps"][0]["output"]["stdout"]
    assert said == "1.0|010|yes|1e3|2026-11-30|~|true|"


def test_other_exit_codes_may_be_fine_and_json_may_be_read(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n"
        "  - id: a\n    action: run_command\n    params:\n"
        '      command: [sh, -c, \'echo "{\\"k\\": [7]}"; exit 4\']\n'
        "      ok_exit_codes: [0, 4]\n      parse: json\n"
        "  - {id: b, action: run_command, params: {command: [echo, '${steps.a.json.k}']}}\n"
    )

    assert outcome.document["steps"][1]["output"]["stdout"] == "7\n"


def test_variables_are_set_on_top_of_the_environment(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - action: run_command\n    params:\n"
        "      command: [sh, -c, 'echo $N $HOME']\n      env: {N: 1.0}\n"
    )

    assert outcome.document["steps"][0]["output"]["stdout"] == f"1.0 {os.environ['HOME']}\n"


def test_a_missing_program_is_found_before_the_first_step(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - {action: run_command, params: {command: [touch, before]}}\n"
        "  - {action: run_command, params: {command: [no-such-tool]}}\n"
    )

    assert outcome.exit_code == 5
    assert "steps" not in outcome.document
    assert not (program.folder / "before").exists()


def test_a_missing_program_that_may_fail_does_not_stop_the_run(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n"
        "  - {on_failure: skip, action: run_command, params: {command: [no-such-tool]}}\n"
    )

    assert outcome.exit_code == 0
    assert outcome.document["steps"][0]["error"]["code"] == "application_missing"


def test_a_program_by_path_that_is_not_there_is_missing_too(program: Program) -> None:
    outcome = program.run(command("./nope"))

    assert outcome.exit_code == 5
    assert outcome.document["steps"][0]["status"] == "failed"


def test_a_background_program_lives_on_and_logs(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - id: a\n    action: start_process\n    params:\n"
        "      command: [sh, -c, 'echo up; exec sleep 30']\n      log_file: log\n"
    )
    running = psutil.Process(outcome.document["steps"][0]["output"]["pid"])

    assert running.is_running()
    running.terminate()
    assert (program.folder / "log").read_text() == "up\n"


def test_a_background_program_that_dies_at_once_is_a_failure_with_its_log(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - action: start_process\n    params:\n"
        "      command: [sh, -c, 'echo no display; exit 1']\n      log_file: log\n"
    )

    assert outcome.exit_code == 1
    assert "no display" in outcome.error["message"]


def test_an_executable_is_found_by_any_of_its_names(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - id: a\n    action: find_executable\n"
        "    params: {name: no-such-tool, candidates: [sh]}\n"
    )
    assert Path(outcome.document["steps"][0]["output"]["executable"]).name == "sh"


def test_an_executable_that_is_nowhere_says_how_to_get_it(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - action: find_executable\n"
        "    params: {name: no-such-tool, install_hint: brew install it}\n"
    )

    assert outcome.exit_code == 5
    assert outcome.error["hint"] == "brew install it"


@pytest.mark.parametrize("value", ["a b", "", "$(id)", "--flag", "ä\nö"])
def test_any_value_arrives_as_one_argument(program: Program, value: str) -> None:
    text = (
        "name: m\nparameters: {p: {allow_empty: true}}\nsteps:\n"
        "  - {action: run_command, params: {command: [printf, '[%s]', '${p}']}}\n"
    )

    outcome = program.run(text, f"p={value}")

    assert outcome.document["steps"][0]["output"]["stdout"] == f"[{value}]"
