"""What an installer really put into a generation: version, package, programs."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from cli_hub.errors import HubError
from cli_hub.install import distribution
from cli_hub.install.installed import scripts_directory
from cli_hub.install.plan import Plan
from cli_hub.install.programs import find_program
from cli_hub.strategies import Command, Kind, Npm, Scope
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Contents:
    """*scripts* lie in the generation; *program* is the entry point when it lies elsewhere."""

    version: str
    package: str
    scripts: tuple[str, ...] = ()
    program: str = ""
    files: tuple[str, ...] | None = None
    """What the package itself brought, absolute; ``None`` where that is not on record."""
    needs_scripts: bool = False
    """The npm package has life-cycle scripts for its installation, and they did not run."""


def describe(plan: Plan) -> Contents:
    """Look at what *plan* has installed. Raises :class:`HubError` when its program is not there."""
    strategy, root = plan.strategy, plan.target.root
    match strategy.kind:
        case Kind.PIP | Kind.UV:
            found = _python(plan)
        case Kind.NPM:
            assert isinstance(strategy, Npm)  # noqa: S101 - that is what the kind says
            found = _node(plan, strategy)
        case Kind.COMMAND if strategy.scope is Scope.PRIVATE:
            assert isinstance(strategy, Command)  # noqa: S101
            found = _compiled(plan, strategy)
        case _:
            return _elsewhere(plan)
    own = tuple(name for name in found.scripts if os.access(_in(root, name), os.X_OK))
    wanted = plan.entry.entry_point[:1]
    if not own or (wanted and wanted[0] not in own and not find_program(wanted[0], Path.home())):
        raise HubError(
            f"{plan.name} was installed, but it does not bring {' '.join(wanted) or 'a program'}",
            hint="the entry is wrong; tell its maintainer",
            details={"brings": list(own)},
        )
    first = [name for name in own if name in wanted]
    ordered = tuple(dict.fromkeys([*first, *own]))
    return replace(found, scripts=ordered)


def _python(plan: Plan) -> Contents:
    entry_point = plan.entry.entry_point
    found = distribution.find(
        plan.target.root,
        package=plan.strategy.package,
        program=entry_point[0] if entry_point else "",
    )
    if found is None:
        return Contents(plan.entry.version, plan.strategy.package)
    return Contents(found.version, found.name, found.scripts, files=found.files)


def _node(plan: Plan, strategy: Npm) -> Contents:
    root = plan.target.root
    module = root / "lib" / "node_modules" / strategy.package
    try:
        about = json.loads((module / "package.json").read_bytes())
    except (OSError, ValueError):
        return Contents(plan.entry.version, strategy.package)
    commands = about.get("bin") or {}
    if isinstance(commands, str):
        commands = {strategy.package.rpartition("/")[2]: commands}
    hooks = {"preinstall", "install", "postinstall"} & set(about.get("scripts") or {})
    return Contents(
        str(about.get("version", plan.entry.version)),
        strategy.package,
        tuple(commands),
        needs_scripts=bool(hooks) and not plan.target.allow_scripts,
    )


def _compiled(plan: Plan, strategy: Command) -> Contents:
    folder = scripts_directory(plan.target.root)
    scripts = tuple(sorted(path.name for path in folder.iterdir())) if folder.is_dir() else ()
    import tomllib

    try:
        record = tomllib.loads((plan.target.root / ".crates.toml").read_text(encoding="utf-8"))
        crate, version, *_ = next(iter(record["v1"])).split()
    except (OSError, KeyError, StopIteration, ValueError):
        return Contents(plan.entry.version, strategy.steps[0][-1], scripts)
    return Contents(version, crate, scripts)


def _elsewhere(plan: Plan) -> Contents:
    wanted = plan.entry.entry_point
    program = find_program(wanted[0], Path.home()) if wanted else ""
    if not program:
        raise HubError(
            f"{plan.name} was installed, but {' '.join(wanted) or 'its program'} is nowhere to be "
            "found",
            hint=f"find out where it went and put that on PATH; see {plan.entry.homepage}",
        )
    return Contents(plan.entry.version, plan.strategy.package, (), program)


def _in(root: Path, name: str) -> Path:
    path = scripts_directory(root) / name
    return path if os.name != "nt" else path.with_suffix(".exe")
