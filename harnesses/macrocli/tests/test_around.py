"""Around the runtime: new macros, captured pictures, the prompt."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from cli_anything.macrocli.cli.main import program as root
from cli_anything.macrocli.repl import Commands
from harnesses.macrocli.tests.desktop import require_extra
from harnesses.macrocli.tests.program import Program
from harnesses.macrocli.tests.shown import BUTTON


def test_a_new_macro_is_valid_and_found_by_its_name(program: Program) -> None:
    made = program("macro", "define", "fresh", "--json")
    again = program("macro", "define", "fresh", "--json")

    assert made.document["file"] == str(program.folder / "macros/fresh.yaml")
    assert program("macro", "validate", "fresh", "--json").exit_code == 0
    assert (again.exit_code, again.error["code"]) == (4, "conflict")


def test_a_new_macro_needs_a_name_that_is_one(program: Program) -> None:
    outcome = program("macro", "define", "a b", "--json")

    assert outcome.exit_code == 2
    assert not (program.folder / "macros").exists()


@pytest.mark.slow
def test_a_captured_picture_is_found_again(on_screen: Program, show: Any) -> None:
    require_extra("visual", "cv2", "mss")
    show(1.0, (40, 60))
    x, y, width, height = (str(v) for v in (40 + BUTTON[0], 60 + BUTTON[1], *BUTTON[2:]))

    taken = on_screen("capture-template", "b.png", "--region", x, y, width, height, "--json")
    plain = on_screen("capture-template", "p.png", "--region", "900", "700", "9", "9", "--json")
    found = on_screen.run(
        "name: m\nsteps:\n  - {id: a, action: wait_image, params: {template: b.png}}\n"
    )

    assert taken.document["places"] == 1
    assert plain.exit_code == 2
    assert "one colour" in plain.error["message"]
    assert not (on_screen.folder / "p.png").exists()
    assert found.document["steps"][0]["output"]["confidence"] > 0.99


def test_capturing_without_a_screen_says_what_is_missing(program: Program) -> None:
    outcome = program("capture-template", "b.png", "--region", "0", "0", "9", "9", "--json")

    assert outcome.exit_code == 5
    assert "no display" in outcome.error["message"] or "not installed" in outcome.error["message"]


def completions(line: str) -> set[str]:
    completer = Commands(root, lambda: ["set_json_value"])
    return {c.text for c in completer.get_completions(Document(line), CompleteEvent())}


def test_the_prompt_completes_commands_macros_and_options() -> None:
    assert "macro" in completions("ma")
    assert completions("macro run se") == {"set_json_value"}
    assert "--macro-file" in completions("macro run --m")


@pytest.mark.slow
def test_at_a_terminal_lines_are_run_until_exit(tmp_path: Path) -> None:
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "cli_anything.macrocli"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "CLI_HUB_HOME": str(tmp_path), "TERM": "xterm"},
        close_fds=True,
    )
    os.close(follower)

    def wait_for(text: bytes) -> bytes:
        """What is shown until *text* is, and a moment longer."""
        shown, deadline = b"", time.monotonic() + 20
        while text not in shown and time.monotonic() < deadline:
            if select.select([leader], [], [], 0.2)[0]:
                shown += os.read(leader, 65536)
        assert text in shown
        time.sleep(0.5)
        return shown

    try:
        wait_for(b"macrocli>")
        os.write(leader, b"macro info set_json_value\r")
        wait_for(b"Set one value of a JSON file")
        os.write(leader, b"exit\r")
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()
        os.close(leader)
