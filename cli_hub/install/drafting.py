"""Drafting a registry entry from what a package says about itself."""

from __future__ import annotations

import json
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any

from cli_hub import process
from cli_hub.errors import BadDocument, NotFound, UsageError
from cli_hub.install import failures
from cli_hub.install.environment import base_python, installer_command, uv_program
from cli_hub.paths import Paths
from cli_hub.process import Command, Runner, command
from cli_hub.strategies import Npm, Pip

DRAFT_SECONDS = 300.0
"""How long asking an index for a package may take."""
_OWN_PREFIX = "cli-anything-"


def draft(place: str, paths: Paths, *, beside: Path, run: Runner = process.run) -> dict[str, Any]:
    """A raw entry for *place*: ``pip:NAME``, ``npm:NAME`` or ``path:DIR``.

    It has what the package's own metadata says and lacks what that does not say; the folder of a
    ``path:`` is written relative to *beside*, the registry's folder. Raises :class:`UsageError`
    for another kind of place, :class:`NotFound` for a folder that is none and for a package that
    the index does not have, what :func:`failures.explain` makes of an index that does not answer,
    :class:`BadDocument` for metadata that cannot be read.
    """
    kind, _colon, name = place.partition(":")
    drafters: Mapping[str, Callable[[], dict[str, Any]]] = {
        "pip": lambda: _from_python_index(name, paths, run),
        "npm": lambda: _from_npm(name, paths, run),
        "path": lambda: _from_folder(Path(name).expanduser(), beside),
    }
    if kind not in drafters or not name or name.startswith("-"):
        raise UsageError(
            f"nothing can be drafted from {place!r}", hint="pip:NAME, npm:NAME or path:DIR"
        )
    return {key: value for key, value in drafters[kind]().items() if value}


def _from_python_index(name: str, paths: Paths, run: Runner) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="cli-hub-draft-") as folder:
        _ask(
            command(
                uv_program(), "pip", "install", "--no-deps", "--no-config",
                "--python", base_python(), "--target", folder, name,
            ),
            Pip(name),
            paths,
            run,
        )  # fmt: skip
        wanted = _normal(re.split(r"[\[<>=!~ ;@]", name)[0])
        for found in distributions(path=[folder]):
            if _normal(found.metadata["Name"]) == wanted:
                return _of_distribution(found)
    raise BadDocument(name, "the package brought no metadata of that name")


def _of_distribution(found: Distribution) -> dict[str, Any]:
    metadata = found.metadata
    name = metadata["Name"]
    links = [metadata["Home-page"] or ""]
    for line in metadata.get_all("Project-URL") or []:
        label, _comma, address = line.partition(",")
        links.append(address.strip() if label.lower() in ("homepage", "home") else "")
    scripts = [one.name for one in found.entry_points if one.group == "console_scripts"]
    return {
        **_named(name),
        "version": "latest",
        "description": (metadata["Summary"] or "").strip(),
        "homepage": next(filter(None, links), ""),
        "install": {"strategy": "pip", "package": name},
        "entry_point": _main_script(scripts, name),
    }


def _from_npm(name: str, paths: Paths, run: Runner) -> dict[str, Any]:
    said = _ask(command("npm", "view", "--json", "--", name), Npm(name), paths, run)
    try:
        found = json.loads(said)
    except ValueError as problem:
        raise BadDocument(f"npm view {name}", str(problem)) from None
    if isinstance(found, list) and found:
        found = found[-1]  # a range has an answer for every version, the newest last
    if not isinstance(found, dict) or not isinstance(found.get("name"), str):
        raise BadDocument(f"npm view {name}", "it does not describe a package")
    package, repository, programs = found["name"], found.get("repository"), found.get("bin")
    address = repository.get("url", "") if isinstance(repository, dict) else repository
    scripts = [package.rpartition("/")[2]] if isinstance(programs, str) else list(programs or {})
    node = found["engines"].get("node", "") if isinstance(found.get("engines"), dict) else ""
    return {
        **_named(package.rpartition("/")[2]),
        "version": "latest",
        "description": str(found.get("description") or "").strip(),
        "homepage": str(found.get("homepage") or ""),
        "source_url": _web_address(str(address or "")),
        "install": {"strategy": "npm", "package": package},
        "entry_point": _main_script(scripts, package.rpartition("/")[2]),
        "needs": [{"kind": "binary", "name": "node", "version": node}] if _plain(node) else None,
    }


def _from_folder(folder: Path, beside: Path) -> dict[str, Any]:
    if not folder.is_dir():
        raise NotFound(f"there is no folder {folder}", hint="path: wants the folder of a project")
    project = _toml(folder / "pyproject.toml").get("project")
    if not isinstance(project, dict) or not isinstance(project.get("name"), str):
        raise BadDocument(str(folder / "pyproject.toml"), "there is no [project] with a name")
    name = project["name"]
    links = {key.lower(): value for key, value in project.get("urls", {}).items()}
    try:
        relative = folder.resolve().relative_to(beside.resolve()).as_posix()
    except ValueError:
        raise UsageError(
            f"{folder} is not below the registry's folder {beside}",
            hint="only what is shipped with a registry can be named by its path",
        ) from None
    drafted = {
        **_named(name),
        "version": project.get("version", ""),
        "description": str(project.get("description", "")).strip(),
        "homepage": links.get("homepage", ""),
        "source_url": links.get("source", links.get("repository", "")),
        "install": {"strategy": "pip", "path": f"./{relative}"},
        "entry_point": _main_script(project.get("scripts", {}), name),
    }
    manifests = sorted(folder.glob("**/harness.toml"))
    return drafted | (_of_manifest(_toml(manifests[0])) if manifests else {})


def _of_manifest(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a harness says of itself, which is more than its package does."""
    harness, previews = manifest.get("harness", {}), manifest.get("previews", {})
    application = manifest.get("application", {})
    need = {"kind": "application", "name": application.get("name", "")}
    if application.get("minimum"):
        need["version"] = f">={application['minimum']}"
    said = {
        "name": harness.get("name"),
        "display_name": harness.get("display_name"),
        "entry_point": harness.get("entry_point"),
        "capabilities": harness.get("capabilities"),
        "needs": [need] if need["name"] else None,
        "previews": {"recipes": previews["recipes"]} if previews.get("recipes") else None,
        "macros": bool(harness.get("macros")),
    }
    return {key: value for key, value in said.items() if value}


def _ask(asked: Command, strategy: Npm | Pip, paths: Paths, run: Runner) -> str:
    ready = installer_command(asked, strategy, paths, offline=False)
    done = run(ready, timeout=DRAFT_SECONDS)
    if failures.is_unknown(done):
        index = "npm registry" if isinstance(strategy, Npm) else "Python index"
        raise NotFound(
            f"the {index} has no package {strategy.package}",
            hint="its name there may differ from that of its command",
        )
    if not done.ok:
        raise failures.explain(done, name=strategy.package, log=Path())
    return done.stdout


def _named(package: str) -> dict[str, str]:
    short = package.lower().removeprefix(_OWN_PREFIX).replace("_", "-")
    return {"name": short, "display_name": short.replace("-", " ").title()}


def _main_script(scripts: Iterable[str], package: str) -> str:
    """The command a package is about; empty when it brings several and none has its name."""
    known = list(scripts)
    if len(known) == 1:
        return known[0]
    return next((one for one in known if _normal(one) == _normal(package)), "")


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _web_address(repository: str) -> str:
    """Where people look at a repository; empty when it is not written as an https address."""
    address = repository.removeprefix("git+").removesuffix(".git")
    return address if address.startswith("https://") else ""


def _plain(version: str) -> bool:
    return re.fullmatch(r">=\s*\d+(\.\d+)*", version) is not None


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFound(f"there is no {file}", hint="drafting wants a Python project") from None
    except ValueError as problem:
        raise BadDocument(str(file), str(problem)) from None
