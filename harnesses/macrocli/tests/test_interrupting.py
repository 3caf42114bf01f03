"""Ctrl-C ends the step with all it started, cleans up, and is told like any other end."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from harnesses.macrocli.tests.desktop import until
from harnesses.macrocli.tests.program import Program

pytestmark = pytest.mark.slow

MACRO = """\
name: m
parameters: {n: {default: '1'}}
steps:
  - id: long
    action: run_command
    max_retries: 3
    on_failure: skip
    params: {command: [sh, -c, 'touch begun${n}; sleep 91.5 & sleep 91.25; touch ended${n}']}
  - {id: next, action: run_command, params: {command: [touch, 'after${n}']}}
finally:
  - {id: clean, action: run_command, params: {command: [sh, -c, 'sleep 0.3; touch clean${n}']}}
"""


def interrupted(program: Program, number: signal.Signals, *words: str) -> tuple[int, Any]:
    """Start a command line, interrupt it once its step runs, and give exit code and answer."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli_anything.macrocli", *words, "--json"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=program.folder,
        env=dict(os.environ),
    )
    until(lambda: "yes" if (program.folder / "begun1").exists() else "")
    time.sleep(0.2)
    process.send_signal(number)
    out, _ = process.communicate(timeout=30)
    return process.returncode, json.loads(out)


def left_running(folder: Path) -> list[int]:
    """What a macro started in *folder*: another test may run the same programs elsewhere."""
    return [
        found.pid
        for found in psutil.process_iter(["cmdline", "cwd", "status"])
        if {"91.5", "91.25"} & set(found.info["cmdline"] or ())
        and found.info["cwd"] == str(folder)
        and found.info["status"] != psutil.STATUS_ZOMBIE
    ]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_is_ended_cleaned_up_and_recorded(program: Program, number: signal.Signals) -> None:
    file = program.file("m.yaml", MACRO)

    code, answer = interrupted(program, number, "macro", "run", "--macro-file", str(file))

    assert code == 130
    assert (answer["success"], answer["status"]) == (False, "failed")
    assert (answer["error"]["code"], answer["error"]["step"]) == ("interrupted", "long")
    assert [step["status"] for step in answer["steps"]] == ["failed", "not_run", "success"]
    assert len(answer["steps"][0]["attempts"]) == 1
    names = {path.name for path in program.folder.iterdir()}
    assert names == {"m.yaml", "begun1", "clean1"}
    assert left_running(program.folder) == []
    records = sqlite3.connect(program.folder.parent / "home/macrocli/runs.sqlite3")
    assert records.execute("SELECT status, exit_code FROM runs").fetchall() == [("failed", 130)]


def test_an_inner_macro_is_ended_and_cleaned_up_too(program: Program) -> None:
    program.file("macros/inner.yaml", MACRO)
    program.file(
        "macros/outer.yaml",
        "name: outer\nsteps:\n  - {id: i, macro: m, max_retries: 2, on_failure: continue}\n"
        "  - {action: run_command, params: {command: [touch, outer_after]}}\n"
        "finally:\n  - {action: run_command, params: {command: [touch, outer_clean]}}\n",
    )

    code, answer = interrupted(program, signal.SIGINT, "macro", "run", "outer")

    assert (code, answer["error"]["code"]) == (130, "interrupted")
    names = {path.name for path in program.folder.iterdir()}
    assert names == {"macros", "begun1", "clean1", "outer_clean"}
    assert left_running(program.folder) == []


def test_a_map_ends_what_runs_and_resumes_with_it(program: Program) -> None:
    file = program.file("m.yaml", MACRO)
    sets = program.file("sets.jsonl", "".join(f'{{"n": "{n}"}}\n' for n in (1, 2, 3)))
    words = ("macro", "map", "--macro-file", str(file), "--params", str(sets), "--jobs", "2")

    code, answer = interrupted(program, signal.SIGINT, *words)

    assert code == 130
    assert answer["error"]["details"]["failed"] == 2
    assert {"clean1", "clean2"} <= {path.name for path in program.folder.iterdir()}
    assert not (program.folder / "begun3").exists()
    assert left_running(program.folder) == []
    program.file("m.yaml", MACRO.replace("sleep 91.5 & sleep 91.25;", ""))
    assert program(*words, "--resume", "--json").document["succeeded"] == 3
