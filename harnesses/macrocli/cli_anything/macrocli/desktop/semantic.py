"""The actions of ``semantic_ui``."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, TypeVar

from cli_anything.macrocli.backends.base import BadArgument, Context, StepFailed, StepTimedOut
from cli_anything.macrocli.desktop.accessibility import Control, Tree, open_tree, same_label
from cli_anything.macrocli.desktop.display import DesktopUnavailable
from cli_anything.macrocli.desktop.input import open_input
from cli_anything.macrocli.desktop.windows import Window, find_windows
from cli_anything.macrocli.desktop.xdotool import Xdotool

_PAUSE = 0.1
"""Seconds between two looks at something that is waited for."""

_MENU_ROLES = ("menu", "menu item", "check menu item", "radio menu item", "tearoff menu item")
_BUTTON_ROLES = ("push button", "toggle button", "check box", "radio button", "button", "link")

Found = TypeVar("Found")


def shortcut(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    try:
        open_input(context.environment).keys(arguments["keys"])
    except ValueError as problem:
        raise BadArgument(str(problem)) from None
    return {"keys": arguments["keys"]}


def type_text(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Keys where keys can say it; text of other scripts goes straight into the focused field."""
    text = arguments["text"]
    if not (text.isascii() or _insert_directly(text, context)):
        context.notes.append("typed by borrowed keys: no text field could be reached directly")
        open_input(context.environment).type(text, arguments["interval_ms"])
    elif text.isascii():
        open_input(context.environment).type(text, arguments["interval_ms"])
    return {"typed": len(text)}


def _insert_directly(text: str, context: Context) -> bool:
    try:
        with closing(open_tree(context.environment)) as tree:
            focused = tree.focused()
            if focused is None or "editable" not in focused.states:
                return False
            if tree.insert(focused.node, text):
                return True
    except DesktopUnavailable:
        return False
    foreign = "".join(sorted({character for character in text if not character.isascii()}))
    raise StepFailed(f"the text did not arrive whole; it has {foreign}")


def wait_for_window(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    window = _window(arguments, context)
    return {"window": window.id, "title": window.title}


def focus_window(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Bring a window to the front; without a window manager it is given the keyboard."""
    window = _window(arguments, context)
    xdotool = Xdotool(context.environment)
    try:
        xdotool.call("windowactivate", "--sync", str(window.id), timeout=3)
    except DesktopUnavailable:
        xdotool.call("windowraise", str(window.id))
        xdotool.call("windowfocus", "--sync", str(window.id))
    return {"window": window.id, "title": window.title}


def _window(arguments: Mapping[str, Any], context: Context) -> Window:
    title = arguments["title_contains"]

    def look() -> Window | None:
        found = find_windows(title, context.environment)
        return found[0] if found else None

    return wait_for(look, arguments["timeout_ms"], context, f"no window has {title!r} in its title")


def menu_click(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    labels = [part.strip() for part in arguments["path"].replace("→", ">").split(">")]
    if not all(labels):
        raise BadArgument(f"{arguments['path']!r} is not a menu path such as File > Save")
    with closing(open_tree(context.environment)) as tree:

        def look() -> Control | None:
            return _menu_item(tree, arguments["app"] or "", labels)

        item = wait_for(
            look, arguments["timeout_ms"], context, f"no menu item {arguments['path']!r} is there"
        )
        if "sensitive" not in item.states:
            raise StepFailed(f"the menu item {arguments['path']!r} is greyed out")
        if not tree.activate(item.node):
            raise StepFailed(f"the menu item {arguments['path']!r} cannot be chosen")
    return {"clicked": item.name}


def _menu_item(tree: Tree, app: str, labels: list[str]) -> Control | None:
    for application in tree.applications(app or ""):
        bars = [c for c in tree.controls(application.node) if c.role == "menu bar"]
        for bar in bars:
            found = _walk_menus(tree, bar, labels)
            if found is not None:
                return found
    return None


def _walk_menus(tree: Tree, bar: Control, labels: list[str]) -> Control | None:
    at: Control | None = bar
    for number, label in enumerate(labels):
        if at is None:
            return None
        here = [c for c in tree.controls(at.node, depth=2) if c.role in _MENU_ROLES]
        below = next((c for c in here if same_label(c.name, label)), None)
        if below is None and number and tree.activate(at.node):
            time.sleep(_PAUSE)  # a menu that is filled when it opens
            here = [c for c in tree.controls(at.node, depth=2) if c.role in _MENU_ROLES]
            below = next((c for c in here if same_label(c.name, label)), None)
        at = below
    return at


def button_click(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    name = arguments["name"]
    with closing(open_tree(context.environment)) as tree:

        def look() -> Control | None:
            for application in tree.applications(arguments["app"] or ""):
                for control in tree.controls(application.node):
                    usable = control.role in _BUTTON_ROLES and "showing" in control.states
                    if usable and same_label(control.name, name):
                        return control
            return None

        button = wait_for(look, arguments["timeout_ms"], context, f"no button {name!r} is showing")
        if "sensitive" not in button.states:
            raise StepFailed(f"the button {name!r} is greyed out")
        if not tree.activate(button.node):
            raise StepFailed(f"the button {name!r} cannot be pressed")
    return {"clicked": button.name}


def get_controls(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    app, role, limit = arguments["app"] or "", arguments["role"], arguments["limit"]
    controls: list[dict[str, Any]] = []
    with closing(open_tree(context.environment)) as tree:
        applications = tree.applications(app)
        if app and not applications:
            raise StepFailed(f"no application is called {app!r}")
        for application in applications:
            for control in tree.controls(application.node):
                if role and control.role != role:
                    continue
                if len(controls) >= limit:
                    return {"controls": controls, "truncated": True}
                box = tree.box(control.node)
                controls.append(
                    {
                        **control.as_document(),
                        "box": list(box) if box else None,
                        "app": application.name,
                    }
                )
    return {"controls": controls, "truncated": False}


def wait_for(
    look: Callable[[], Found | None], seconds: float, context: Context, complaint: str
) -> Found:
    """Look until there is something, for as long as the step and the action allow."""
    left = context.remaining()
    patience = seconds if left is None else min(seconds, left)
    deadline = time.monotonic() + patience
    while True:
        found = look()
        if found is not None:
            return found
        if time.monotonic() >= deadline:
            if left is not None and left <= seconds:
                raise StepTimedOut(f"{complaint} after {patience:.1f} s")
            raise StepFailed(f"{complaint} after {patience:.1f} s")
        time.sleep(_PAUSE)
