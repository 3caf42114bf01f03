"""Turns recorded actions into the document of a macro and the files beside it. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cli_anything.macrocli.desktop.sequence import Rectangle, sequence_document
from cli_anything.macrocli.recording.gather import field_of
from cli_anything.macrocli.recording.model import (
    Action,
    Anchor,
    Clicked,
    Dragged,
    Field,
    FocusChange,
    Pressed,
    Scrolled,
    Typed,
    WindowChange,
)

_FIRST_WINDOW = "30s"
"""How long a replay waits for the first window; the program may only just have been started."""

_LATER_WINDOW = "15s"


@dataclass(frozen=True, slots=True)
class Session:
    """Everything a recording saw. *anchors* are by the time of the click they belong to."""

    name: str
    command: tuple[str, ...]
    folder: str
    screen: Rectangle
    actions: Sequence[Action]
    windows: Sequence[WindowChange] = ()
    focus: Sequence[FocusChange] = ()
    anchors: Mapping[float, Anchor] = field(default_factory=dict)
    keep_unknown: bool = False
    """Write down text although nobody can tell what it was typed into."""


@dataclass(slots=True)
class Written:
    """The macro as plain data, the files it needs by relative path, and what was withheld."""

    document: dict[str, Any]
    files: dict[str, bytes] = field(default_factory=dict)
    withheld: list[str] = field(default_factory=list)
    _counts: dict[str, int] = field(default_factory=dict)

    @property
    def steps(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.document["steps"]
        return found

    def new_id(self, kind: str) -> str:
        """``click_1``, ``click_2``, …"""
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return f"{kind}_{self._counts[kind]}"

    def step(self, identity: str, action: str, params: dict[str, Any], backend: str = "") -> None:
        named = {"backend": backend} if backend else {}
        self.steps.append({"id": identity, **named, "action": action, "params": params})


def write_down(session: Session) -> Written:
    """The macro that does what the person did."""
    written = Written(
        {
            "name": session.name,
            "version": "0.1",
            "description": "Recorded at the screen.",
            "parameters": {},
            "steps": [],
            "agent_hints": {"danger_level": "moderate", "side_effects": ["works_on_the_screen"]},
        }
    )
    if session.command:
        params = {"command": list(session.command), "cwd": session.folder}
        written.step("start", "start_process", params)
    last_window = 0
    for number, action in enumerate(session.actions):
        window = _window_at(session.windows, action.at)
        if window is not None and window.window != last_window and window.title:
            _focus_window(written, window)
            last_window = window.window
        following = session.actions[number + 1].at if number + 1 < len(session.actions) else 1e300
        _write(written, session, action, following)
    if not written.document["parameters"]:
        del written.document["parameters"]
    return written


def _window_at(windows: Sequence[WindowChange], at: float) -> WindowChange | None:
    return next((window for window in reversed(windows) if window.at <= at), None)


def _focus_window(written: Written, window: WindowChange) -> None:
    first = not any(step["action"] == "focus_window" for step in written.steps)
    written.step(
        written.new_id("window"),
        "focus_window",
        {
            "title_contains": literal(lasting_title(window.title)),
            "timeout_ms": _FIRST_WINDOW if first else _LATER_WINDOW,
        },
        "semantic_ui",
    )


def lasting_title(title: str) -> str:
    """The part of a window's title that is the same next time.

    Marks of unsaved changes come and go, and folders differ between machines.
    """
    bare = re.sub(r"^[*●•]\s*", "", title.strip())
    first, *rest = re.split(r"(\s+[-–—]\s+)", bare, maxsplit=1)
    name = re.sub(r"^(?:~|[A-Za-z]:)?[/\\].*[/\\]", "", first)
    return "".join([name or first, *rest])


def literal(text: str) -> str:
    """*text* as a macro spells it so that nothing in it is a placeholder."""
    return text.replace("${", "$${")


def _write(written: Written, session: Session, action: Action, following: float) -> None:
    match action:
        case Typed():
            _write_typed(written, session, action, following)
        case Pressed():
            written.step(written.new_id("key"), "hotkey", {"keys": action.keys})
        case Clicked():
            _write_click(written, session, action)
        case Dragged():
            event = {"type": "drag", "button": action.button}
            places = {"x": action.x, "y": action.y, "to_x": action.to_x, "to_y": action.to_y}
            _write_sequence(written, session, action.at, "drag", {**event, **places})
        case Scrolled():
            turned = {"x": action.x, "y": action.y, "dx": action.dx, "dy": action.dy}
            _write_sequence(written, session, action.at, "scroll", {"type": "scroll", **turned})


def _write_typed(written: Written, session: Session, typed: Typed, following: float) -> None:
    kind = field_of(typed, following, session.focus)
    if kind is Field.PLAIN or (kind is Field.UNKNOWN and session.keep_unknown):
        written.step(written.new_id("type"), "type_text", {"text": literal(typed.text)})
        return
    name = written.new_id("password" if kind is Field.PASSWORD else "text")
    why = (
        "typed into a password field"
        if kind is Field.PASSWORD
        else "typed where it cannot be told whether it is a password"
    )
    written.withheld.append(name)
    written.document["parameters"][name] = {
        "type": "string",
        "required": True,
        "secret": True,
        "description": f"Not recorded: {why}.",
    }
    written.step(f"type_{name}", "type_text", {"text": f"${{{name}}}"})


def _write_click(written: Written, session: Session, click: Clicked) -> None:
    anchor = session.anchors.get(click.at)
    if anchor is None:
        event = {"type": "click", "x": click.x, "y": click.y}
        more = {"button": click.button, "clicks": click.clicks}
        _write_sequence(written, session, click.at, "click", {**event, **more})
        return
    identity = written.new_id("click")
    template = f"templates/{identity}.png"
    written.files[template] = anchor.png
    params: dict[str, Any] = {"template": template}
    away = abs(anchor.dx) > 1 or abs(anchor.dy) > 1
    if away:
        params |= {"dx": anchor.dx, "dy": anchor.dy}
    if click.button != "left":
        params["button"] = click.button
    if click.clicks != 1:
        params["clicks"] = click.clicks
    action = "click_relative" if away else "click_image"
    written.step(identity, action, {**params, "timeout_ms": "10s"}, "visual_anchor")


def _write_sequence(
    written: Written, session: Session, at: float, kind: str, event: dict[str, Any]
) -> None:
    """What has no picture to go by is kept as a place in its window, or on the screen."""
    identity = written.new_id(kind)
    window = _window_around(session.windows, at, event["x"], event["y"])
    document = sequence_document(
        session.screen,
        window.place if window else None,
        lasting_title(window.title) if window else "",
        [{"at_ms": 0, **event}],
    )
    path = f"sequences/{identity}.json"
    written.files[path] = (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()
    written.step(identity, "replay", {"sequence": path}, "gui_macro")


def _window_around(
    windows: Sequence[WindowChange], at: float, x: int, y: int
) -> WindowChange | None:
    """The window with the keyboard before the click, or the one that got it through the click."""
    before = _window_at(windows, at)
    after = next((window for window in windows if at < window.at < at + 1), None)
    for window in (before, after):
        if window is not None and window.title and _contains(window.place, x, y):
            return window
    return None


def _contains(place: Rectangle, x: int, y: int) -> bool:
    return place.x <= x < place.x + place.width and place.y <= y < place.y + place.height
