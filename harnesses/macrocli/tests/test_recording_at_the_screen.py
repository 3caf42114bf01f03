"""A person works at one screen; the macro made of it does the same at another."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from harnesses.macrocli.tests.desktop import Desktop, desktop, file_says, require_extra, until
from harnesses.macrocli.tests.program import Outcome, Program
from tests.support.requirements import require_program

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _libraries() -> None:
    require_extra("visual", "cv2", "mss", "pynput")


class Recording:
    """``macro record`` while it goes on."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def end(self, exit_code: int = 0) -> Any:
        """Its answer, once it has ended by itself."""
        out, err = self._process.communicate(timeout=30)
        assert self._process.returncode == exit_code, err
        return json.loads(out)


@contextmanager
def recording(screen: Desktop, folder: Path, *words: str) -> Iterator[Recording]:
    """Record on *screen*; the block begins when everything listens."""
    process = subprocess.Popen(
        [sys.executable, "-m", "cli_anything.macrocli", "macro", "record", "--json", *words],
        cwd=folder,
        env={**os.environ, **screen.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        while not process.stderr.readline().startswith("recording; "):
            assert process.poll() is None
        yield Recording(process)
    finally:
        process.kill()
        process.wait()


def replayed_elsewhere(
    program: Program, home: Path, monkeypatch: pytest.MonkeyPatch, file: str, *params: str
) -> Outcome:
    """Run the recorded macro on a screen nothing has happened on."""
    with desktop(home) as fresh:
        for name, value in fresh.environment.items():
            monkeypatch.setenv(name, value)
        pairs = [word for pair in params for word in ("-p", pair)]
        outcome = program("macro", "run", "--macro-file", file, *pairs, "--json")
        if outcome.exit_code == 0:
            settle(program.folder)
        return outcome


def settle(folder: Path) -> None:
    """A saved file appears a moment after its keys were pressed."""

    def state() -> list[tuple[str, int]]:
        return sorted((str(p), p.stat().st_mtime_ns) for p in folder.glob("*") if p.is_file())

    last, same = state(), 0
    while same < 5:
        time.sleep(0.1)
        now = state()
        last, same = now, same + 1 if now == last else 0


def test_a_letter_is_written_again_by_menu_keys_and_a_click_in_a_plain_area(
    program: Program, screen: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_program("mousepad")
    letter = program.file("letter.txt", "")
    command = ("mousepad", "--disable-server", "letter.txt")
    with recording(screen, program.folder, "letter", "--", *command) as recorder:
        window = screen.wait_for_window("letter.txt")
        time.sleep(0.5)
        person = screen.xdotool
        person("mousemove", "--window", window, "320", "300", "click", "1")
        person("type", "--delay", "20", "Dear Adam")
        person("key", "BackSpace")
        person("key", "Return")
        person("type", "--delay", "20", "Costs $5, {x} ${y} \"and\" 'so'")
        time.sleep(0.3)
        person("mousemove", "--window", window, "20", "12", "click", "1")  # the File menu
        time.sleep(0.8)
        person("mousemove", "--window", window, "60", str(menu_row(screen, "Save")), "click", "1")
        said = "Dear Ada\nCosts $5, {x} ${y} \"and\" 'so'"
        assert file_says(letter, said) == said
        person("key", "ctrl+q")
        answer = recorder.end()

    macro = yaml.safe_load(Path(answer["file"]).read_text())
    assert answer["ended_by"] == "the program ended"
    assert (answer["parameters"], answer["notes"]) == ([], [])
    actions = [step["action"] for step in macro["steps"]]
    assert actions[:3] == ["start_process", "focus_window", "replay"]
    assert actions.count("click_image") + actions.count("click_relative") == 2
    letter.write_text("")
    outcome = replayed_elsewhere(program, tmp_path / "fresh", monkeypatch, answer["file"])
    assert outcome.exit_code == 0, outcome.out
    assert letter.read_text() == said


def menu_row(screen: Desktop, label: str) -> int:
    """How far below the window's upper edge the menu item is, asked of the running editor."""
    from cli_anything.macrocli.desktop.accessibility import open_tree, same_label

    tree = open_tree(screen.environment)
    try:

        def look() -> str:
            for application in tree.applications("mousepad"):
                for control in tree.controls(application.node):
                    if control.role == "menu item" and same_label(control.name, label):
                        box = tree.box(control.node)
                        if box and "showing" in control.states:
                            return str(box[1] + box[3] // 2)
            return ""

        return int(until(look, 5))
    finally:
        tree.close()


FORM = (
    "zenity --forms --title Login --text x --add-entry User --add-password Word "
    "--separator / > form.txt"
)


def test_a_password_is_never_written_down_and_asked_for_at_replay(
    program: Program, screen: Desktop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_program("zenity")
    with recording(screen, program.folder, "login", "--", "sh", "-c", FORM) as recorder:
        window = screen.wait_for_window("Login")
        time.sleep(0.5)
        screen.xdotool("type", "--delay", "15", "ada")
        screen.xdotool("key", "Tab")
        screen.xdotool("type", "--delay", "15", "Hunter2!")
        screen.xdotool("key", "Tab", "Tab", "Return")
        assert window
        answer = recorder.end()

    folder = Path(answer["file"]).parent
    form = program.folder / "form.txt"
    assert form.read_text() == "ada/Hunter2!\n"
    assert answer["parameters"] == ["password_1"]
    everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"unter" not in everything
    assert "Hunter2!" not in json.dumps(answer)
    form.unlink()

    outcome = replayed_elsewhere(
        program, tmp_path / "fresh", monkeypatch, answer["file"], "password_1=Hunter2!"
    )

    assert outcome.exit_code == 0, outcome.out
    assert form.read_text() == "ada/Hunter2!\n"
    assert "unter" not in outcome.out + outcome.err


def test_the_hot_key_ends_a_recording_and_is_no_part_of_it(
    program: Program, screen: Desktop
) -> None:
    with recording(screen, program.folder, "keys", "--stop-key", "ctrl+alt+q") as recorder:
        screen.xdotool("key", "F5", "shift+Tab", "ctrl+alt+q", "F6")
        answer = recorder.end()

    steps = yaml.safe_load(Path(answer["file"]).read_text())["steps"]
    assert answer["ended_by"] == "hot key"
    assert [step["params"]["keys"] for step in steps] == ["f5", "shift+tab"]


def test_what_was_typed_into_an_unknown_field_is_withheld_unless_asked_for(
    program: Program, show: Any, screen: Desktop
) -> None:
    show()
    answers = []
    for flags in ((), ("--keep-typed-text",)):
        name = f"m{len(answers)}"
        with recording(screen, program.folder, name, "--timeout", "1500ms", *flags) as recorder:
            screen.xdotool("type", "words")
            answers.append(recorder.end())

    withheld, kept = (Path(answer["file"]).read_text() for answer in answers)
    assert [answer["ended_by"] for answer in answers] == ["timeout", "timeout"]
    assert answers[0]["parameters"] == ["text_1"]
    assert "words" not in withheld
    assert "secret: true" in withheld
    assert "words" in kept
    assert answers[1]["parameters"] == []


def test_a_drag_a_double_click_and_the_wheel_are_repeated(
    on_screen: Program, show: Any, screen: Desktop
) -> None:
    shown = show(1.0, (40, 60))
    with recording(screen, on_screen.folder, "hand") as recorder:
        person = screen.xdotool
        person("mousemove", "205", "160", "click", "--repeat", "2", "--delay", "40", "1")
        time.sleep(0.7)
        person(
            "mousemove", "60", "100", "mousedown", "1", "mousemove", "100", "130", "mouseup", "1"
        )
        person("mousemove", "70", "90", "click", "--repeat", "3", "--delay", "20", "4")
        person("key", "ctrl+shift+F12")
        answer = recorder.end()
    by_the_person = shown.events(12)

    outcome = on_screen("macro", "run", "--macro-file", answer["file"], "--json")

    assert outcome.exit_code == 0, outcome.out
    again = shown.events(24)[12:]
    assert [event[:2] for event in again] == [event[:2] for event in by_the_person]
    for (*_, x, y), (*_, to_x, to_y) in zip(by_the_person, again, strict=True):
        assert (x, y) == pytest.approx((to_x, to_y), abs=2)


def test_a_recording_in_which_nothing_happens_leaves_nothing(
    program: Program, screen: Desktop
) -> None:
    with recording(screen, program.folder, "idle", "--timeout", "300ms") as recorder:
        error = recorder.end(exit_code=1)["error"]

    assert error["code"] == "nothing_recorded"
    assert not (program.folder / "macros").exists()


def test_a_folder_that_is_there_is_left_alone(on_screen: Program) -> None:
    kept = on_screen.file("macros/mine/mine.yaml", "kept")

    outcome = on_screen("macro", "record", "mine", "--json")

    assert outcome.exit_code == 4
    assert kept.read_text() == "kept"


def test_recording_without_a_screen_says_what_is_missing(program: Program) -> None:
    outcome = program("macro", "record", "m", "--json")

    assert outcome.exit_code == 5
    assert "no display" in outcome.error["message"]


@pytest.mark.parametrize(
    "words", [("a b",), ("m", "--timeout", "soon"), ("m", "--stop-key", "hyper+x")]
)
def test_a_wish_that_makes_no_sense_is_wrong_usage(
    on_screen: Program, words: tuple[str, ...]
) -> None:
    assert on_screen("macro", "record", *words, "--json").exit_code == 2


def test_a_picture_is_taken_from_before_the_pointer_changed_its_colours() -> None:
    import cv2
    import numpy

    from cli_anything.macrocli.recording.screen import Look, choose_anchor

    screen = numpy.full((200, 300, 3), 230, numpy.uint8)
    cv2.putText(screen, "Save as", (100, 60), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0), 2)
    hovered = screen.copy()
    hovered[35:75, 80:220] = 255 - hovered[35:75, 80:220]
    elsewhere = numpy.full((200, 300, 3), 90, numpy.uint8)
    looks = [Look(0, (10, 10), elsewhere), Look(1, (10, 190), screen), Look(2, (140, 55), hovered)]

    anchor = choose_anchor(looks, 140, 55)
    without = choose_anchor([looks[0], looks[2]], 140, 55)

    assert anchor is not None
    assert without is not None
    picture = cv2.imdecode(numpy.frombuffer(anchor.png, numpy.uint8), cv2.IMREAD_COLOR)
    assert picture.max() == 230  # as it is before the pointer is there
    other = cv2.imdecode(numpy.frombuffer(without.png, numpy.uint8), cv2.IMREAD_COLOR)
    assert other.max() == 255  # the older scene was another one
    assert choose_anchor(looks[:1], 20, 170) is None  # a plain area has no picture
