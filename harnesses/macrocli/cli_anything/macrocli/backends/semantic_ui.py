"""Works a program through its windows, its keyboard shortcuts and its accessibility tree."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any

from cli_anything.macrocli.backends.base import (
    AVAILABLE,
    Action,
    Availability,
    Backend,
    Context,
    Perform,
    unavailable,
)
from cli_anything.macrocli.desktop.display import xdotool_problem
from cli_anything.macrocli.extras import how_to_get
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape

_TREE = ("menu_click", "button_click", "get_controls")
"""Actions that need the accessibility tree."""

_WAIT = Field("timeout_ms", Shape.MILLISECONDS, default=5.0, description="how long to wait for it")
_TITLE = Field("title_contains", required=True, aliases=("title",), description="part of a title")
_APP = Field("app", description="the application's accessible name; all of them if not given")


def _lazily(name: str) -> Perform:
    """An action from the module that does the work, imported when it is first needed."""

    def performing(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        from cli_anything.macrocli.desktop import semantic

        done: dict[str, Any] = getattr(semantic, name)(arguments, context)
        return done

    return performing


def probe(action: str, environment: Mapping[str, str]) -> Availability:
    """xdotool for windows and keys, a D-Bus session with accessibility for controls."""
    problem, remedy = xdotool_problem(environment)
    if problem and action not in _TREE:
        return unavailable(problem, remedy)
    if action in _TREE or not action:
        return _probe_tree(environment) if not problem else unavailable(problem, remedy)
    return AVAILABLE


def _probe_tree(environment: Mapping[str, str]) -> Availability:
    if importlib.util.find_spec("jeepney") is None:
        return unavailable(
            "jeepney, which speaks to the accessibility bus, is not installed",
            how_to_get("visual"),
        )
    if not environment.get("DBUS_SESSION_BUS_ADDRESS") and not environment.get("XDG_RUNTIME_DIR"):
        return unavailable(
            "there is no D-Bus session (DBUS_SESSION_BUS_ADDRESS is not set)",
            "apt-get install at-spi2-core dbus-x11, then run below dbus-run-session",
        )
    return AVAILABLE


BACKEND = Backend(
    name="semantic_ui",
    priority=50,
    summary="shortcuts, text, menus and buttons by their names",
    actions=(
        Action(
            "shortcut",
            (Field("keys", required=True, description="such as ctrl+shift+s"),),
            ("keys",),
            _lazily("shortcut"),
            "press a key combination",
        ),
        Action(
            "type_text",
            (
                Field("text", required=True),
                Field("interval_ms", Shape.MILLISECONDS, default=0.0, description="between keys"),
            ),
            ("typed",),
            _lazily("type_text"),
            "type text, in any script, where the focus is",
        ),
        Action(
            "menu_click",
            (
                Field("path", required=True, description="such as File > Save As…"),
                _APP,
                _WAIT,
            ),
            ("clicked",),
            _lazily("menu_click"),
            "choose a menu item by its names",
        ),
        Action(
            "button_click",
            (Field("name", required=True, aliases=("label",)), _APP, _WAIT),
            ("clicked",),
            _lazily("button_click"),
            "press a button by its name",
        ),
        Action(
            "wait_for_window",
            (_TITLE, _WAIT),
            ("window", "title"),
            _lazily("wait_for_window"),
            "wait until a window is there",
        ),
        Action(
            "focus_window",
            (_TITLE, _WAIT),
            ("window", "title"),
            _lazily("focus_window"),
            "bring a window to the front",
        ),
        Action(
            "get_controls",
            (
                _APP,
                Field("role", description="only controls of this role, such as push button"),
                Field("limit", Shape.INTEGER, default=500),
            ),
            ("controls", "truncated"),
            _lazily("get_controls"),
            "list the controls of an application: role, name, place, states",
        ),
    ),
    probe=probe,
)
