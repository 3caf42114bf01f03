"""Starts a new macro file from the template, valid from the first moment."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from cli_anything.kit.errors import Conflict, UsageError
from cli_anything.macrocli.read_macro import NAME, parse_macro


def require_name(name: str) -> None:
    """Raise :class:`UsageError` for what cannot be the name of a macro."""
    if not NAME.match(name):
        raise UsageError(
            f"{name!r} is not a name",
            hint="use letters, digits, _, . and -, starting with a letter or digit",
        )


def define(name: str, path: Path) -> Path:
    """Write a new macro called *name* to *path*.

    Raises :class:`Conflict` when the file is there, :class:`BadMacro` for a name that is not one.
    """
    template = resources.files(__package__).joinpath("templates/macro.yaml").read_text("utf-8")
    text = template.replace("NAME", name, 1)
    parse_macro(text, source=str(path), folder=path.parent)
    return write_new(text, path)


def refuse_existing(path: Path) -> None:
    """Raise :class:`Conflict` when there is something at *path*."""
    if path.exists():
        raise Conflict(f"{path} is already there", hint="give another name or --output")


def write_new(text: str, path: Path) -> Path:
    """Write a file that is not there yet; raises :class:`Conflict` or :class:`UsageError`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise Conflict(f"{path} is already there", hint="give another name or --output") from None
    except OSError as problem:
        raise UsageError(f"{path} cannot be written: {problem.strerror}") from None
    return path.absolute()
