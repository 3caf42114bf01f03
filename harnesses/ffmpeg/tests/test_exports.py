"""An export counts when the file is what the timeline says. Otherwise it is an error."""

from __future__ import annotations

import signal
import sys
import textwrap
import time
from pathlib import Path

import pytest

PRESETS = ("mp4", "draft", "webm", "gif", "prores", "wav", "mp3")


def leftovers(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.name.startswith(".out")]


class Saboteur:
    """An ``ffmpeg`` on PATH that does its work, and then something to what it rendered."""

    def __init__(self, film, ffmpeg: str) -> None:
        self._folder = film.harness.folder / "bin"
        self._folder.mkdir()
        self._ffmpeg = ffmpeg
        film.harness.env["PATH"] = f"{self._folder}:{film.harness.env['PATH']}"

    def install(self, *, arguments: str = "words", after: str = "") -> None:
        """*arguments* and *after* are Python: of ``words``, and of the rendered ``target``."""
        program = self._folder / "ffmpeg"
        program.write_text(
            textwrap.dedent(f"""\
            #!{sys.executable}
            import pathlib, subprocess, sys

            def convert(options):
                copy = target.with_name("copy" + target.suffix)
                source = ["-v", "error", "-i", target, "-c", "copy"]
                subprocess.check_call([{self._ffmpeg!r}, *source, *options, copy])
                copy.replace(target)

            words = sys.argv[1:]
            target = pathlib.Path(words[-1]) if words else pathlib.Path()
            renders = target.stem == "draft"
            if renders:
                words = {arguments}
            code = subprocess.call([{self._ffmpeg!r}, *words])
            if renders:
                {after or "pass"}
            sys.exit(code)
            """)
        )
        program.chmod(0o755)


@pytest.fixture
def saboteur(film, ffmpeg: str) -> Saboteur:
    return Saboteur(film, ffmpeg)


@pytest.fixture
def shot(film):
    """A film of one second with picture, title and sound."""
    film.ask("clip", "add", "--pattern", "test", "--duration", "1")
    film.ask("text", "add", "--fade", "0.2", "--", "Hello")
    film.ask("audio", "add", "--tone", "440", "--volume", "0.5")
    return film


@pytest.mark.slow
def test_every_preset_makes_what_it_says_and_twice_the_same_bytes(shot) -> None:
    presets = {each["name"]: each for each in shot.ask("export", "presets")}
    assert set(presets) == set(PRESETS)
    for name in PRESETS:
        preset = presets[name]
        assert preset["available"], name
        first = shot.render(f"one{preset['suffix']}", "--preset", name, "--overwrite")
        second = shot.render(f"two{preset['suffix']}", "--preset", name, "--overwrite")

        found = shot.ask("media", "probe", first)

        assert first.read_bytes() == second.read_bytes(), name
        assert found["container"] == preset["container"]
        assert (found["video"] or {}).get("codec") == preset["video_codec"]
        assert (found["audio"] or {}).get("codec") == preset["audio_codec"]
        assert found["duration_s"] == pytest.approx(1.0, abs=0.1)


def test_an_export_tells_every_check_it_passed(shot) -> None:
    answer = shot.ask("export", "render", "-o", "out.mp4")

    assert (answer["frames"], answer["duration_s"]) == (10, 1.0)
    assert answer["verification"]["passed"] is True
    checks = {row["check"]: row["found"] for row in answer["verification"]["checks"]}
    assert checks["container"] == "mp4"
    assert checks["frame size"] == "160x90"
    assert checks["frames"] == 10
    assert checks["picture"] == "visible"
    assert checks["sound"] == "audible"


def test_a_file_that_is_there_is_only_replaced_when_told(shot) -> None:
    target = shot.harness.folder / "out.mp4"
    target.write_text("precious")

    assert shot.refused("export", "render", "-o", target).exit_code == 4
    assert target.read_text() == "precious"
    shot.render("out.mp4", "--overwrite")
    assert target.stat().st_size > 1000


def test_a_video_that_turned_out_black_is_an_error_unless_it_is_meant(film) -> None:
    film.ask("clip", "add", "--pattern", "test", "--duration", "0.5")
    film.ask("filter", "add", "brightness", "amount=-1")

    answer = film.refused("export", "render", "-o", "out.mp4")

    assert (answer.exit_code, answer.error["code"]) == (1, "verification_failed")
    assert "picture is black" in answer.error["message"]
    assert "--allow-black" in answer.error["hint"]
    assert not (film.harness.folder / "out.mp4").exists()
    assert film.render("out.mp4", "--allow-black").is_file()


def test_a_black_timeline_may_be_black(film) -> None:
    film.ask("clip", "add", "--color", "black", "--duration", "0.5")

    assert film.render("out.mp4").is_file()


@pytest.mark.parametrize(
    ("sabotage", "said"),
    [
        ({"arguments": "[*words[:-1], '-frames:v', '7', words[-1]]"}, "frames is 7, wanted 10"),
        ({"arguments": "[*words[:-1], '-r', '20', words[-1]]"}, "frame rate is 20"),
        ({"arguments": "[*words[:-1], '-s', '80x44', words[-1]]"}, "frame size is 80x44"),
        ({"after": "convert(['-an'])"}, "no audio stream"),
        ({"arguments": "[*words[:-1], '-f', 'matroska', words[-1]]"}, "container is matroska"),
        ({"after": "target.write_bytes(target.read_bytes()[:-3000])"}, "is not what was asked for"),
        ({"after": "target.write_bytes(b'')"}, "is not what was asked for"),
        ({"after": "target.unlink()"}, "is not what was asked for"),
    ],
)
def test_what_an_ffmpeg_does_wrong_is_found_and_nothing_is_kept(
    shot, saboteur: Saboteur, sabotage: dict[str, str], said: str
) -> None:
    saboteur.install(**sabotage)

    answer = shot.refused("export", "render", "-o", "out.mp4")

    assert answer.exit_code == 1
    assert said in answer.error["message"]
    assert not (shot.harness.folder / "out.mp4").exists()
    assert leftovers(shot.harness.folder) == []


def test_an_ffmpeg_that_fails_is_quoted(shot, saboteur: Saboteur) -> None:
    saboteur.install(arguments="['-no-such-option']")

    error = shot.refused("export", "render", "-o", "out.mp4").error

    assert error["code"] == "application_failed"
    assert "no-such-option" in error["message"] + error["details"]["output"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_export_leaves_nothing_behind(film, number: signal.Signals) -> None:
    film.ask("clip", "add", "--pattern", "test", "--duration", "20:00")
    call = film.harness.start("--json", "--project", film.path, "export", "render", "-o", "out.mp4")
    deadline = time.monotonic() + 60
    while not leftovers(film.harness.folder) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.3)

    call.send_signal(number)
    out, _ = call.communicate(timeout=60)

    assert call.returncode == 130
    assert b'"interrupted"' in out
    assert leftovers(film.harness.folder) == []
    assert not (film.harness.folder / "out.mp4").exists()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("-o", "out.avi"), 2),
        (("-o", "out"), 2),
        (("-o", "out.mov", "--preset", "mp4"), 2),
        (("-o", "out.mp4", "--preset", "mp5"), 3),
        (("-o", "."), 2),
        ((), 2),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_anything_is_rendered(
    shot, words: tuple[str, ...], code: int
) -> None:
    assert shot.refused("export", "render", *words).exit_code == code


def test_an_empty_timeline_has_nothing_to_export(film) -> None:
    answer = film.refused("export", "render", "-o", "out.mp4")

    assert answer.exit_code == 2
    assert "clip add" in answer.error["hint"]


def test_lost_media_is_named_before_anything_is_rendered(film, footage: Path) -> None:
    copy = film.harness.folder / "shot.mp4"
    copy.write_bytes(footage.read_bytes())
    film.ask("clip", "add", copy)
    copy.unlink()

    answer = film.refused("export", "render", "-o", "out.mp4")

    assert answer.exit_code == 3
    assert "shot.mp4" in answer.error["message"]
