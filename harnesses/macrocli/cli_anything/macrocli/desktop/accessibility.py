"""The accessibility tree of running applications: AT-SPI, spoken over D-Bus."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from jeepney import DBusAddress, MessageType, new_method_call
from jeepney.io.blocking import DBusConnection, open_dbus_connection

from cli_anything.macrocli.desktop.display import DesktopUnavailable

_ACCESSIBLE = "org.a11y.atspi.Accessible"
_ACTION = "org.a11y.atspi.Action"
_COMPONENT = "org.a11y.atspi.Component"
_EDITABLE = "org.a11y.atspi.EditableText"
_TEXT = "org.a11y.atspi.Text"
_PROPERTIES = "org.freedesktop.DBus.Properties"
_PATIENCE = 5.0
"""Seconds one answer may take; an application that is busy answers late, a hung one never."""

_DEPTH = 40
_SCREEN = 0
"""Extents relative to the screen, as AT-SPI counts its coordinate types."""

STATES = {
    1: "active", 3: "busy", 4: "checked", 7: "editable", 8: "enabled", 9: "expandable",
    10: "expanded", 11: "focusable", 12: "focused", 16: "modal", 23: "selected", 24: "sensitive",
    25: "showing", 30: "visible",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Node:
    """One object of the tree: who has it, and where."""

    owner: str
    path: str


@dataclass(frozen=True, slots=True)
class Control:
    """What an object is right now. *box* is ``(x, y, width, height)`` on the screen."""

    node: Node
    role: str
    name: str
    states: frozenset[str]
    box: tuple[int, int, int, int] | None = None

    def as_document(self) -> dict[str, Any]:
        return {
            "role": self.role,
            "name": self.name,
            "states": sorted(self.states),
            "box": list(self.box) if self.box else None,
        }


@dataclass(slots=True)
class Tree:
    """A connection to the accessibility bus. Calls raise :class:`DesktopUnavailable`."""

    _connection: DBusConnection
    _root: Node = field(default=Node("org.a11y.atspi.Registry", "/org/a11y/atspi/accessible/root"))

    def close(self) -> None:
        self._connection.close()

    def applications(self, name: str = "") -> list[Control]:
        """The running applications, those whose name contains *name*."""
        found = [self.describe(node) for node in self.children(self._root)]
        return [one for one in found if one and name.casefold() in one.name.casefold()]

    def controls(self, start: Node, *, depth: int = _DEPTH) -> Iterator[Control]:
        """Everything below *start*, nearest to the top of the tree first."""
        level = [start]
        for _ in range(depth):
            below: list[Node] = []
            for node in level:
                for child in self.children(node):
                    control = self.describe(child)
                    if control is not None:
                        yield control
                        below.append(child)
            if not below:
                return
            level = below

    def children(self, node: Node) -> list[Node]:
        """What is directly below; nothing when the object has gone."""
        with suppress(_Gone):
            (found,) = self._call(node, _ACCESSIBLE, "GetChildren")
            return [Node(owner, path) for owner, path in found if path != _NOTHING]
        return []

    def describe(self, node: Node) -> Control | None:
        """What the object is; None when it has gone."""
        with suppress(_Gone):
            ((_, name),) = self._call(node, _PROPERTIES, "Get", "ss", (_ACCESSIBLE, "Name"))
            (role,) = self._call(node, _ACCESSIBLE, "GetRoleName")
            ((low, high),) = self._call(node, _ACCESSIBLE, "GetState")
            bits = low | high << 32
            states = frozenset(word for bit, word in STATES.items() if bits >> bit & 1)
            return Control(node, role, name.strip(), states)
        return None

    def box(self, node: Node) -> tuple[int, int, int, int] | None:
        """Where the object is on the screen, if it is anywhere."""
        with suppress(_Gone):
            ((x, y, width, height),) = self._call(node, _COMPONENT, "GetExtents", "u", (_SCREEN,))
            return (x, y, width, height) if width > 0 and height > 0 else None
        return None

    def activate(self, node: Node) -> bool:
        """Do the object's first action (press it, choose it); False when it has none."""
        with suppress(_Gone):
            (done,) = self._call(node, _ACTION, "DoAction", "i", (0,))
            return bool(done)
        return False

    def focused(self) -> Control | None:
        """The control that has the keyboard."""
        for application in self.applications():
            for control in self.controls(application.node):
                if "focused" in control.states and "showing" in control.states:
                    return control
        return None

    def insert(self, node: Node, text: str) -> bool:
        """Type *text*: over the selection, or where the caret is; False when it did not arrive.

        What is there afterwards is read back and compared.
        """
        with suppress(_Gone):
            ((_, caret),) = self._call(node, _PROPERTIES, "Get", "ss", (_TEXT, "CaretOffset"))
            (selections,) = self._call(node, _TEXT, "GetNSelections")
            if selections:
                caret, end = self._call(node, _TEXT, "GetSelection", "i", (0,))
                self._call(node, _EDITABLE, "DeleteText", "ii", (caret, end))
            # The toolkits behind this count the length in bytes.
            length = len(text.encode())
            self._call(node, _EDITABLE, "InsertText", "isi", (caret, text, length))
            (found,) = self._call(node, _TEXT, "GetText", "ii", (caret, caret + len(text)))
            if found != text:
                return False
            self._call(node, _TEXT, "SetCaretOffset", "i", (caret + len(text),))
            return True
        return False

    def _call(
        self, node: Node, interface: str, method: str, signature: str = "", body: Any = ()
    ) -> Any:
        address = DBusAddress(node.path, bus_name=node.owner, interface=interface)
        try:
            reply = self._connection.send_and_get_reply(
                new_method_call(address, method, signature or None, body), timeout=_PATIENCE
            )
        except TimeoutError:
            raise DesktopUnavailable(f"{node.owner} does not answer ({method})") from None
        except (OSError, EOFError) as problem:
            raise DesktopUnavailable(f"the accessibility bus is gone: {problem}") from None
        if reply.header.message_type is MessageType.error:
            raise _Gone
        return reply.body


_NOTHING = "/org/a11y/atspi/null"


class _Gone(Exception):
    """The object has gone, or does not have the interface."""


def open_tree(environment: Mapping[str, str]) -> Tree:
    """Connect to the accessibility tree; raises :class:`DesktopUnavailable` with what to do."""
    return Tree(open_bus(environment))


def open_bus(environment: Mapping[str, str]) -> DBusConnection:
    """Connect to the accessibility bus; raises :class:`DesktopUnavailable` with what to do."""
    remedy = "apt-get install at-spi2-core dbus-x11, then run below dbus-run-session"
    try:
        session = open_dbus_connection(environment.get("DBUS_SESSION_BUS_ADDRESS") or "SESSION")
    except (OSError, KeyError, ValueError, RuntimeError) as problem:
        raise DesktopUnavailable(f"there is no D-Bus session: {problem}", hint=remedy) from None
    try:
        asked = new_method_call(
            DBusAddress("/org/a11y/bus", bus_name="org.a11y.Bus", interface="org.a11y.Bus"),
            "GetAddress",
        )
        reply = session.send_and_get_reply(asked, timeout=_PATIENCE)
        if reply.header.message_type is MessageType.error:
            raise DesktopUnavailable(f"there is no accessibility bus: {reply.body}", hint=remedy)
        return open_dbus_connection(reply.body[0])
    except (OSError, TimeoutError) as problem:
        raise DesktopUnavailable(f"no accessibility bus answers: {problem}", hint=remedy) from None
    finally:
        session.close()


def same_label(left: str, right: str) -> bool:
    """Whether two labels read the same: case, dots and mnemonics apart."""
    return _label(left) == _label(right)


def _label(text: str) -> str:
    return text.replace("…", "...").replace("_", "").rstrip(".").strip().casefold()
