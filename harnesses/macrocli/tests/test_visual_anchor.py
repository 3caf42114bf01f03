"""Pictures are found on a real screen: moved, at half and at double size, or honestly not."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from PIL import Image

from harnesses.macrocli.tests.desktop import Desktop, require_extra
from harnesses.macrocli.tests.program import Outcome, Program
from harnesses.macrocli.tests.shown import BUTTON, draw

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _libraries() -> None:
    require_extra("visual", "cv2", "mss")


def do(program: Program, action: str, **params: Any) -> Outcome:
    step = {"backend": "visual_anchor", "action": action, "params": params}
    return program.run(json.dumps({"name": "m", "steps": [step]}))


def inside_the_button(x: float, y: float) -> bool:
    return abs(x - BUTTON[0] - BUTTON[2] / 2) < 5 and abs(y - BUTTON[1] - BUTTON[3] / 2) < 5


@pytest.mark.parametrize("scale", [0.5, 0.8, 1.0, 1.25, 1.5, 2.0])
def test_a_picture_is_clicked_at_any_size_and_place(
    on_screen: Program, show: Any, scale: float
) -> None:
    shown = show(scale, (int(100 * scale), 37))

    outcome = do(on_screen, "click_image", template="button.png")

    assert outcome.exit_code == 0, outcome.out
    press, _release = shown.events(2)
    assert inside_the_button(press[2], press[3])
    assert abs(outcome.document["steps"][0]["output"]["scale"] - scale) < 0.03 * scale


def test_a_picture_is_found_again_after_its_window_moved(
    on_screen: Program, show: Any, screen: Desktop
) -> None:
    shown = show()
    window = screen.xdotool("search", "--name", "Picture").split()[-1]
    screen.xdotool("windowmove", "--sync", window, "600", "420")

    outcome = do(on_screen, "click_image", template="button.png", clicks=2)

    assert outcome.exit_code == 0, outcome.out
    assert outcome.document["steps"][0]["output"]["x"] > 600
    assert [event[0] for event in shown.events(4)] == ["press", "release"] * 2


def test_a_distance_from_a_picture_grows_with_its_size(on_screen: Program, show: Any) -> None:
    shown = show(1.5)

    outcome = do(on_screen, "click_relative", template="button.png", dx=100, dy=0, button="right")

    assert outcome.exit_code == 0, outcome.out
    press = shown.events(2)[0]
    assert press[1] == 3
    assert abs(press[2] - (BUTTON[0] + BUTTON[2] / 2 + 100)) < 5


def test_what_is_not_there_is_not_found_and_nothing_is_clicked(
    on_screen: Program, show: Any
) -> None:
    shown = show()
    other = Image.effect_noise((90, 40), 90).convert("RGB")
    other.save(on_screen.folder / "other.png")

    outcome = do(on_screen, "click_image", template="other.png", timeout_ms=0)

    assert outcome.exit_code == 1
    assert "other.png is not on the screen (best match 0." in outcome.error["message"]
    assert shown.log.read_text().strip() == "shown"


def test_a_picture_of_one_colour_is_refused(on_screen: Program) -> None:
    Image.new("RGB", (30, 30), "red").save(on_screen.folder / "red.png")

    outcome = do(on_screen, "wait_image", template="red.png")

    assert outcome.exit_code == 1
    assert "one colour" in outcome.error["message"]


def test_waiting_ends_when_the_picture_goes(on_screen: Program, show: Any) -> None:
    shown = show()
    there = do(on_screen, "wait_image", template="button.png")
    still = do(on_screen, "wait_image", template="button.png", gone=True, timeout_ms=0)
    shown.process.terminate()
    gone = do(on_screen, "wait_image", template="button.png", gone=True, timeout_ms="5s")

    assert (there.exit_code, still.exit_code, gone.exit_code) == (0, 1, 0)


def test_a_picture_is_dragged(on_screen: Program, show: Any) -> None:
    shown = show()

    relative = do(on_screen, "drag_relative", template="button.png", dx=60, dy=30)
    x, y = relative.document["steps"][0]["output"]["to"]
    back = do(on_screen, "drag", from_x=x, from_y=y, to_x=x - 50, to_y=y)

    assert (relative.exit_code, back.exit_code) == (0, 0)
    press, release, *_ = shown.events(4)
    assert inside_the_button(press[2], press[3])
    assert (release[2] - press[2], release[3] - press[3]) == (60, 30)


def test_the_wheel_turns(on_screen: Program, show: Any) -> None:
    shown = show()

    outcome = do(on_screen, "scroll", dy=-2, x=60, y=80)

    assert outcome.exit_code == 0
    assert [event[1] for event in shown.events(4) if event[0] == "press"] == [5, 5]


def test_a_region_is_captured_as_it_is(on_screen: Program, show: Any) -> None:
    show(1.0, (40, 60))

    outcome = do(
        on_screen, "capture_region", output_file="r.png", x=40, y=60, width=320, height=200
    )

    assert outcome.exit_code == 0
    assert Image.open(on_screen.folder / "r.png").convert("RGB").tobytes() == draw().tobytes()


def test_one_look_at_a_full_hd_screen_is_quick() -> None:
    import numpy

    from cli_anything.macrocli.desktop.vision import find

    screen = numpy.random.default_rng(1).integers(0, 255, (1080, 1920, 3), dtype=numpy.uint8)
    template = screen[500:540, 900:990].copy()
    find(screen, template, 0.9)
    began = time.process_time()
    for _ in range(5):
        match, _best = find(screen, template, 0.9)

    assert match is not None
    assert (match.x, match.y) == (900, 500)
    assert (time.process_time() - began) / 5 < 0.5  # CPU of all threads; the benchmark is exact
