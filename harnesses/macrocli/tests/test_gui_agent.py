"""A model that looks at the screen, behind the real SDK and a loopback server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from PIL import Image

from harnesses.macrocli.tests.desktop import require_extra
from harnesses.macrocli.tests.model_server import model_server, screenshot, tool_calls
from harnesses.macrocli.tests.program import Outcome, Program
from harnesses.macrocli.tests.shown import BUTTON

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _libraries() -> None:
    require_extra("gui_agent", "openai")
    require_extra("visual", "cv2", "mss")


def instruct(program: Program, action: str = "instruct", **params: Any) -> Outcome:
    step = {
        "backend": "gui_agent",
        "action": action,
        "params": {"instruction": "press the blue button on the left", **params},
    }
    return program.run(json.dumps({"name": "m", "steps": [step]}))


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MACROCLI_MODEL", "looker-1")
    monkeypatch.setenv("MACROCLI_API_KEY", "sk-right")
    return "sk-right"


def leftmost_blue(picture: Image.Image) -> tuple[int, int]:
    """The middle of the button, found by looking."""
    blue = (0x3A, 0x7B, 0xD5)
    columns = [
        (x, y)
        for x in range(picture.width)
        for y in range(0, picture.height, 4)
        if picture.getpixel((x, y)) == blue
    ]
    x, y = columns[0]
    return x + BUTTON[2] // 2, y


def test_a_model_finds_the_button_and_says_it_is_done(
    on_screen: Program, show: Any, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = show(1.0, (200, 300))

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        if any(message["role"] == "tool" for message in request["messages"]):
            return tool_calls(("done", {"ok": True, "message": "pressed"}))
        x, y = leftmost_blue(screenshot(request))
        return tool_calls(("click", {"x": x, "y": y}))

    with model_server(answer) as server:
        monkeypatch.setenv("MACROCLI_BASE_URL", server.url)
        outcome = instruct(on_screen, "instruct_with_refine", max_rounds=4)

    output = outcome.document["steps"][0]["output"]
    assert outcome.exit_code == 0, outcome.out
    assert (output["rounds"], output["done"], output["message"]) == (2, True, "pressed")
    press = shown.events(2)[0]
    assert BUTTON[0] < press[2] < BUTTON[0] + BUTTON[2]
    assert BUTTON[1] < press[3] < BUTTON[1] + BUTTON[3]
    assert server.requests[0]["model"] == "looker-1"
    assert server.keys[0] == f"Bearer {key}"
    assert key not in outcome.out


def test_one_instruction_is_one_round(
    on_screen: Program, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with model_server(lambda _request: tool_calls(("press_keys", {"keys": "ctrl+s"}))) as server:
        monkeypatch.setenv("MACROCLI_BASE_URL", server.url)
        outcome = instruct(on_screen)

    assert outcome.exit_code == 0
    assert outcome.document["steps"][0]["output"]["actions"][0]["result"] == "ok"
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (tool_calls(("done", {"ok": False, "message": "no button"})), "gave up: no button"),
        (tool_calls(("fly", {})), "not reached in 2 rounds"),
        ({"role": "assistant", "content": "hm"}, "not reached in 2 rounds"),
    ],
)
def test_a_model_that_does_not_get_there_is_a_failure(
    on_screen: Program,
    key: str,
    monkeypatch: pytest.MonkeyPatch,
    reply: dict[str, Any],
    said: str,
) -> None:
    with model_server(lambda _request: reply) as server:
        monkeypatch.setenv("MACROCLI_BASE_URL", server.url)
        outcome = instruct(on_screen, "instruct_with_refine", max_rounds=2)

    assert outcome.exit_code == 1
    assert said in outcome.error["message"]


def test_a_refused_key_is_not_shown(on_screen: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MACROCLI_MODEL", "m")
    monkeypatch.setenv("MACROCLI_API_KEY", "sk-wrong-777")
    with model_server(lambda _request: {}) as server:
        monkeypatch.setenv("MACROCLI_BASE_URL", server.url)
        outcome = instruct(on_screen)

    assert outcome.exit_code == 1
    assert "the model cannot be asked" in outcome.error["message"]
    assert "sk-wrong-777" not in outcome.out + outcome.err


def test_without_a_model_it_says_which_settings_are_missing(on_screen: Program) -> None:
    outcome = instruct(on_screen)

    assert outcome.exit_code == 3
    assert "MACROCLI_MODEL and MACROCLI_API_KEY not set" in outcome.error["message"]
