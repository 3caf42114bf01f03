"""The interactive program: the same commands, without typing its name, with completion."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import click
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory

_LEAVE = ("exit", "quit")


class Commands(Completer):
    """Completes commands, their options, and the names of macros."""

    def __init__(self, root: click.Group, macros: Callable[[], Iterable[str]]) -> None:
        self._root = root
        self._macros = macros

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        words = document.text_before_cursor.split(" ")
        typed = words[-1]
        for word in self._candidates(words[:-1]):
            if word.startswith(typed):
                yield Completion(word, start_position=-len(typed))

    def _candidates(self, words: list[str]) -> list[str]:
        command: click.Command = self._root
        context = click.Context(self._root, info_name="")
        for word in words:
            if isinstance(command, click.Group) and not word.startswith("-"):
                found = command.get_command(context, word)
                if found is None:
                    return []
                command = found
        if isinstance(command, click.Group):
            here = command.list_commands(context)
            return [*here, *_LEAVE] if command is self._root else here
        options = [option for parameter in command.params for option in parameter.opts]
        flags = [option for option in options if option.startswith("-")]
        takes_name = any(parameter.name in ("name", "names") for parameter in command.params)
        return [*(self._macros() if takes_name else ()), *flags]


def interact(
    root: click.Group,
    run: Callable[[list[str]], int],
    macros: Callable[[], Iterable[str]],
    history: Path,
) -> int:
    """Read and run lines until ``exit`` or the end of input; the exit code of the last one."""
    history.parent.mkdir(parents=True, exist_ok=True)
    session: PromptSession[str] = PromptSession(
        "macrocli> ", completer=Commands(root, macros), history=FileHistory(str(history))
    )
    code = 0
    while True:
        try:
            line = session.prompt().strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return code
        if line in _LEAVE:
            return code
        if line:
            code = run_line(line, run)


def run_line(line: str, run: Callable[[list[str]], int]) -> int:
    """Run one line; what cannot be split into words is wrong usage."""
    try:
        words = shlex.split(line)
    except ValueError as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    return run(words)
