"""``script``: an installer script from the network, which others pipe into a shell."""

from __future__ import annotations

import shlex
from typing import Any, ClassVar

from cli_hub.errors import UsageError
from cli_hub.process import Command, command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass

_FILE = "installer"


@dataclass(frozen=True, slots=True)
class Script:
    """``{"strategy": "script", "url": …, "interpreter": "bash", "arguments": […], "sha256": …}``.

    It is fetched to a file, hashed, shown, and run only with consent, never as a stream.
    """

    kind: ClassVar[Kind] = Kind.SCRIPT

    url: str
    interpreter: str = "sh"
    arguments: tuple[str, ...] = ()
    sha256: str = ""
    undo: tuple[tuple[str, ...], ...] = ()

    @property
    def scope(self) -> Scope:
        return Scope.GLOBAL

    @property
    def needs(self) -> str:
        return self.interpreter

    @property
    def package(self) -> str:
        return self.url

    @property
    def version(self) -> str:
        return ""

    @property
    def consent(self) -> Consent | None:
        call = shlex.join((self.interpreter, _FILE, *self.arguments))
        return Consent(
            "runs a script from the network with your rights, outside the hub's directories",
            f"{self.url} → {call}",
        )

    @property
    def downloads(self) -> tuple[Download, ...]:
        return (Download(self.url, _FILE, self.sha256),)

    def at_version(self, version: str) -> Script:
        raise UsageError(
            f"no version can be chosen ({version}): the script decides what it installs",
            hint="leave the version out",
        )

    def commands(self, target: Target) -> tuple[Command, ...]:
        return (command(self.interpreter, str(target.root / _FILE), *self.arguments),)

    def update(self, target: Target) -> tuple[Command, ...]:
        return self.commands(target)

    def removal(self, target: Target) -> tuple[Command, ...]:
        del target
        return tuple(Command(argv) for argv in self.undo)

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "strategy": self.kind.value,
            "url": self.url,
            "interpreter": self.interpreter,
        }
        if self.arguments:
            document["arguments"] = list(self.arguments)
        if self.sha256:
            document["sha256"] = self.sha256
        if self.undo:
            document["undo"] = [list(argv) for argv in self.undo]
        return document
