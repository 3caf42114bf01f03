"""From a registry entry to a strategy: the structured ``install`` first, else the older fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from cli_hub.strategies.brew import Brew
from cli_hub.strategies.bundled import Bundled
from cli_hub.strategies.command import Command
from cli_hub.strategies.command_line import local_path, parse_command_line, parse_undo
from cli_hub.strategies.fields import Fields, Refused
from cli_hub.strategies.model import Kind, Strategy, Uninstallable
from cli_hub.strategies.npm import Npm
from cli_hub.strategies.pip import Pip
from cli_hub.strategies.script import Script
from cli_hub.strategies.uv import Uv


def parse_install(
    raw_entry: Mapping[str, Any], *, base: Path | None = None
) -> Strategy | Uninstallable:
    """What installing the entry means. Never raises, starts nothing and reads no file.

    *base* is the folder that relative paths of the entry start from: the folder of the registry
    file it came from. Without one they are refused; the current directory is never meant.
    """
    structured = raw_entry.get("install")
    try:
        if structured is not None:
            return _structured(structured, base)
        return _from_older_fields(raw_entry, base)
    except Refused as problem:
        text = raw_entry.get("install_cmd")
        return Uninstallable(problem.reason, problem.hint, text if isinstance(text, str) else "")


def _from_older_fields(raw: Mapping[str, Any], base: Path | None) -> Strategy:
    fields = Fields(raw)
    manager = fields.text("package_manager")
    if Kind.BUNDLED in (manager, fields.text("install_strategy")):
        detect = fields.text("detect_cmd") or fields.first_word("entry_point")
        return Bundled(detect.split()[0] if detect else "", fields.text("install_notes"))
    line = fields.text("install_cmd")
    if line:
        return _with_undo(parse_command_line(line, base=base), fields.text("uninstall_cmd"))
    if package := fields.text("npm_package"):
        return Npm(package)
    if line := fields.text("npx_cmd"):
        return parse_command_line(line, base=base)
    raise Refused("the entry does not say how it is installed", fields.text("install_notes"))


def _with_undo(strategy: Strategy, line: str) -> Strategy:
    if isinstance(strategy, Command | Script) and line:
        return replace(strategy, undo=parse_undo(line))
    return strategy


def _structured(raw: object, base: Path | None) -> Strategy:
    if not isinstance(raw, Mapping):
        raise Refused("install is not an object")
    fields = Fields(raw)
    word = fields.text("strategy")
    match word:
        case "pip" | "uv":
            return _python(fields, Uv if word == "uv" else Pip, base)
        case "npm":
            return Npm(
                fields.required("package"), fields.text("version"), scripts=fields.flag("scripts")
            )
        case "brew":
            return Brew(fields.required("package"), cask=fields.flag("cask"))
        case "script":
            return Script(
                _address(fields.required("url")),
                fields.text("interpreter") or "sh",
                fields.words("arguments"),
                fields.digest(),
                fields.argvs("undo"),
            )
        case "command":
            steps = fields.argvs("steps")
            if not steps:
                raise Refused("install.steps is missing")
            return Command(steps, fields.argvs("undo"))
        case "bundled":
            return Bundled(fields.required("detect"), fields.text("notes"))
    words = ", ".join(Kind)
    raise Refused(f"install.strategy {word!r} is unknown", f"known are {words}")


def _address(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise Refused(f"install.url {url} is not an https address")
    return url


def _python(fields: Fields, chosen: type[Pip], base: Path | None) -> Pip:
    path, url = fields.text("path"), fields.text("url")
    if path.startswith((".", "/")):
        path, url = "", local_path(path, base)
    if path and ".." in PurePosixPath(path).parts:
        raise Refused(f"install.path {path} leaves the hub's own files")
    package = fields.name("package")
    if not (package or path or url):
        raise Refused("install.package is missing")
    also = fields.words("also")
    if any(word.startswith("-") for word in also):
        raise Refused("install.also has an option in it")
    return chosen(
        package=package,
        version=fields.text("version"),
        extras=fields.words("extras"),
        path=path,
        url=url,
        sha256=fields.digest(),
        index=fields.text("index"),
        also=also,
        prerelease=fields.flag("prerelease"),
    )
