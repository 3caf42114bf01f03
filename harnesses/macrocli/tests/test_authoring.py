"""Typed text becomes parameters, by name or by a model; a goal becomes a sound draft."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from harnesses.macrocli.tests.desktop import require_extra
from harnesses.macrocli.tests.model_server import ModelServer, model_server, screenshot, tool_calls
from harnesses.macrocli.tests.program import Program

LETTER = """\
name: letter
# who gets it
steps:
  - id: greet
    action: type_text
    params:
      text: "Dear Ada"   # the name
  - {id: sum, action: type_text, params: {text: 'Costs $5, $${x}'}}
  - {id: fixed, action: type_text, params: {text: 'To ${who}'}}
  - {id: save, action: hotkey, params: {keys: ctrl+s}}
parameters: {who: {default: me}}
"""


@pytest.fixture
def letter(program: Program) -> Path:
    return program.file("letter.yaml", LETTER)


def parameterize(program: Program, *words: str) -> Any:
    return program("macro", "parameterize", "--macro-file", "letter.yaml", *words, "--json")


def test_named_text_becomes_a_parameter_and_nothing_else_changes(
    program: Program, letter: Path
) -> None:
    outcome = parameterize(program, "--set", "greet=greeting", "--set", "sum=amount")
    text = letter.read_text()

    assert outcome.exit_code == 0, outcome.out
    assert [one["name"] for one in outcome.document["parameters"]] == ["greeting", "amount"]
    assert outcome.document["kept"] == []
    assert '      text: "${greeting}"   # the name' in text
    assert "# who gets it" in text
    info = program("macro", "info", "--macro-file", letter, "--json").document["parameters"]
    assert {name: one["default"] for name, one in info.items()} == {
        "who": "me",
        "greeting": "Dear Ada",
        "amount": "Costs $5, ${x}",
    }


def test_a_dry_run_and_another_file_leave_the_macro_as_it_is(
    program: Program, letter: Path
) -> None:
    dry = parameterize(program, "--set", "greet=greeting", "--dry-run")
    other = parameterize(program, "--set", "greet=greeting", "-o", "other.yaml")

    assert dry.document["written"] is False
    assert letter.read_text() == LETTER
    assert other.document["file"] == str(program.folder / "other.yaml")
    assert "${greeting}" in (program.folder / "other.yaml").read_text()


@pytest.mark.parametrize(
    ("words", "exit_code", "said"),
    [
        (("--set", "greet=who"), 4, "already stands for something else"),
        (("--set", "greet=x", "--set", "sum=x"), 4, "already stands for something else"),
        (("--set", "fixed=x"), 3, "no step 'fixed' types text"),
        (("--set", "greet"), 2, "write STEP=NAME"),
        (("--set", "greet=a b"), 2, "cannot name a parameter"),
        (("--set", "greet=x", "--auto"), 2, "exclude each other"),
        ((), 2, "nobody is here to ask"),
    ],
)
def test_a_name_that_makes_no_sense_changes_nothing(
    program: Program, letter: Path, words: tuple[str, ...], exit_code: int, said: str
) -> None:
    outcome = parameterize(program, *words)

    assert outcome.exit_code == exit_code
    assert said in outcome.error["message"]
    assert letter.read_text() == LETTER


def test_without_anybody_to_ask_the_values_are_listed(program: Program, letter: Path) -> None:
    details = parameterize(program).error["details"]

    assert [value["step"] for value in details["values"]] == ["greet", "sum"]


@pytest.mark.slow
def test_at_a_terminal_a_person_is_asked_for_each_name(program: Program, letter: Path) -> None:
    leader, follower = pty.openpty()
    words = ("macro", "parameterize", "--macro-file", "letter.yaml")
    process = subprocess.Popen(
        [sys.executable, "-m", "cli_anything.macrocli", *words],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        cwd=program.folder,
        env=dict(os.environ),
        close_fds=True,
    )
    os.close(follower)

    def answer(question: bytes, reply: bytes) -> None:
        shown, deadline = b"", time.monotonic() + 20
        while question not in shown and time.monotonic() < deadline:
            if select.select([leader], [], [], 0.2)[0]:
                shown += os.read(leader, 65536)
        assert question in shown
        os.write(leader, reply)

    try:
        answer(b"greet: 'Dear Ada'", b"greeting\r")
        answer(b"sum: ", b"\r")
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert '"${greeting}"' in letter.read_text()
    assert "Costs $5" in letter.read_text()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Start a model server that gives the wanted answers, one after the other."""
    require_extra("gui_agent", "openai")
    monkeypatch.setenv("MACROCLI_MODEL", "writer-1")
    monkeypatch.setenv("MACROCLI_API_KEY", "sk-right")
    open_servers = []

    def serve(*answers: dict[str, Any]) -> ModelServer:
        left = list(answers)
        opened = model_server(lambda _request: left.pop(0))
        open_servers.append(opened)
        server = opened.__enter__()
        monkeypatch.setenv("MACROCLI_BASE_URL", server.url)
        return server

    yield serve
    for opened in open_servers:
        opened.__exit__(None, None, None)


def test_a_model_names_what_differs_and_leaves_the_rest(
    program: Program, letter: Path, asked: Any
) -> None:
    named = {"step": "greet", "name": "recipient", "description": "Who is greeted."}
    server = asked(tool_calls(("name_values", {"values": [named]})))

    outcome = parameterize(program, "--auto")

    assert outcome.exit_code == 0, outcome.out
    assert outcome.document["kept"] == ["sum"]
    told = json.loads(server.requests[0]["messages"][-1]["content"])
    assert told["typed"][0] == {"step": "greet", "text": "Dear Ada"}
    info = program("macro", "info", "--macro-file", letter, "--json").document["parameters"]
    assert info["recipient"]["description"] == "Who is greeted."


@pytest.mark.parametrize(
    "reply",
    [
        {"role": "assistant", "content": "recipient"},
        tool_calls(("name_values", {"values": [{"step": "greet"}]})),
        tool_calls(("name_values", {"values": 3})),
    ],
)
def test_names_of_no_use_are_a_failure_and_change_nothing(
    program: Program, letter: Path, asked: Any, reply: dict[str, Any]
) -> None:
    asked(reply)

    outcome = parameterize(program, "--auto")

    assert (outcome.exit_code, outcome.error["code"]) == (1, "model_failed")
    assert letter.read_text() == LETTER


GOOD = "name: tidy\nsteps:\n  - {action: run_command, params: {command: [echo, done]}}\n"
WRONG = "name: tidy\nsteps:\n  - {action: run_comand, params: {command: [echo]}}\n"


def written(text: str) -> dict[str, Any]:
    return tool_calls(("write_macro", {"yaml": text}))


@pytest.mark.slow
def test_a_draft_is_corrected_until_it_is_sound_and_is_not_run(
    on_screen: Program, show: Any, asked: Any
) -> None:
    require_extra("visual", "cv2", "mss")
    show(1.0, (200, 300))
    server = asked(written(WRONG), written(GOOD.replace("tidy", "other")), written(GOOD))

    outcome = on_screen("macro", "assist", "tidy", "--goal", "Tidy the desk up.", "--json")

    assert outcome.exit_code == 0, outcome.out
    assert (outcome.document["rounds"], outcome.document["screenshot"]) == (3, True)
    assert Path(outcome.document["file"]).read_text() == GOOD
    first, second, third = server.requests
    assert "run_command(command" in first["messages"][0]["content"]
    assert "file_newer_than_start" in first["messages"][0]["content"]
    assert screenshot(first).getpixel((330, 390)) == (0x3A, 0x7B, 0xD5)  # the button it sees
    assert "run_command" in second["messages"][-1]["content"]
    assert "must be 'tidy'" in third["messages"][-1]["content"]
    assert on_screen("session", "list", "--json").document == []


def test_a_draft_that_never_becomes_sound_leaves_nothing(program: Program, asked: Any) -> None:
    asked({"role": "assistant", "content": "Well"}, *[written(WRONG)] * 3)

    outcome = program("macro", "assist", "tidy", "--goal", "Tidy up.", "--json")

    assert (outcome.exit_code, outcome.error["code"]) == (1, "model_failed")
    assert "no backend has an action 'run_comand'" in outcome.error["message"]
    assert not (program.folder / "macros").exists()


def test_a_file_that_is_there_is_not_written_over(program: Program, asked: Any) -> None:
    kept = program.file("macros/tidy.yaml", GOOD)
    server = asked()

    outcome = program("macro", "assist", "tidy", "--goal", "x", "--json")

    assert outcome.exit_code == 4
    assert kept.read_text() == GOOD
    assert server.requests == []


def test_without_a_model_it_says_which_settings_are_missing(program: Program) -> None:
    require_extra("gui_agent", "openai")
    outcome = program("macro", "assist", "tidy", "--goal", "x", "--json")

    assert outcome.exit_code == 5
    assert "MACROCLI_MODEL and MACROCLI_API_KEY not set" in outcome.error["message"]
