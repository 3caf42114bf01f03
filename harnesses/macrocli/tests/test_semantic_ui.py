"""Windows, menus, buttons and text of real GTK programs, by their names."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harnesses.macrocli.tests.desktop import Desktop, file_says
from harnesses.macrocli.tests.program import Outcome, Program
from tests.support.requirements import require_program

pytestmark = pytest.mark.slow

SCRIPTS = "Grüße 你好 – naïve €5 “x” 😀 Ωß"


def steps(program: Program, *found: dict[str, Any]) -> Outcome:
    return program.run(json.dumps({"name": "m", "steps": list(found)}, ensure_ascii=False))


def step(action: str, **params: Any) -> dict[str, Any]:
    return {"backend": "semantic_ui", "action": action, "params": params}


@pytest.fixture
def editor(on_screen: Program, screen: Desktop) -> Iterator[Path]:
    """A real editor with an empty file, in front."""
    require_program("mousepad")
    file = on_screen.file("letter.txt", "")
    process = screen.start("mousepad", "--disable-server", str(file))
    screen.wait_for_window("letter.txt")
    yield file
    process.terminate()
    process.wait(10)


def test_text_of_every_script_arrives_whole_and_a_menu_saves_it(
    on_screen: Program, editor: Path
) -> None:
    outcome = steps(
        on_screen,
        step("focus_window", title_contains="letter.txt"),
        step("type_text", text=f"first\n{SCRIPTS}\n"),
        step("menu_click", path="File > Save", app="mousepad"),
    )

    assert outcome.exit_code == 0, outcome.out
    assert file_says(editor, f"first\n{SCRIPTS}\n") == f"first\n{SCRIPTS}\n"


def test_text_of_every_script_replaces_a_selection(on_screen: Program, editor: Path) -> None:
    outcome = steps(
        on_screen,
        step("type_text", text="old words"),
        step("shortcut", keys="ctrl+a"),
        step("type_text", text=SCRIPTS),
        step("shortcut", keys="ctrl+s"),
    )

    assert outcome.exit_code == 0, outcome.out
    assert file_says(editor, SCRIPTS) == SCRIPTS


def test_the_controls_of_a_program_are_listed(on_screen: Program, editor: Path) -> None:
    outcome = steps(on_screen, step("get_controls", app="mousepad", role="menu item", limit=5))
    output = outcome.document["steps"][0]["output"]

    assert len(output["controls"]) == 5
    assert output["truncated"] is True
    assert {control["role"] for control in output["controls"]} == {"menu item"}


def test_a_menu_item_that_is_not_there_is_told(on_screen: Program, editor: Path) -> None:
    outcome = steps(on_screen, step("menu_click", path="File > Fly", timeout_ms=300))

    assert outcome.exit_code == 1
    assert "no menu item 'File > Fly' is there" in outcome.error["message"]


def test_a_dialog_is_answered_by_its_button(on_screen: Program, screen: Desktop) -> None:
    require_program("zenity")
    dialog = screen.start("zenity", "--question", "--title", "Proceed", "--text", "Go on?")
    screen.wait_for_window("Proceed")

    outcome = steps(
        on_screen,
        step("wait_for_window", title_contains="proceed"),
        step("button_click", name="Yes", app="zenity"),
    )

    assert outcome.exit_code == 0, outcome.out
    assert dialog.wait(10) == 0


def test_waiting_for_a_window_ends_when_it_comes_and_when_it_never_does(
    on_screen: Program, screen: Desktop
) -> None:
    require_program("zenity")
    late = "sleep 1; exec zenity --info --title Later --text x"
    screen.start("sh", "-c", late)

    came = steps(on_screen, step("wait_for_window", title_contains="Later", timeout_ms="15s"))
    never = steps(on_screen, step("wait_for_window", title_contains="Never", timeout_ms=200))

    assert came.document["steps"][0]["output"]["title"] == "Later"
    assert never.exit_code == 1
    assert "no window has 'Never'" in never.error["message"]


def test_the_steps_timeout_bounds_every_wait(on_screen: Program) -> None:
    waiting = step("wait_for_window", title_contains="Never", timeout_ms="60s")

    outcome = steps(on_screen, {**waiting, "timeout": "300ms"})

    assert outcome.exit_code == 124


def test_a_window_is_a_condition(on_screen: Program, screen: Desktop) -> None:
    require_program("zenity")
    screen.start("zenity", "--info", "--title", "Conditional", "--text", "x")
    screen.wait_for_window("Conditional")

    outcome = on_screen.run(
        "name: m\nsteps:\n  - {action: run_command, params: {command: ['true']}}\n"
        "postconditions:\n  - window_exists: conditional\n  - not: {window_exists: nothing-here}\n"
    )

    assert outcome.exit_code == 0, outcome.out


def test_a_key_nobody_knows_is_a_bad_argument(on_screen: Program) -> None:
    outcome = steps(on_screen, step("shortcut", keys="hyper+x"))

    assert outcome.exit_code == 1
    assert "is not a key combination" in outcome.error["message"]


def test_backends_are_available_here(on_screen: Program) -> None:
    available = {b["name"]: b["available"] for b in on_screen("backends", "--json").document}

    assert available["semantic_ui"] is True
    assert available["visual_anchor"] is True
    assert available["gui_macro"] is True
