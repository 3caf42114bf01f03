"""The published macros: valid, and honest about what they did."""

from __future__ import annotations

import json

import pytest

from harnesses.macrocli.tests.program import Program
from tests.support.requirements import require_corpus

NAMES = (
    "export_file",
    "gedit_find_and_replace",
    "gedit_new_window",
    "gedit_save_as",
    "gedit_type_and_save",
    "transform_json",
    "undo_last",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_published_macro_is_valid(program: Program, name: str) -> None:
    file = require_corpus() / "macros" / f"{name}.yaml"

    assert program("macro", "validate", "--macro-file", file, "--json").exit_code == 0


def test_the_json_macro_changes_its_key_and_nothing_else(program: Program) -> None:
    file = require_corpus() / "macros/transform_json.yaml"
    target = program.file("c.json", '{\n    "settings": {"theme": "light"},\n    "n": 1.0\n}\n')

    outcome = program(
        "macro", "run", "--macro-file", file,
        "-p", f"file={target}", "-p", "key=settings.theme", "-p", "value=dark", "--json",
    )  # fmt: skip

    assert outcome.exit_code == 0
    assert target.read_text() == '{\n    "settings": {"theme": "dark"},\n    "n": 1.0\n}\n'
    assert outcome.document["output"]["modified_file"]["exists"] is True


def test_the_export_macro_admits_that_its_file_was_never_written(program: Program) -> None:
    file = require_corpus() / "macros/export_file.yaml"

    checked = program("macro", "validate", "--macro-file", file, "--json").document
    outcome = program("macro", "run", "--macro-file", file, "-p", "output=o.txt", "--json")
    first, second = outcome.document["steps"]

    assert "find is empty" in json.dumps(checked["macros"][0]["warnings"])
    assert outcome.exit_code == 0
    assert outcome.document["status"] == "partial"
    assert first["status"] == "success"
    assert (second["status"], second["outcome"]) == ("skipped", "failed")
    assert outcome.document["output"]["exported_file"]["exists"] is False


def test_a_screen_macro_without_a_screen_says_what_is_missing(program: Program) -> None:
    file = require_corpus() / "macros/undo_last.yaml"

    outcome = program("macro", "run", "--macro-file", file, "--json")

    assert outcome.exit_code == 3
    assert outcome.error["code"] == "capability_gap"
    assert "DISPLAY" in outcome.error["hint"]


def test_a_published_macro_runs_by_name_from_a_folder_of_macros(program: Program) -> None:
    source = require_corpus() / "macros/transform_json.yaml"
    program.file("macros/t.yaml", source.read_text())

    assert program("macro", "info", "transform_json", "--json").document["tags"] == [
        "json",
        "file_transform",
        "example",
    ]
