"""Inputs become actions and actions become steps, without a screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_anything.macrocli.desktop.sequence import Rectangle
from cli_anything.macrocli.read_macro import parse_macro
from cli_anything.macrocli.recording.folder import as_yaml
from cli_anything.macrocli.recording.gather import field_of, gather
from cli_anything.macrocli.recording.model import (
    Action,
    Button,
    Clicked,
    Dragged,
    Field,
    FocusChange,
    Input,
    Key,
    Pressed,
    Scrolled,
    Typed,
    Wheel,
    WindowChange,
)
from cli_anything.macrocli.recording.steps import Session, lasting_title, write_down
from cli_anything.macrocli.substitution import render, scope

SCREEN = Rectangle(0, 0, 1280, 800)


def keys(text: str, at: float = 0.0) -> list[Input]:
    return [Key(at + number / 100, character) for number, character in enumerate(text)]


def click(at: float, x: int, y: int, to: tuple[int, int] | None = None) -> list[Input]:
    up = to or (x, y)
    return [
        Button(at, x, y, "left", down=True),
        Button(at + 0.01, *up, "left", down=False),
    ]


def test_characters_in_a_row_are_one_text_and_a_corrected_slip_is_gone() -> None:
    slip = [*keys("Adam"), Key(0.5, name="backspace"), *keys("!", 0.6)]

    assert gather(slip).actions == [Typed(0.0, 0.6, "Ada!")]


def test_a_backspace_that_takes_everything_leaves_nothing_and_the_next_is_a_key() -> None:
    back = [Key(0.1 * n, name="backspace") for n in (2, 3)]

    assert gather([*keys("x"), *back]).actions == [Pressed(0.1 * 3, "backspace")]


def test_a_letter_with_a_modifier_is_a_combination_and_shift_alone_is_not() -> None:
    found = gather(
        [
            Key(1, "s", held=frozenset({"ctrl"})),
            Key(2, "S", held=frozenset({"ctrl", "shift"})),
            Key(3, "A", held=frozenset({"shift"})),
            Key(4, name="tab", held=frozenset({"shift"})),
        ]
    )

    assert found.actions == [
        Pressed(1, "ctrl+s"),
        Pressed(2, "ctrl+shift+s"),
        Typed(3, 3, "A"),
        Pressed(4, "shift+tab"),
    ]


def test_keys_nobody_can_read_are_counted() -> None:
    found = gather([Key(1), Key(2, name="media_play_pause"), Key(3, "ö", held=frozenset({"alt"}))])

    assert (found.actions, found.unreadable) == ([], 3)


def test_clicks_drags_and_turns_are_told_apart() -> None:
    found = gather(
        [
            *click(1, 10, 10),
            *click(1.2, 11, 10),
            *click(3, 10, 10),
            *click(5, 10, 10, to=(60, 90)),
            Wheel(6, 5, 5, 0, 1),
            Wheel(6.1, 5, 5, 0, 2),
            Button(7, 5, 5, "left", down=False),
        ]
    ).actions

    assert found == [
        Clicked(1, 10, 10, "left", clicks=2),
        Clicked(3, 10, 10, "left"),
        Dragged(5, 10, 10, 60, 90, "left"),
        Scrolled(6.1, 5, 5, 0, 3),
    ]


PLAIN, PASSWORD, UNKNOWN = Field.PLAIN, Field.PASSWORD, Field.UNKNOWN


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ([], UNKNOWN),
        ([(0, PLAIN)], PLAIN),
        ([(0, PASSWORD)], PASSWORD),
        ([(0, PLAIN), (10.02, PASSWORD)], PASSWORD),  # the news comes after the first key
        ([(0, PASSWORD), (10.4, PLAIN)], PASSWORD),
        ([(0, PLAIN), (12.5, PASSWORD)], PLAIN),  # what came of the next action
        ([(0, PLAIN), (9.99, UNKNOWN), (10.01, PLAIN)], PLAIN),  # from one field to the next
        ([(0, PLAIN), (9, UNKNOWN)], UNKNOWN),
    ],
)
def test_text_belongs_to_a_password_field_if_there_was_one_at_any_time(
    changes: list[tuple[float, Field]], kind: Field
) -> None:
    typed = Typed(10, 11, "hunter2")

    assert field_of(typed, 12, [FocusChange(at, field) for at, field in changes]) is kind


@pytest.mark.parametrize(
    ("title", "kept"),
    [
        ("*/tmp/x y/letter.txt - Mousepad", "letter.txt - Mousepad"),
        ("~/notes/a.txt - Editor", "a.txt - Editor"),
        ("C:\\Users\\ada\\a.txt - Notepad", "a.txt - Notepad"),
        ("Save As", "Save As"),
        ("● main.py — Editor", "main.py — Editor"),
        ("a/b - Tracker", "a/b - Tracker"),
    ],
)
def test_the_lasting_part_of_a_title_has_no_folder_and_no_mark(title: str, kept: str) -> None:
    assert lasting_title(title) == kept
    assert kept in title


def session(*actions: Action, **more: object) -> Session:
    return Session("m", (), "/home", SCREEN, actions, **more)  # type: ignore[arg-type]


def test_a_window_is_named_when_the_keyboard_went_to_another_and_only_then() -> None:
    place = Rectangle(0, 0, 10, 10)
    windows = [
        WindowChange(0, 7, "Editor", place),
        WindowChange(1.5, 7, "Editor", Rectangle(5, 0, 10, 10)),
        WindowChange(2.5, 8, "*Save As", place),
    ]
    actions = [Pressed(float(at), "tab") for at in (1, 2, 3)]

    steps = write_down(session(*actions, windows=windows)).steps

    assert [step["action"] for step in steps] == [
        "focus_window", "hotkey", "hotkey", "focus_window", "hotkey"
    ]  # fmt: skip
    assert steps[3]["params"]["title_contains"] == "Save As"


@pytest.mark.parametrize("text", ["${HOME} $${x}", "yes", "010", "1e3", "a: b # c", " x ", "'\"\\"])
def test_a_text_reads_back_as_it_was_typed(text: str) -> None:
    written = write_down(session(Typed(1, 2, text), focus=[FocusChange(0, PLAIN)]))

    macro = parse_macro(as_yaml(written.document), source="m.yaml", folder=Path("/"))

    (arguments,) = [way.arguments["visual_anchor"].templates["text"] for way in macro.steps[0].ways]
    assert render(arguments, scope({}, {})) == text
