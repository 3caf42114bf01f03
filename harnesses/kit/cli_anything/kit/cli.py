"""The command line every harness has: groups of commands, ``--json`` anywhere, one document out.

A harness makes a :class:`HarnessGroup`, its commands call :func:`emit`, and its entry point
returns :func:`run_main`. Answers go to standard output, everything else to standard error.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import click

from cli_anything.kit.errors import HarnessError, Interrupted, UsageError


class OutputLost(HarnessError):
    """The answer did not get to where it should: the disk is full, or its reader has gone.

    A reader that has gone (head, less) has seen enough, and nothing is wrong.
    """

    def __init__(self, problem: OSError) -> None:
        super().__init__(
            f"the answer cannot be written: {problem.strerror}",
            hint="it goes to standard output: see what that was redirected to",
        )
        self.wanted = not isinstance(problem, BrokenPipeError)


class HarnessGroup(click.Group):
    """A root group whose own options (``--json``, ``--project`` …) may stand anywhere on the line.

    They are moved to the front before parsing, up to a ``--``; a value of another option that
    merely looks like one is left alone as long as it is written ``--name=value``.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self._globals_first(ctx, args))

    def _globals_first(self, ctx: click.Context, args: Sequence[str]) -> list[str]:
        takes_value = {
            name: not option.is_flag
            for option in self.get_params(ctx)
            if isinstance(option, click.Option) and "--help" not in option.opts
            for name in (*option.opts, *option.secondary_opts)
        }
        front: list[str] = []
        rest: list[str] = []
        words = iter(args)
        for word in words:
            if word == "--":
                rest += [word, *words]
                break
            name, equals, _ = word.partition("=")
            if name not in takes_value:
                rest.append(word)
                continue
            front.append(word)
            if takes_value[name] and not equals:
                front += [value for value in (next(words, None),) if value is not None]
        return [*front, *rest]


def json_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """The root group's ``--json`` flag; its value is kept in ``ctx.meta``."""
    return click.option(
        "--json",
        "json",
        is_flag=True,
        expose_value=False,
        callback=lambda ctx, _param, value: ctx.meta.__setitem__(_JSON, value),
        help="Print exactly one JSON document on standard output.",
    )(function)


def wants_json(ctx: click.Context) -> bool:
    """Whether this invocation answers in JSON."""
    return bool(ctx.meta.get(_JSON))


def emit(ctx: click.Context, document: Any, human: Callable[[], str]) -> None:
    """Print the answer: *document* with ``--json``, else the text that *human* returns."""
    if wants_json(ctx):
        _answer(json.dumps(document, indent=2, ensure_ascii=False))
    else:
        _answer(printable(human()))


def note(text: str) -> None:
    """Progress, or a remark beside the answer: standard error."""
    click.echo(printable(text), err=True)


def table(rows: Sequence[Sequence[object]], headers: Sequence[str] = ()) -> str:
    """Aligned columns as text."""
    cells = [[str(cell) for cell in row] for row in ([headers, *rows] if headers else rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)] if cells else []
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )


def facts(values: Mapping[str, object]) -> str:
    """``name  value`` lines, aligned."""
    return table([(f"{name}:", value) for name, value in values.items()])


def run_main(group: click.Group, prog_name: str, arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code.

    Every failure becomes one line of text on standard error, and with ``--json`` also one
    ``{"error": …}`` document on standard output. What is not a :class:`HarnessError` is a bug and
    is left to show its traceback.
    """
    argv = list(sys.argv[1:] if arguments is None else arguments)
    signal.signal(signal.SIGTERM, _end_politely)
    code = 0
    try:
        try:
            code = _dispatch(group, prog_name, argv)
        except OutputLost:
            raise
        except HarnessError as problem:
            code = problem.exit_code
            before_dashes = argv[: argv.index("--") if "--" in argv else None]
            _fail(problem, in_json="--json" in before_dashes)
    except OutputLost as lost:
        # What is still to be written must not come up again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if lost.wanted:
            _fail(lost, in_json=False)
            return code or lost.exit_code
    return code


def _dispatch(group: click.Group, prog_name: str, argv: list[str]) -> int:
    try:
        result = group.main(args=argv, prog_name=prog_name, standalone_mode=False)
    except click.ClickException as problem:
        context = getattr(problem, "ctx", None)
        where = context.command_path if context else prog_name
        raise UsageError(
            problem.format_message(), hint=f"{where} --help shows what it takes"
        ) from None
    except (click.Abort, KeyboardInterrupt):
        raise Interrupted("interrupted") from None
    return result if isinstance(result, int) else 0


def _fail(problem: HarnessError, *, in_json: bool) -> None:
    note(f"error: {problem.message}")
    if problem.hint:
        note(f"  next: {problem.hint}")
    if in_json:
        _answer(json.dumps({"error": problem.as_dict()}, indent=2, ensure_ascii=False))


def _answer(text: str) -> None:
    try:
        click.echo(text)
    except OSError as problem:
        raise OutputLost(problem) from problem


def printable(text: str) -> str:
    """*text* without characters that could steer a terminal; line feeds and tabs stay."""
    return "".join(
        char if char.isprintable() or char in "\n\t" else _steering_told(char) for char in text
    )


def _steering_told(char: str) -> str:
    """*char* itself when it is merely unusual, else its number."""
    import unicodedata  # 1 ms that few texts need

    steers = unicodedata.category(char) in {"Cc", "Cf", "Cs"}
    return f"\\u{ord(char):04x}" if steers else char


def _end_politely(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


_JSON = "cli_anything.kit.json"
