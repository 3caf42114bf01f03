"""The program's promises: one JSON document, flags anywhere, help, no surprises at a pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harnesses.macrocli.tests.program import Program

GOOD = "name: m\nsteps:\n  - {action: run_command, params: {command: ['true']}}\n"


@pytest.mark.parametrize(
    "words",
    [
        ("backends",),
        ("macro", "list"),
        ("macro", "info", "set_json_value"),
        ("macro", "explain", "set_json_value"),
        ("macro", "validate"),
        ("macro", "run", "nope"),
        ("macro", "run"),
        ("macro", "run", "--nope"),
        ("macro", "run", "--macro-file", "gone.yaml"),
        ("macro", "fly"),
        ("fly",),
    ],
)
def test_json_is_one_document_in_success_and_failure_wherever_the_flag_stands(
    program: Program, words: tuple[str, ...]
) -> None:
    after = program(*words, "--json")
    before = program("--json", *words)

    assert json.loads(after.out) == json.loads(before.out)
    if after.exit_code:
        assert set(after.error) == {"code", "message", "hint", "details"}


def test_dry_run_may_stand_before_or_after_the_command(program: Program) -> None:
    file = program.file("m.yaml", GOOD)

    for words in (
        ("--dry-run", "macro", "run", "--macro-file", str(file), "--json"),
        ("macro", "run", "--macro-file", str(file), "--dry-run", "--json"),
        ("macro", "dry-run", "--macro-file", str(file), "--json"),
    ):
        assert program(*words).document["status"] == "dry_run"


def test_people_get_lines_and_the_same_exit_code(program: Program) -> None:
    file = program.file("m.yaml", GOOD + "outputs: [{name: o, path: nope}]\n")

    outcome = program("macro", "run", "--macro-file", file)

    assert outcome.exit_code == 0
    assert outcome.out.startswith("m: partial in ")
    assert "o: missing (there is no file" in outcome.out


def test_problems_are_told_the_way_editors_jump_to(program: Program) -> None:
    file = program.file("m.yaml", GOOD.replace("action", "acton"))

    outcome = program("macro", "validate", "--macro-file", file)

    assert outcome.exit_code == 2
    assert f"{file}:3:6: error: unknown key 'acton'" in outcome.out


def test_info_shows_what_a_caller_has_to_know(program: Program) -> None:
    document = program("macro", "info", "set_json_value", "--json").document

    assert document["parameters"]["file"]["required"] is True
    assert document["agent_hints"]["danger_level"] == "moderate"
    assert document["agent_hints"]["estimated_duration_ms"] == 100


def test_explain_says_who_runs_each_step_and_who_does_not(program: Program) -> None:
    file = program.file(
        "m.yaml",
        "name: m\nsteps:\n"
        "  - {id: a, action: run_command, params: {command: ['true']}}\n"
        "  - {id: b, action: type_text, params: {text: x}}\n",
    )

    first, second = program("macro", "explain", "--macro-file", file, "--json").document["steps"]

    assert first["backend"] == "native_api"
    assert second["backend"] is None
    reasons = {one["backend"]: one["reason"] for one in second["considered"]}
    assert set(reasons) == {"visual_anchor", "semantic_ui"}
    assert "no display" in reasons["semantic_ui"]
    assert second["remedy"]


def test_backends_say_what_is_missing_and_how_to_get_it(program: Program) -> None:
    listed = program("backends", "--json").document

    assert [(one["name"], one["priority"]) for one in listed] == [
        ("native_api", 100),
        ("gui_macro", 80),
        ("visual_anchor", 75),
        ("file_transform", 70),
        ("gui_agent", 60),
        ("semantic_ui", 50),
        ("recovery", 10),
    ]
    for one in listed:
        assert one["available"] or (one["reason"] and one["remedy"]), one["name"]


def test_without_a_terminal_the_bare_program_prints_help_and_ends(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli_anything.macrocli"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
        env={**os.environ, "CLI_HUB_HOME": str(tmp_path)},
    )

    assert done.returncode == 0
    assert "Usage:" in done.stdout
    assert "\x1b" not in done.stdout
    assert done.stderr == ""
