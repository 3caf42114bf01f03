"""``command``: an argv. ``cargo install`` and ``go install`` get a private root."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any, ClassVar

from cli_hub.errors import UsageError
from cli_hub.process import Command as Argv
from cli_hub.process import command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass

_CARGO = ("cargo", "install")
_GO = ("go", "install")


@dataclass(frozen=True, slots=True)
class Command:
    """``{"strategy": "command", "steps": [["cargo", "install", …]], "undo": […]}``.

    Each step is an argv and no shell ever reads it. Anything but cargo and go is shown in full and
    run only with consent, because nobody can say where it writes.
    """

    kind: ClassVar[Kind] = Kind.COMMAND

    steps: tuple[tuple[str, ...], ...]
    undo: tuple[tuple[str, ...], ...] = ()

    @property
    def scope(self) -> Scope:
        return Scope.PRIVATE if self._private else Scope.GLOBAL

    @property
    def needs(self) -> str:
        return self.steps[0][0]

    @property
    def package(self) -> str:
        return self.text

    @property
    def version(self) -> str:
        return ""

    @property
    def text(self) -> str:
        return " && ".join(shlex.join(step) for step in self.steps)

    @property
    def consent(self) -> Consent | None:
        if self._private:
            return None
        return Consent("runs a command with your rights, outside the hub's directories", self.text)

    @property
    def downloads(self) -> tuple[Download, ...]:
        return ()

    def at_version(self, version: str) -> Command:
        first = self.steps[0]
        if not self._private:
            raise UsageError(
                f"no version can be chosen ({version}): {self.text} decides what it installs",
                hint="leave the version out",
            )
        if first[:2] == _GO:
            module = first[-1].partition("@")[0]
            return replace(self, steps=((*first[:-1], f"{module}@v{version.lstrip('v')}"),))
        return replace(self, steps=((*first, "--version", version),))

    def commands(self, target: Target) -> tuple[Argv, ...]:
        return tuple(_placed(step, target) for step in self.steps)

    def update(self, target: Target) -> tuple[Argv, ...]:
        return self.commands(target)

    def removal(self, target: Target) -> tuple[Argv, ...]:
        del target
        return () if self._private else tuple(Argv(argv) for argv in self.undo)

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "strategy": self.kind.value,
            "steps": [list(step) for step in self.steps],
        }
        if self.undo:
            document["undo"] = [list(argv) for argv in self.undo]
        return document

    @property
    def _private(self) -> bool:
        return len(self.steps) == 1 and self.steps[0][:2] in (_CARGO, _GO)


def _placed(step: tuple[str, ...], target: Target) -> Argv:
    if step[:2] == _CARGO:
        return command(*step, "--root", str(target.root))
    if step[:2] == _GO:
        return command(*step).with_env({"GOBIN": str(target.bin)})
    return Argv(step)
