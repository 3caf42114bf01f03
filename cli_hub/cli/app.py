"""The pieces every command module is built from: lazy groups, and ``--json`` on everything."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import typer
from typer import _click
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_command

from cli_hub.cli.surface import Surface


class HubCommand(TyperCommand):
    """A command that also takes ``--json``, wherever it stands on the line."""

    def get_params(self, ctx: _click.Context) -> list[_click.Parameter]:
        return [*super().get_params(ctx), _json_option()]


class HubApp(typer.Typer):
    """A Typer app whose commands are :class:`HubCommand`.

    With a *name* it is a group of its own (``cli-hub previews …``); without one its commands are
    verbs of the program (``cli-hub install …``).
    """

    def __init__(
        self,
        name: str | None = None,
        *,
        help: str | None = None,  # noqa: A002 - Typer's own word for it
        completion: bool = False,
    ) -> None:
        super().__init__(
            name=name,
            help=help,
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            add_completion=completion,
        )

    def command(self, name: str | None = None, **kwargs: Any) -> Callable[[Any], Any]:
        kwargs.setdefault("cls", HubCommand)
        return super().command(name, **kwargs)


class LazyGroup(TyperGroup):
    """Imports a command's module only when that command is called (or all, for ``--help``)."""

    modules: Mapping[str, str] = {}
    """Command name to the module that has it, in the order ``--help`` shows them."""

    def list_commands(self, ctx: _click.Context) -> list[str]:
        del ctx  # the same for every invocation
        return list(self.modules)

    def get_command(self, ctx: _click.Context, cmd_name: str) -> _click.Command | None:
        del ctx
        if cmd_name not in self.modules:
            return None
        app: HubApp = importlib.import_module(self.modules[cmd_name]).app
        loaded = get_command(app)
        if app.info.name == cmd_name or not isinstance(loaded, TyperGroup):
            return loaded
        return loaded.commands[cmd_name]


def surface(ctx: typer.Context) -> Surface:
    """The output surface of this invocation."""
    found = ctx.find_object(Surface)
    assert found is not None, "main() sets it"  # noqa: S101
    return found


def _json_option() -> TyperOption:
    def remember(ctx: _click.Context, _param: _click.Parameter, value: bool) -> None:
        found = ctx.find_object(Surface)
        if value and found is not None:
            found.json = True

    return TyperOption(
        param_decls=["--json"],
        is_flag=True,
        default=False,
        expose_value=False,
        callback=remember,
        help="Print exactly one JSON document on standard output.",
    )
