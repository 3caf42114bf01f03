"""Clips follow each other without gaps, to the frame, whatever is cut, moved or sped up."""

from __future__ import annotations

from pathlib import Path

import pytest


def test_clips_follow_each_other_in_their_order(film, footage: Path) -> None:
    film.ask("clip", "add", footage)
    film.ask("clip", "add", "--color", "teal", "--duration", "1")
    film.ask("clip", "add", "--pattern", "bars", "--duration", "0.5", "--position", "1")

    rows = [(c["id"], c["start_s"], c["duration_s"]) for c in film.ask("clip", "list")]

    assert rows == [("c3", 0.0, 0.5), ("c1", 0.5, 2.0), ("c2", 2.5, 1.0)]


def test_a_clip_is_cut_moved_and_sped_up(film, footage: Path) -> None:
    film.ask("clip", "add", footage)
    film.ask("clip", "add", "--color", "teal", "--duration", "1")

    film.ask("clip", "trim", "c1", "--in", "0.5", "--out", "1.5")
    fast = film.ask("clip", "speed", "c1", "2")
    moved = film.ask("clip", "move", "c1", "--position", "2")

    assert (fast["clip"]["duration_s"], fast["clip"]["frames"]) == (0.5, 5)
    assert moved["clips"] == ["c2", "c1"]
    assert film.ask("media", "probe", film.render("out.mp4"))["video"]["frames"] == 15


def test_a_removed_clip_takes_its_filters_with_it(film) -> None:
    film.ask("clip", "add", "--pattern", "test")
    film.ask("clip", "add", "--color", "teal")
    film.ask("filter", "add", "blur", "--clip", "c1")
    film.ask("filter", "add", "grayscale")

    film.ask("clip", "remove", "c1")

    assert [use["name"] for use in film.ask("filter", "list")] == ["grayscale"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("clip", "trim", "c1", "--out", "9"), "lasts 2.000 s"),
        (("clip", "trim", "c1", "--in", "1.5", "--out", "1"), "less than a frame"),
        (("clip", "trim", "c1"), "nothing to trim"),
        (("clip", "speed", "c1", "0"), "speed cannot be 0"),
        (("clip", "speed", "c1", "nan"), "speed cannot be nan"),
        (("clip", "move", "c1", "--position", "3"), "no position 3"),
        (("clip", "add"), "say what to add"),
        (("clip", "add", "--color", "red", "--pattern", "test"), "one thing"),
        (("audio", "volume", "c1", "99"), "volume cannot be 99"),
    ],
)
def test_an_edit_that_makes_no_sense_says_why(
    film, footage: Path, words: tuple[str, ...], said: str
) -> None:
    film.ask("clip", "add", footage)

    answer = film.refused(*words)

    assert answer.exit_code == 2
    assert said in answer.error["message"]


@pytest.mark.parametrize(
    "words",
    [
        ("clip", "get", "c9"),
        ("clip", "remove", "c9"),
        ("text", "remove", "t9"),
        ("audio", "volume", "a9", "1"),
        ("filter", "remove", "f9"),
        ("filter", "add", "blur", "--clip", "c9"),
    ],
)
def test_what_is_not_there_is_not_found(film, words: tuple[str, ...]) -> None:
    assert film.refused(*words).exit_code == 3


def test_a_sound_alone_is_no_clip_and_a_silent_clip_is_no_sound(film, ffmpeg: str) -> None:
    film.ask("clip", "add", "--pattern", "test", "--duration", "0.5")
    film.ask("audio", "add", "--tone", "440")
    sound, picture = film.render("tone.wav"), film.render("still.gif")

    assert "audio add" in film.refused("clip", "add", sound).error["hint"]
    assert "no sound" in film.refused("audio", "add", picture).error["message"]


def test_times_may_be_written_as_a_clock(film) -> None:
    added = film.ask("clip", "add", "--color", "navy", "--duration", "1:02.5")

    assert added["clip"]["duration_s"] == 62.5


def test_a_text_is_shown_as_long_as_the_timeline_lasts_unless_told(film) -> None:
    film.ask("clip", "add", "--color", "navy", "--duration", "2")
    film.ask("text", "add", "--start", "0.5", "--", "rest")
    film.ask("text", "add", "--start", "0.5", "--duration", "1", "--", "part")

    assert [text["shown_s"] for text in film.ask("text", "list")] == [1.5, 1.0]


def test_every_available_filter_can_be_added_with_its_defaults_and_rendered(film) -> None:
    film.ask("clip", "add", "--pattern", "test", "--duration", "0.5")
    film.ask("audio", "add", "--tone", "440")
    available = film.ask("filter", "list-available")
    for each in available:
        film.ask(
            "filter", "add", each["name"], *(["--clip", "c1"] if each["stage"] == "shape" else [])
        )

    film.render("out.mp4", "--allow-black", "--allow-silence")

    assert len(film.ask("filter", "list")) == len(available) > 15
