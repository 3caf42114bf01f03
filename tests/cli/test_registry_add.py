"""``cli-hub registry add`` from the npm index, and with a person who answers its questions."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.support.harnesses import Machine
from tests.support.npm_registry import NpmRegistry
from tests.support.registries import entry, lacking, registry_file
from tests.support.terminal import Terminal, terminal


def test_an_entry_is_drafted_from_a_package_of_the_npm_index(
    program: Program, npm: NpmRegistry, tmp_path: Path
) -> None:
    npm.add(
        "@makers/picture-tool",
        "2.1.0",
        description="Resizes pictures",
        bin={"picture-tool": "cli.js"},
        homepage="https://pictures.example.org",
        repository={"type": "git", "url": "git+https://code.example.org/makers/pictures.git"},
        engines={"node": ">=18"},
    )

    answer = program(
        *("registry", "add", "--from", "npm:@makers/picture-tool", "--set", "category=image"),
        "--json",
    )

    drafted = answer.document("registry-addition")["entry"]
    assert drafted == {
        "name": "picture-tool",
        "display_name": "Picture Tool",
        "version": "latest",
        "description": "Resizes pictures",
        "category": "image",
        "homepage": "https://pictures.example.org",
        "source_url": "https://code.example.org/makers/pictures",
        "install": {"strategy": "npm", "package": "@makers/picture-tool"},
        "needs": [{"kind": "binary", "name": "node", "version": ">=18"}],
        "entry_point": "picture-tool",
    }
    assert json.loads((tmp_path / "registry.json").read_text())["clis"] == [drafted]


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("npm:no-such-thing", "the npm registry has no package no-such-thing"),
        ("npm:@nobody/thing", "the npm registry has no package @nobody/thing"),
        ("pip:no-such-thing", "the Python index has no package no-such-thing"),
    ],
)
def test_a_package_that_no_index_has_is_not_found_and_nothing_is_written(
    program: Program,
    npm: NpmRegistry,
    machine: Machine,
    tmp_path: Path,
    place: str,
    message: str,
) -> None:
    answer = program("registry", "add", "--from", place, "--json")

    assert answer.exit_code == 3
    error = answer.document("error")["error"]
    assert (error["code"], error["message"]) == ("not_found", message)
    assert not (tmp_path / "registry.json").exists()


@contextmanager
def asked(folder: Path, *words: str) -> Iterator[Terminal]:
    """A person who adds an entry that says neither what it does nor where it belongs."""
    (folder / "entry.json").write_text(
        json.dumps(lacking(entry("mine"), "description", "category"))
    )
    line = [sys.executable, "-m", "cli_hub", "registry", "add", "entry.json", *words]
    env = {**os.environ, "CLI_HUB_HOME": str(folder / "home")}
    with terminal(line, env, cwd=folder) as person:
        yield person


def test_a_person_is_asked_for_what_is_missing_and_the_answers_are_written(tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("other"))

    with asked(tmp_path) as person:
        person.until("description: ")
        person.type("Does mine\n")
        person.until("category: ")
        person.type("sorcery\n")
        person.until("'sorcery' is not one of the categories")
        person.until("category: ")
        person.type("testing\n")
        assert person.end() == 0, person.shown

    assert f"mine added to {file.name}" in person.shown
    mine, other = json.loads(file.read_text())["clis"]
    assert (mine["name"], mine["description"], mine["category"]) == ("mine", "Does mine", "testing")
    assert other["name"] == "other"


def test_answers_are_checked_like_any_entry_before_anything_is_written(tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("other"))
    before = file.read_bytes()

    with asked(tmp_path, "--set", "homepage=http://plain.example.org") as person:
        person.until("description: ")
        person.type("Does mine\n")
        person.until("category: ")
        person.type("testing\n")
        assert person.end() == 1, person.shown

    assert "mine was not written: homepage" in person.shown
    assert file.read_bytes() == before


@pytest.mark.parametrize("question", ["description", "category"])
def test_ctrl_c_at_a_question_leaves_the_file_as_it_was(tmp_path: Path, question: str) -> None:
    file = registry_file(tmp_path, entry("other"))
    before = file.read_bytes()
    answered = ["--set", "description=Does mine"] if question == "category" else []

    with asked(tmp_path, *answered) as person:
        person.until(f"{question}: ")
        assert person.interrupt() == 130, person.shown

    assert "interrupted" in person.shown
    assert "Traceback" not in person.shown
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["entry.json", "registry.json"]
