"""The hub finds a macro and lets the runtime, in its own environment, carry it out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import main
from cli_hub.errors import CommandFailed, NotFound, RequirementMissing
from cli_hub.macros.dispatch import RUNTIME, MacroRunner
from cli_hub.runs.dispatch import Dispatcher
from cli_hub.runs.record import RunShelf
from tests.support.harnesses import Machine

MACRO = "name: cut\nversion: '1.0'\ndescription: Cut.\n"
MACRO += "parameters: {at: {type: float}, pw: {type: string, secret: true}}\nsteps: []\n"

RUNTIME_PROGRAM = """\
import json, os, sys

def main():
    if "--help" in sys.argv:
        print("usage")
        return 0
    if "mode=silent" in sys.argv:
        print("it broke", file=sys.stderr)
        return 1
    if "mode=long" in sys.argv:
        print(json.dumps({"success": True, "output": "x" * 3_000_000}))
        return 0
    failed = "mode=fail" in sys.argv
    error = {"code": "step_failed", "message": "no", "hint": "try"} if failed else None
    print(json.dumps({
        "success": not failed, "status": "failed" if failed else "ok", "error": error, "steps": [],
        "output": {
            "argv": sys.argv[1:],
            "path": os.environ["PATH"],
            "folders": json.loads(os.environ["CLI_HUB_MACRO_FOLDERS"]),
        },
        "telemetry": {},
    }))
    return 1 if failed else 0
"""
"""A runtime that says what it was told; it knows nothing of macros."""


@pytest.fixture
def runner(machine: Machine) -> MacroRunner:
    machine.index.add("cutter", files={"cutter_pkg/macro_definitions/cut.yaml": MACRO})
    machine.index.add(RUNTIME, scripts={RUNTIME: RUNTIME_PROGRAM})
    machine.install("cutter")
    machine.install(RUNTIME)
    return open_runner(machine)


def open_runner(machine: Machine, project: Path | None = None) -> MacroRunner:
    installed = machine.installer().installed()
    return MacroRunner(machine.paths, installed, Dispatcher(machine.paths), project)


def own_macro(folder: Path, name: str) -> Path:
    file = folder / "macros" / f"{name}.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"name: {name}\nsteps: []\n")
    return file


def test_the_runtime_is_told_the_file_and_the_parameters(runner: MacroRunner) -> None:
    answer = runner.ask("run", "cutter/cut", ["at=1.5"])

    told = answer.document["output"]["argv"]
    assert told[:3] == ["macro", "run", "--macro-file"]
    assert Path(told[3]).read_text() == MACRO
    assert told[4:] == ["--param", "at=1.5", "--json"]


def test_programs_of_the_macros_harness_come_first(runner: MacroRunner, machine: Machine) -> None:
    path = runner.ask("run", "cut").document["output"]["path"].split(os.pathsep)

    assert path[0] == str(machine.installer().find("cutter").bin)
    assert path[1] == str(machine.paths.bin)


def test_the_users_and_the_projects_macros_are_run_like_any_other(
    runner: MacroRunner, machine: Machine, tmp_path: Path
) -> None:
    files = {
        "user/mine": own_macro(machine.paths.home, "mine"),
        "project/ours": own_macro(tmp_path, "ours"),
    }

    found = open_runner(machine, tmp_path)

    assert {macro.address for macro in found.found.macros} == {"cutter/cut", *files}
    for address, file in files.items():
        told = found.ask("run", address).document["output"]
        assert told["argv"][3] == str(file)
        assert told["path"].split(os.pathsep)[0] == str(machine.paths.bin)


def test_the_runtime_learns_where_harnesses_in_other_environments_keep_their_macros(
    runner: MacroRunner, machine: Machine
) -> None:
    [(origin, folder)] = runner.ask("run", "cut").document["output"]["folders"]

    assert origin == "cutter"
    assert (Path(folder) / "cut.yaml").is_file()


def test_the_runtimes_exit_code_and_answer_are_kept_with_a_record(
    runner: MacroRunner, machine: Machine
) -> None:
    answer = runner.ask("run", "cut", ["mode=fail"])

    assert answer.exit_code == 1
    assert answer.document["error"]["code"] == "step_failed"
    assert RunShelf(machine.paths).find(answer.record.id).exit_code == 1


def test_an_answer_longer_than_a_record_keeps_is_read_whole(runner: MacroRunner) -> None:
    answer = runner.ask("run", "cut", ["mode=long"])

    assert len(answer.document["output"]) == 3_000_000
    assert answer.record.truncated


def test_a_secret_parameter_is_masked_in_the_record(runner: MacroRunner, machine: Machine) -> None:
    record = runner.ask("run", "cut", ["pw=hunter2 x", "at=1"]).record

    kept = b"".join(path.read_bytes() for path in machine.paths.home.rglob("*") if path.is_file())
    assert "at=1" in record.argv
    assert not any("hunter2" in word for word in record.argv)
    assert b"hunter2" not in kept


def test_a_runtime_that_does_not_answer_is_a_failure_that_says_why(runner: MacroRunner) -> None:
    with pytest.raises(CommandFailed, match="it broke"):
        runner.ask("run", "cut", ["mode=silent"])


def test_without_a_runtime_the_next_step_is_to_install_it(machine: Machine) -> None:
    machine.index.add("cutter", files={"cutter_pkg/macro_definitions/cut.yaml": MACRO})
    machine.install("cutter")

    with pytest.raises(RequirementMissing) as caught:
        open_runner(machine).ask("run", "cut")

    assert caught.value.hint == "cli-hub install macrocli"


def test_an_unknown_macro_gets_the_nearest_names(runner: MacroRunner) -> None:
    with pytest.raises(NotFound) as caught:
        runner.ask("run", "cutt")

    assert "cut" in caught.value.hint


def test_the_commands_print_what_their_schemas_say(
    runner: MacroRunner,
    machine: Machine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CLI_HUB_HOME", str(machine.paths.home))
    capsys.readouterr()

    for line, schema in (
        (["macro", "list"], "macro-list"),
        (["macro", "info", "cut"], "macro"),
        (["macro", "run", "cut", "-p", "at=1"], "macro-answer"),
    ):
        assert main([*line, "--json"]) == 0
        jsonschema.validate(json.loads(capsys.readouterr().out), schemas.load(schema))
    assert main(["macro", "run", "cut", "-p", "mode=fail"]) == 1
    assert "error: no" in capsys.readouterr().err
