"""Macros from the hub, run by the macro runtime in its own environment, without its extras."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from tests.support.installed_hub import InstalledHub, Said

pytestmark = [pytest.mark.slow, pytest.mark.network]


@pytest.fixture(scope="module")
def hub_with_runtime(hub_program: Path, tmp_path_factory: pytest.TempPathFactory) -> InstalledHub:
    hub = InstalledHub(hub_program, tmp_path_factory.mktemp("home"))
    said = hub("install", "macrocli", "--json")
    assert said.exit_code == 0, said.err
    return hub


def fits(said: Said, schema: str, exit_code: int = 0) -> Any:
    """The answer, which is one document of that schema."""
    assert said.exit_code == exit_code, said.out + said.err
    jsonschema.validate(said.document, schemas.load(schema))
    return said.document


def test_every_verb_answers_with_one_document_of_its_schema(
    hub_with_runtime: InstalledHub, tmp_path: Path
) -> None:
    hub = hub_with_runtime
    name = "macrocli/set_json_value"
    file = tmp_path / "s.json"
    file.write_text('{"a": 1}')
    given = ("-p", f"file={file}", "-p", "key=a", "-p", "value=2")

    addresses = [one["address"] for one in fits(hub("macro", "list", "--json"), "macro-list")]
    assert name in addresses
    assert fits(hub("macro", "info", name, "--json"), "macro")["parameters"]["file"]["required"]
    assert fits(hub("macro", "validate", name, "--json"), "macro-validation")["valid"]
    explained = fits(hub("macro", "explain", name, "--json"), "macro-explanation")
    assert explained["can_run"]
    dry = fits(hub("macro", "dry-run", name, *given, "--json"), "macro-answer")
    assert (dry["status"], file.read_text()) == ("dry_run", '{"a": 1}')
    ran = fits(hub("macro", "run", name, *given, "--json"), "macro-answer")
    assert ran["success"]
    assert json.loads(file.read_text()) == {"a": "2"}
    wrong = fits(hub("macro", "run", name, "-p", "fil=x", "--json"), "error", 2)
    assert "did you mean 'file'" in wrong["error"]["message"]


def test_one_macro_runs_over_many_sets_and_goes_on_where_it_failed(
    hub_with_runtime: InstalledHub, tmp_path: Path
) -> None:
    name = "macrocli/set_json_value"
    for number in range(3):
        (tmp_path / f"{number}.json").write_text('{"a": 1}' if number else "broken")
    sets = tmp_path / "sets.jsonl"
    sets.write_text(
        "".join(
            json.dumps({"file": str(tmp_path / f"{n}.json"), "key": "a", "value": str(n)}) + "\n"
            for n in range(3)
        )
    )
    words = ("macro", "map", name, "--params", str(sets), "--jobs", "2", "--json")

    first = fits(hub_with_runtime(*words), "macro-map", 1)
    (tmp_path / "0.json").write_text("{}")
    second = fits(hub_with_runtime(*words, "--resume"), "macro-map")

    assert (first["succeeded"], first["failed"]) == (2, 1)
    assert first["failures"][0]["line"] == 1
    assert (second["succeeded"], second["skipped"]) == (1, 2)
    assert json.loads((tmp_path / "0.json").read_text()) == {"a": "0"}


def test_people_are_told_the_same_in_lines(hub_with_runtime: InstalledHub) -> None:
    hub = hub_with_runtime

    explained = hub("macro", "explain", "replace_text").out
    validated = hub("macro", "validate", "replace_text").out

    assert "text_replace by file_transform" in explained
    assert "not native_api: it has no action text_replace" in explained
    assert validated.strip() == "replace_text is valid"


def test_without_the_extras_the_backends_say_how_the_hub_brings_them(
    hub_with_runtime: InstalledHub,
) -> None:
    hub = hub_with_runtime

    before = backends(hub)
    assert before["native_api"]["available"]
    assert before["file_transform"]["available"]
    assert before["visual_anchor"]["remedy"] == "cli-hub install 'macrocli[visual]'"
    assert before["gui_agent"]["remedy"] == "cli-hub install 'macrocli[gui_agent,visual]'"

    assert hub("install", "macrocli[gui_agent]").exit_code == 0
    after = backends(hub)
    assert "OpenAI" not in after["gui_agent"]["reason"]
    assert hub("install", "macrocli", "--json").document["items"][0]["status"] == "present"


def backends(hub: InstalledHub) -> dict[str, Any]:
    said = hub("launch", "macrocli", "backends", "--json")
    assert said.exit_code == 0, said.err
    return {one["name"]: one for one in said.document}
