"""Commands for the command tree, made from their definitions."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Annotated, Any

import typer

from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface
from cli_hub.cli.definition import Definition, Option


def app_of(definitions: Iterable[Definition]) -> HubApp:
    """One app with a command for each of *definitions*."""
    app = HubApp()
    for definition in definitions:
        app.command(definition.name, help=inspect.cleandoc(definition.help))(_function(definition))
    return app


def _function(definition: Definition) -> Callable[..., int]:
    """A function with the parameters the definition asks for, as Typer wants to see them."""

    def command(ctx: typer.Context, **values: Any) -> int:
        words = values.pop("words", None) or []
        return definition.call(surface(ctx), [words] if isinstance(words, str) else words, values)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("ctx", keyword, annotation=typer.Context)]
    if definition.words:
        kind: Any = list[str] if definition.many else str
        argument = typer.Argument(
            help=definition.words_help or None,
            metavar=definition.words,
            autocompletion=completing.OF_WORDS[definition.offers],
        )
        kind = kind | None if definition.optional else kind
        annotation: Any = Annotated[kind, argument]
        default = None if definition.optional else inspect.Parameter.empty
        parameters.append(
            inspect.Parameter("words", keyword, default=default, annotation=annotation)
        )
    parameters += [_parameter(option) for option in definition.options]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in parameters}
    return command


def _parameter(option: Option) -> inspect.Parameter:
    flags = [option.flag] if not option.short else [option.short, option.flag]
    told = typer.Option(*flags, help=option.help, min=option.least)
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=option.default,
        annotation=Annotated[type(option.default), told],
    )
