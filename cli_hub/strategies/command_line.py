"""Older entries say how they install as a shell line; it is parsed, never handed to a shell.

``pip install X``, ``python3 -m pip install X``, ``uv tool install X``, ``pipx install X``,
``npm install -g X``, ``npx X``, ``brew install [--cask] X`` and ``curl … | bash`` become the
strategy they mean; any other plain argv becomes :class:`Command`. What only a shell could carry out
(redirections, expansions, a ``cd`` into a checkout that is not there) is refused with the reason.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from cli_hub.strategies.brew import Brew
from cli_hub.strategies.command import Command
from cli_hub.strategies.fields import Refused
from cli_hub.strategies.model import Strategy
from cli_hub.strategies.npm import Npm
from cli_hub.strategies.pip import Pip
from cli_hub.strategies.python_requirement import split_requirement
from cli_hub.strategies.script import Script
from cli_hub.strategies.uv import Uv

_SHELLS = ("sh", "bash", "zsh", "dash")
_OPERATORS = "();<>|&"
_SUBSTITUTED = re.compile(r"\$\((?P<inner>[^()]*)\)")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def parse_command_line(line: str, *, base: Path | None = None) -> Strategy:
    """The strategy *line* means. Raises :class:`Refused`."""
    piped = _script_in_substitution(line)
    if piped is not None:
        return piped
    steps = _steps(line)
    if len(steps) == 1 and "|" in steps[0]:
        return _script_from_pipe(steps[0])
    for step in steps:
        _check_plain(step)
    if len(steps) > 1:
        return Command(tuple(tuple(step) for step in steps))
    return _one_command(steps[0], base)


def parse_undo(line: str) -> tuple[tuple[str, ...], ...]:
    """The commands of an ``uninstall_cmd``. Raises :class:`Refused`."""
    steps = _steps(line)
    for step in steps:
        _check_plain(step)
    return tuple(tuple(step) for step in steps)


def local_path(path: str, base: Path | None) -> str:
    """An absolute path; a relative one starts at *base*, never at the current directory."""
    if Path(path).is_absolute():
        return path
    if base is None:
        raise Refused(
            f"{path} is relative, and the entry came from nowhere in particular",
            "name the package, or give an absolute path or an address",
        )
    return str((base / path).resolve())


_SPECIAL = re.compile(f"[\"'\\\\{re.escape(_OPERATORS)}]")
"""What splitting at spaces would get wrong."""


def _steps(line: str) -> list[list[str]]:
    """The commands joined by ``&&``; other operators stay as words of their own."""
    if line.isascii() and not _SPECIAL.search(line) and line.strip():
        return [line.split()]  # most lines are plain, and registries have many
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as problem:
        raise Refused(f"the command line cannot be read: {problem}") from None
    steps: list[list[str]] = [[]]
    for word in words:
        if word == "&&":
            steps.append([])
        else:
            steps[-1].append(word)
    if not all(steps):
        raise Refused("the command line has an empty command")
    return steps


def _check_plain(step: Sequence[str]) -> None:
    for word in step:
        if word and not word.strip(_OPERATORS):
            raise Refused(f"{word!r} needs a shell, and the hub runs none")
        if "$" in word or "`" in word:
            raise Refused(f"{word!r} needs a shell to expand it, and the hub runs none")
    if step[0] == "cd":
        raise Refused(
            f"it starts from a checkout ({shlex.join(step)}) that is not there",
            "the entry should name a package, an archive or a git address",
        )


def _one_command(words: Sequence[str], base: Path | None) -> Strategy:
    if _ASSIGNMENT.match(words[0]):
        return Command((("env", *words),))
    program = _program(words[0])
    match (program, *words[1:]):
        case (("pip" | "pip3"), "install", *rest):
            return _python(Pip, rest, base)
        case (("python" | "python3" | "py"), "-m", "pip", "install", *rest):
            return _python(Pip, rest, base)
        case ("uv", "tool", "install", *rest) | ("uv", "pip", "install", *rest):
            return _python(Uv, rest, base)
        case ("pipx", "install", *rest):
            return _python(Uv, rest, base)
        case ("npm", ("install" | "i" | "add"), *rest):
            return _npm(rest, global_by_nature=False)
        case ("npx", *rest):
            return _npm(rest, global_by_nature=True)
        case ("brew", "install", *rest):
            return _brew(rest)
    if program in ("pip", "pip3", "pipx"):
        raise Refused(f"{shlex.join(words)} does not install anything")
    return Command((tuple(words),))


@lru_cache(maxsize=256)
def _program(word: str) -> str:
    """``C:\\…\\npm.cmd`` and ``/usr/bin/python3.11`` by the name they are known by."""
    name = re.split(r"[/\\]", word)[-1].lower()
    name = re.sub(r"\.(exe|cmd|bat)$", "", name)
    return re.sub(r"^(python3|pip3)\.\d+$", r"\1", name)


_PIP_IGNORED = {
    "-U", "--upgrade", "--force-reinstall", "--user", "--break-system-packages", "--no-cache-dir",
    "-q", "--quiet", "--force", "--no-input",
}  # fmt: skip
"""Options that say how the shared environment of others is treated; here it has its own."""


def _python(chosen: type[Pip], words: Sequence[str], base: Path | None) -> Pip:
    wanted: list[str] = []
    beside: list[str] = []
    index, prerelease = "", False
    rest = list(words)
    while rest:
        word = rest.pop(0)
        option, equals, value = word.partition("=")
        if word in _PIP_IGNORED:
            continue
        if word in ("--pre", "--prerelease"):
            prerelease = True
        elif option in ("-i", "--index-url", "--default-index", "--with", "--python", "-p"):
            if not equals and not rest:
                raise Refused(f"{option} has no value")
            value = value if equals else rest.pop(0)
            if option == "--with":
                beside.append(value)
            elif option not in ("--python", "-p"):
                index = value
        elif word.startswith("-"):
            raise Refused(f"the hub does not know what {option} should do here")
        else:
            wanted.append(word)
    if not wanted:
        raise Refused("it names no package")
    first = split_requirement(wanted[0], lambda path: local_path(path, base))
    return chosen(
        package=first.name,
        version=first.version,
        extras=first.extras,
        url=first.url,
        index=index,
        also=(*wanted[1:], *beside),
        prerelease=prerelease,
    )


def _npm(words: Sequence[str], *, global_by_nature: bool) -> Npm:
    flags = {word for word in words if word.startswith("-")}
    packages = [word for word in words if not word.startswith("-")]
    if not (global_by_nature or flags & {"-g", "--global"}):
        raise Refused("npm install without --global belongs to a project, not to a user")
    unknown = flags - {"-g", "--global", "-y", "--yes", "--force", "--silent"}
    if unknown:
        raise Refused(f"the hub does not know what {' '.join(sorted(unknown))} should do here")
    if not packages or (len(packages) > 1 and not global_by_nature):
        raise Refused("it should name one npm package")
    name, _, version = packages[0].rpartition("@")
    if not name:  # '@scope/name' has its only @ in front; 'name' has none
        return Npm(packages[0])
    return Npm(name, "" if version == "latest" else version)


def _brew(words: Sequence[str]) -> Brew:
    flags = {word for word in words if word.startswith("-")}
    packages = [word for word in words if not word.startswith("-")]
    unknown = flags - {"--cask", "--formula", "-q", "--quiet"}
    if unknown:
        raise Refused(f"the hub does not know what {' '.join(sorted(unknown))} should do here")
    if len(packages) != 1:
        raise Refused("it should name one formula or cask")
    return Brew(packages[0], cask="--cask" in flags)


def _script_in_substitution(line: str) -> Script | None:
    """``bash -c "$(curl -fsSL URL)"``."""
    inner = _SUBSTITUTED.search(line) if "$(" in line else None
    if inner is None:
        return None
    outer = (line[: inner.start()] + line[inner.end() :]).replace('"', "").split()
    if len(outer) != 2 or _program(outer[0]) not in _SHELLS or outer[1] != "-c":
        return None
    return Script(_address(_steps(inner["inner"])[0]), _program(outer[0]))


def _script_from_pipe(words: Sequence[str]) -> Script:
    """``curl … URL | bash [-s -- arguments]``."""
    bar = words.index("|")
    fetching, running = words[:bar], list(words[bar + 1 :])
    if "|" in running or not running or _program(running[0]) not in _SHELLS:
        raise Refused("it is a pipe, and only a fetched script piped into a shell is understood")
    _check_plain(fetching)
    _check_plain(running)
    arguments = [word for word in running[1:] if word not in ("-s", "-")]
    if arguments[:1] == ["--"]:
        arguments = arguments[1:]
    elif arguments and arguments[0].startswith("-"):
        raise Refused(f"the hub does not know what {arguments[0]} should do here")
    return Script(_address(fetching), _program(running[0]), tuple(arguments))


def _address(fetching: Sequence[str]) -> str:
    urls = [word for word in fetching[1:] if re.match(r"https?://", word)]
    if _program(fetching[0]) not in ("curl", "wget") or len(urls) != 1:
        raise Refused("it is not one address fetched with curl or wget")
    return urls[0]
