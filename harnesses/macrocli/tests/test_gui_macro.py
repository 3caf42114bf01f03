"""Compiled sequences, replayed on a real editor and on screens of other sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harnesses.macrocli.tests.desktop import Desktop, desktop, file_says, require_extra
from harnesses.macrocli.tests.program import Outcome, Program
from harnesses.macrocli.tests.shown import Shown
from tests.support.requirements import require_program

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _libraries() -> None:
    require_extra("visual", "cv2", "mss")


def replay(program: Program, sequence: dict[str, Any], **params: Any) -> Outcome:
    program.file("s.json", json.dumps(sequence, ensure_ascii=False))
    step = {"backend": "gui_macro", "action": "replay", "params": {"sequence": "s.json", **params}}
    return program.run(json.dumps({"name": "m", "steps": [step]}, ensure_ascii=False))


def sequence(events: list[dict[str, Any]], **layout: Any) -> dict[str, Any]:
    timed = [{"at_ms": 100 * number, **event} for number, event in enumerate(events)]
    screen = {"width": 1280, "height": 800}
    return {"format": "macrocli-sequence/1", "screen": screen, **layout, "events": timed}


def test_a_sequence_writes_a_letter_in_a_real_editor(on_screen: Program, screen: Desktop) -> None:
    require_program("mousepad")
    file = on_screen.file("letter.txt", "")
    screen.start("mousepad", "--disable-server", str(file))
    screen.wait_for_window("letter.txt")
    window = {"title": "letter.txt", "x": 0, "y": 0, "width": 640, "height": 480}
    events = [
        {"type": "click", "x": 300, "y": 300},
        {"type": "text", "text": "Dear "},
        {"type": "text", "value": "name"},
        {"type": "keys", "keys": "enter"},
        {"type": "text", "text": "Grüße"},
        {"type": "keys", "keys": "ctrl+s"},
    ]

    outcome = replay(on_screen, sequence(events, window=window), values={"name": "Ada"})

    assert outcome.exit_code == 0, outcome.out
    assert file_says(file, "Dear Ada\nGrüße") == "Dear Ada\nGrüße"


def test_places_are_scaled_to_another_screen_or_refused(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with desktop(tmp_path / "desk", "640x400") as small:
        for name, value in small.environment.items():
            monkeypatch.setenv(name, value)
        shown = Shown(program, small, 0.5, (100, 50))
        click = sequence([{"type": "click", "x": 400, "y": 200}])

        strict = replay(program, click, layout_strict=True)
        scaled = replay(program, click)

        assert strict.exit_code == 1
        assert "recorded at 1280×800, here it is 640×400" in strict.error["message"]
        assert scaled.exit_code == 0, scaled.out
        assert scaled.document["steps"][0]["output"]["scale_x"] == 0.5
        press = shown.events(2)[0]
        assert (press[2], press[3]) == (200, 100)  # (400·½ - 100, 200·½ - 50), unscaled


def test_a_sequence_follows_its_window(on_screen: Program, show: Any) -> None:
    shown = show(1.5, (300, 200))
    window = {"title": "Picture", "x": 40, "y": 60, "width": 320, "height": 200}

    outcome = replay(on_screen, sequence([{"type": "click", "x": 205, "y": 160}], window=window))

    assert outcome.exit_code == 0, outcome.out
    press = shown.events(2)[0]
    assert (press[2], press[3]) == pytest.approx((165, 100), abs=1)


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ({"format": "other/1"}, "is of the format 'other/1'"),
        ({"format": "macrocli-sequence/1"}, "is not a sequence"),
        (sequence([{"type": "fly"}]), "'fly' is not a valid EventKind"),
        (sequence([{"type": "click", "x": "1", "y": 2}]), "must be a whole number"),
        (sequence([{"type": "text", "value": "n"}]), "values lacks n"),
    ],
)
def test_a_broken_sequence_is_refused_before_its_first_event(
    on_screen: Program, broken: dict[str, Any], said: str
) -> None:
    outcome = replay(on_screen, broken)

    assert outcome.exit_code == 1
    assert said in outcome.error["message"]


def test_without_a_display_it_is_said_and_nothing_else_is_used(program: Program) -> None:
    outcome = replay(program, sequence([]))

    assert outcome.exit_code == 3
    assert "gui_macro not available: there is no display" in outcome.error["message"]
