"""Learns from the accessibility bus what kind of field the keyboard is connected to."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import closing, suppress

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_method_call
from jeepney.bus_messages import MatchRule, message_bus
from jeepney.io.blocking import DBusConnection

from cli_anything.macrocli.desktop.accessibility import Control, Node, Tree, open_bus, open_tree
from cli_anything.macrocli.desktop.display import DesktopUnavailable
from cli_anything.macrocli.recording.model import Field, FocusChange

_PASSWORD_ROLE = "password text"  # noqa: S105 - the name of a role
_PAUSE = 0.2
"""Seconds after which the thread looks whether it is still wanted."""

_REGISTRY = DBusAddress(
    "/org/a11y/atspi/registry",
    bus_name="org.a11y.atspi.Registry",
    interface="org.a11y.atspi.Registry",
)
_EVENTS = "org.a11y.atspi.Event.Object"


class FocusWatch:
    """Collects :attr:`changes` in a thread of its own, between :meth:`start` and :meth:`stop`.

    Where there is no accessibility bus, *problem* says why and every field stays unknown.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._wanted = threading.Event()
        self._thread: threading.Thread | None = None
        self._current: Node | None = None
        self.changes: list[FocusChange] = []
        self.problem = ""

    def start(self) -> None:
        try:
            bus, tree = _listen(self._environment), open_tree(self._environment)
        except DesktopUnavailable as unavailable:
            self.problem = unavailable.message
            return
        self._wanted.set()
        self._thread = threading.Thread(target=self._watch, args=(bus, tree), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._wanted.clear()
        if self._thread is not None:
            self._thread.join(5)

    def _watch(self, bus: DBusConnection, tree: Tree) -> None:
        with closing(bus), closing(tree):
            try:
                focused = tree.focused()
                if focused is not None:
                    self._note(time.monotonic(), focused.node, focused)
                while self._wanted.is_set():
                    with suppress(TimeoutError):
                        self._heard(bus.receive(timeout=_PAUSE), tree)
            except (DesktopUnavailable, OSError, EOFError) as gone:
                self.problem = f"the accessibility bus went away: {gone}"
                self.changes.append(FocusChange(time.monotonic(), Field.UNKNOWN))

    def _heard(self, message: Message, tree: Tree) -> None:
        now, fields = time.monotonic(), message.header.fields
        if message.header.message_type is not MessageType.signal:
            return
        if fields.get(HeaderFields.interface) != _EVENTS or message.body[0] != "focused":
            return
        node = Node(fields[HeaderFields.sender], fields[HeaderFields.path])
        if message.body[1]:
            self._note(now, node, tree.describe(node))
        elif node == self._current:
            self._note(now, None, None)

    def _note(self, at: float, node: Node | None, control: Control | None) -> None:
        self._current = node
        if control is None:
            kind = Field.UNKNOWN
        else:
            kind = Field.PASSWORD if control.role == _PASSWORD_ROLE else Field.PLAIN
        self.changes.append(FocusChange(at, kind))


def _listen(environment: Mapping[str, str]) -> DBusConnection:
    """A connection on which every change of focus arrives as a signal."""
    bus = open_bus(environment)
    rule = MatchRule(type="signal", interface=_EVENTS, member="StateChanged")
    asked = new_method_call(_REGISTRY, "RegisterEvent", "s", ("object:state-changed:focused",))
    try:
        for message in (message_bus.AddMatch(rule), asked):
            reply = bus.send_and_get_reply(message, timeout=5)
            if reply.header.message_type is MessageType.error:
                raise DesktopUnavailable(f"the accessibility bus refuses to tell: {reply.body}")
    except (OSError, TimeoutError) as problem:
        bus.close()
        raise DesktopUnavailable(f"the accessibility bus does not answer: {problem}") from None
    return bus
