"""The published JSON Schema and the runtime agree on what a macro file is."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from cli_anything.macrocli import read_macro, read_parameters, read_steps
from cli_anything.macrocli.conditions.kinds import KINDS
from cli_anything.macrocli.problems import BadMacro
from cli_anything.macrocli.read_macro import parse_macro

PACKAGE = Path(__file__).parents[1] / "cli_anything/macrocli"
SCHEMA = json.loads((PACKAGE / "schemas/macro.schema.json").read_text())
STEP = "steps: [{action: run_command, params: {command: [echo]}}]"


def test_the_schema_names_the_same_keys() -> None:
    parts = SCHEMA["$defs"]

    assert set(SCHEMA["properties"]) == set(read_macro.KEYS)
    assert set(parts["step"]["properties"]) == set(read_steps.KEYS)
    assert set(parts["parameter"]["properties"]) == set(read_parameters.KEYS)
    assert set(parts["condition"]["properties"]) == {*KINDS, "not", "any", "all"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "macro_definitions").glob("[!m]*.yaml")))
def test_the_shipped_macros_fit_it(path: Path) -> None:
    jsonschema.validate(yaml.safe_load(path.read_text()), SCHEMA)


@pytest.mark.parametrize(
    "text",
    [
        "name: m",
        "name: m\nsteps: []",
        f"name: 'a b'\n{STEP}",
        f"name: m\nstepz: 1\n{STEP}",
        f"name: m\nparameters: {{a: {{type: int}}}}\n{STEP}",
        f"name: m\nparameters: {{steps: {{}}}}\n{STEP}",
        f"name: m\npostconditions: [{{file_exist: x}}]\n{STEP}",
        f"name: m\noutputs: [{{name: a}}]\n{STEP}",
        f"name: m\noutputs: [{{name: a, path: b, value: c}}]\n{STEP}",
        f"name: m\nagent_hints: {{danger_level: none}}\n{STEP}",
        "name: m\nsteps: [{id: a}]",
        "name: m\nsteps: [{action: run_command, params: {command: [a]}, on_failure: abort}]",
        "name: m\nsteps: [{action: run_command, params: {command: [a]}, timeout: 3}]",
        "name: m\nsteps: [{action: run_command, params: {command: [a]}, max_retries: -1}]",
    ],
)
def test_what_the_schema_refuses_the_runtime_refuses_too(text: str) -> None:
    assert not jsonschema.Draft202012Validator(SCHEMA).is_valid(yaml.safe_load(text))
    with pytest.raises(BadMacro):
        parse_macro(text, source="m.yaml", folder=Path("/"))
