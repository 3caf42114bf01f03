"""What one call of the program knows: its flags, the environment, and where macros are."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.library import Library
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.places import current_environment, definition_folders, records_file
from cli_anything.macrocli.plan import Planner
from cli_anything.macrocli.read_macro import load_macro
from cli_anything.macrocli.recorded import Recorder
from cli_anything.macrocli.records import Records, session_name


@dataclass(repr=False, eq=False)
class Call:
    """The global flags of a call, and what commands build on."""

    dry_run: bool = False
    session_id: str = ""
    environment: dict[str, str] = field(default_factory=current_environment)

    @cached_property
    def library(self) -> Library:
        return Library(definition_folders(self.environment))

    @cached_property
    def records(self) -> Records:
        return Records(records_file(self.environment))

    @property
    def recorder(self) -> Recorder:
        return Recorder(self.records, self.session_or(None))

    def session_or(self, wanted: str | None) -> str:
        """The session named by an argument, else by ``--session-id``, else the default one."""
        return session_name(wanted or self.session_id)

    def macro(self, name: str | None, file: Path | None) -> tuple[Macro, Planner]:
        """The macro a command line names, and who plans its runs."""
        if (name is None) is (file is None):
            raise UsageError(
                "name a macro, or give --macro-file",
                hint="macro list shows the names",
            )
        if file is None:
            assert name is not None  # noqa: S101 - one of the two is given
            return self.library.load(name), Planner(self.library.load, self.environment)
        macro = load_macro(file)
        library = Library(definition_folders(self.environment, beside=macro.folder))
        return macro, Planner(library.load, self.environment)


def current_call(ctx: click.Context) -> Call:
    """The call a command belongs to."""
    found = ctx.find_object(Call)
    assert found is not None, "the program sets it"  # noqa: S101
    return found


def parse_params(pairs: Iterable[str]) -> dict[str, Any]:
    """``k=v`` pairs as given on the command line; a repeated name gathers a list."""
    values: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(
                f"-p {pair} has no value: write -p {pair.strip('=') or 'name'}=VALUE",
                details={"param": name},
            )
        if name in values:
            before = values[name]
            values[name] = [*before, value] if isinstance(before, list) else [before, value]
        else:
            values[name] = value
    return values
