"""Where definitions are found, and what is never loaded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harnesses.macrocli.tests.program import Program

MACRO = "name: {name}\nsteps:\n  - {{action: run_command, params: {{command: [echo, {name}]}}}}\n"


def put(program: Program, path: str, name: str) -> Path:
    return program.file(path, MACRO.format(name=name))


def test_the_shipped_macros_are_found_and_valid(program: Program) -> None:
    names = {one["name"] for one in program("macro", "list", "--json").document}

    assert {"set_json_value", "replace_text", "export_pdf"} <= names
    assert program("macro", "validate", "--json").exit_code == 0


def test_the_users_and_the_projects_macros_are_found(program: Program) -> None:
    put(program, "macros/p.yaml", "mine")
    put(program, "../home/macros/deep/u.yml", "ours")

    listed = program("macro", "list", "--json").document

    assert {"project/mine", "user/ours"} <= {one["address"] for one in listed}
    assert program("macro", "run", "project/mine", "--json").exit_code == 0


def test_a_macro_may_run_one_of_a_harness_in_another_environment(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = put(program, "elsewhere/cut.yaml", "cut").parent
    program.file("macros/both.yaml", "name: both\nsteps:\n  - {macro: cutter/cut}\n")
    monkeypatch.setenv("CLI_HUB_MACRO_FOLDERS", json.dumps([["cutter", str(other)]]))

    outcome = program("macro", "run", "both", "--json")

    assert outcome.exit_code == 0
    assert outcome.document["steps"][0]["steps"][0]["output"]["stdout"] == "cut\n"


@pytest.mark.parametrize("told", ["nonsense", '{"a": 1}', "[1]"])
def test_folders_that_cannot_be_understood_are_refused(
    program: Program, monkeypatch: pytest.MonkeyPatch, told: str
) -> None:
    monkeypatch.setenv("CLI_HUB_MACRO_FOLDERS", told)

    outcome = program("macro", "list", "--json")

    assert outcome.exit_code == 2
    assert "CLI_HUB_MACRO_FOLDERS" in outcome.error["message"]


def test_two_macros_with_one_name_are_an_error_that_names_both(program: Program) -> None:
    first = put(program, "macros/a.yaml", "same")
    second = put(program, "../home/macros/b.yaml", "same")

    outcome = program("macro", "run", "same", "--json")

    assert outcome.exit_code == 4
    assert str(first) in outcome.error["message"]
    assert second.name in outcome.error["message"]
    assert "user/same" in outcome.error["hint"]
    assert program("macro", "run", "user/same", "--json").exit_code == 0
    assert program("macro", "validate", "--json").exit_code == 4


def test_a_manifest_says_what_is_there_and_cannot_lead_outside(program: Program) -> None:
    put(program, "outside.yaml", "outside")
    put(program, "macros/in.yaml", "inside")
    put(program, "macros/unlisted.yaml", "unlisted")
    program.file(
        "macros/manifest.yaml",
        "macros:\n  - {name: inside, path: in.yaml}\n"
        "  - {name: outside, path: ../outside.yaml}\n  - {name: gone, path: gone.yaml}\n",
    )

    outcome = program("macro", "list", "--json")
    names = {one["name"] for one in outcome.document if one["origin"] == "project"}

    assert names == {"inside"}
    assert "../outside.yaml is outside" in outcome.err
    assert "there is no file gone.yaml" in outcome.err


def test_a_link_cannot_lead_outside_either(program: Program) -> None:
    put(program, "outside.yaml", "outside")
    (program.folder / "macros").mkdir()
    (program.folder / "macros/link.yaml").symlink_to("../outside.yaml")

    outcome = program("macro", "list", "--json")

    assert "outside" not in {one["name"] for one in outcome.document}
    assert "leads out of" in outcome.err


def test_a_broken_file_never_hides_the_others(program: Program) -> None:
    put(program, "macros/good.yaml", "good")
    program.file("macros/broken.yaml", "name: [")
    program.file("macros/wrong.yaml", "name: wrong\nsteps:\n  - {action: fly}\n")

    listed = {one["name"]: one for one in program("macro", "list", "--json").document}
    validated = program("macro", "validate", "--json")

    assert listed["good"]["problem"] is None
    assert "no backend has an action 'fly'" in listed["wrong"]["problem"]
    assert validated.exit_code == 3
    assert any("broken.yaml" in warning for warning in validated.document["warnings"])


def test_an_unknown_name_gets_the_nearest_ones(program: Program) -> None:
    outcome = program("macro", "run", "set_json_valu", "--json")

    assert outcome.exit_code == 3
    assert outcome.error["code"] == "not_found"
    assert "set_json_value" in outcome.error["hint"]


def test_a_macro_file_can_run_the_macros_beside_it(program: Program) -> None:
    put(program, "elsewhere/inner.yaml", "inner")
    outer = program.file("elsewhere/outer.yaml", "name: outer\nsteps:\n  - {macro: inner}\n")

    assert program("macro", "run", "--macro-file", outer, "--json").exit_code == 0
