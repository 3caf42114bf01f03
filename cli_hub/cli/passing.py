"""``launch`` and ``run`` hand words on to a harness: which words are still ours?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cli_hub.errors import UsageError

_PASSING = ("launch", "run")


def own_words(argv: Sequence[str]) -> list[str]:
    """The words of a command line that are the hub's: nothing after ``--``, and nothing that
    belongs to the harness of ``launch`` or ``run``."""
    words = list(argv[: argv.index("--")] if "--" in argv else argv)
    number = next((n for n, word in enumerate(words) if not word.startswith("-")), None)
    if number is None or words[number] not in _PASSING:
        return words
    rest = words[number + 1 :]
    if words[number] == "launch":
        name = next((n for n, word in enumerate(rest) if not word.startswith("-")), len(rest))
        return words[: number + 1 + name + 1]
    try:
        handed_on = len(_split(rest).arguments)
    except UsageError:
        return words  # the command itself says what is wrong with them
    return words[: len(words) - handed_on]


@dataclass(frozen=True, slots=True)
class RunLine:
    """``[options] NAME [options] [--] ARGS…`` taken apart."""

    name: str = ""
    arguments: tuple[str, ...] = ()
    timeout: float | None = None
    json: bool = False


def split_run(words: Sequence[str]) -> RunLine:
    """Take the words after ``run`` apart. Raises :class:`UsageError`.

    Options of the hub are read up to the first argument of the harness, or up to ``--``.
    """
    found = _split(words)
    if not found.name:
        raise UsageError("run needs the name of a harness", hint="cli-hub list shows them")
    return found


def _split(words: Sequence[str]) -> RunLine:
    line = RunLine()
    rest = list(words)
    while rest:
        option, equals, value = rest[0].partition("=")
        if rest[0] == "--json":
            line = replace(line, json=True)
            rest = rest[1:]
        elif option == "--timeout":
            if not equals and len(rest) < 2:
                raise UsageError("--timeout needs a number of seconds")
            line = replace(line, timeout=_seconds(value if equals else rest[1]))
            rest = rest[1:] if equals else rest[2:]
        elif not line.name and not rest[0].startswith("-"):
            line = replace(line, name=rest[0])
            rest = rest[1:]
        elif not line.name:
            raise UsageError(f"run has no option {option}", hint="cli-hub run --help")
        else:
            break
    arguments = rest[1:] if rest[:1] == ["--"] else rest
    return replace(line, arguments=tuple(arguments))


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise UsageError(f"--timeout {text} is not a number of seconds") from None
    if not 0 < seconds < 10**9:
        raise UsageError(f"--timeout {text} is not a time to wait")
    return seconds
