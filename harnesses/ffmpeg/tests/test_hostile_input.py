"""Whatever is written, named or given as a value is data: never syntax, never an option."""

from __future__ import annotations

from pathlib import Path

import pytest

TEXTS = (
    'it\'s 10:30, "now" [in];[0:v]drawbox',
    "100% %{pts} \\: \\' ${HOME} `id`",
    "two\nlines",
    "Grüße, привет, καλημέρα",
)
NAMES = (
    "a:b,c;[d].mp4",
    'it\'s "quoted".mp4',
    "frame-%03d.mp4",
    "line\nfeed.mp4",
    "Grüße 影片.mp4",
    "concat:one|two.mp4",
)


def test_any_text_can_be_written_into_the_picture(film) -> None:
    film.ask("clip", "add", "--color", "navy", "--duration", "0.5")
    for text in TEXTS:
        film.ask("text", "add", "--size", "8", "--", text)
    film.ask("text", "add", "--size", "8", "--", "-y -f null --overwrite")

    film.render("out.mp4")

    assert [text["text"] for text in film.ask("text", "list")] == [
        *TEXTS, "-y -f null --overwrite"
    ]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_media_file_may_have_any_name(film, footage: Path, name: str) -> None:
    path = film.harness.folder / name
    path.write_bytes(footage.read_bytes())

    added = film.ask("clip", "add", path, "--duration", "0.5")

    assert added["clip"]["source"]["path"] == name
    assert film.ask("media", "probe", film.render("out.mp4"))["video"]["frames"] == 5


def test_a_name_that_begins_with_a_dash_is_a_file_after_two_dashes(film, footage: Path) -> None:
    (film.harness.folder / "-y.mp4").write_bytes(footage.read_bytes())

    film.ask("clip", "add", "--duration", "0.5", "--", "-y.mp4")
    film.ask("audio", "add", "--", "-y.mp4")

    assert film.render("out.mp4").stat().st_size > 1000


@pytest.mark.parametrize("name", ["a:b;c,[d].mp4", "-o.mp4", "50%d.mp4", "Grüße 影片.mp4"])
def test_an_export_may_have_any_name(film, name: str) -> None:
    film.ask("clip", "add", "--color", "navy", "--duration", "0.3")

    output = film.render(name)

    assert output.is_file()
    assert sorted(path.name for path in film.harness.folder.glob("*.mp4")) == [name]


def test_a_picture_with_a_pattern_in_its_name_is_one_picture(film) -> None:
    from PIL import Image

    path = film.harness.folder / "shot-%02d.png"
    Image.radial_gradient("L").resize((160, 90)).save(path)

    film.ask("clip", "add", path, "--duration", "0.5")

    assert film.ask("media", "probe", film.render("out.mp4"))["video"]["frames"] == 5


@pytest.mark.parametrize(
    "words",
    [
        ("filter", "add", "blur", "radius=5,movie=/etc/passwd"),
        ("filter", "add", "blur", "radius=nan"),
        ("filter", "add", "blur", "radius=1e999"),
        ("filter", "add", "blur", "sigma=5"),
        ("filter", "add", "blur", "radius"),
        ("filter", "add", "tint", "color=red[x]"),
        ("filter", "add", "flip", "direction=horizontal,negate"),
        ("clip", "add", "--color", "red:d=9"),
        ("clip", "add", "--gradient", "navy", "teal;nullsink"),
        ("clip", "add", "--pattern", "test,negate"),
        ("clip", "add", "--color", "navy", "--duration", "nan"),
        ("clip", "add", "--color", "navy", "--duration", "-1"),
        ("clip", "add", "--color", "navy", "--duration", "1e300"),
        ("text", "add", "x", "--color", "white@0.5:box=1"),
        ("text", "add", "x", "--start", "0:t=9"),
        ("text", "add", ""),
        ("text", "add", "bell\a"),
    ],
)
def test_a_value_that_is_not_what_it_must_be_is_wrong_usage(film, words: tuple[str, ...]) -> None:
    before = film.path.read_bytes()

    answer = film.refused(*words)

    assert answer.exit_code == 2
    assert film.path.read_bytes() == before


def test_an_unknown_filter_names_the_nearest(film) -> None:
    answer = film.refused("filter", "add", "brightnes")

    assert answer.exit_code == 3
    assert "brightness" in answer.error["hint"]


def test_a_character_that_no_font_can_draw_is_named_and_never_becomes_a_box(film) -> None:
    film.ask("clip", "add", "--color", "navy")

    error = film.refused("text", "add", "smile \U000130a7").error

    assert error["code"] == "no_glyph"
    assert "U+130A7" in error["message"]


def test_a_text_that_does_not_fit_says_which_size_would(film) -> None:
    answer = film.refused("text", "add", "unbreakable" * 5, "--size", "60")

    assert answer.exit_code == 2
    assert "--size" in answer.error["hint"]


def test_a_playlist_in_disguise_opens_nothing(film) -> None:
    path = film.harness.folder / "film.mp4"
    path.write_text("#EXTM3U\n#EXTINF:2,\nhttp://127.0.0.1:9/a.ts\n")

    assert film.refused("clip", "add", path).error["code"] == "not_media"
