"""``cli-hub schema``: the JSON Schemas of the product's documents."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cli_hub import schemas
from cli_hub.cli import completing
from cli_hub.cli.app import HubApp, surface

app = HubApp()


@app.command("schema")
def schema(
    ctx: typer.Context,
    name: Annotated[
        str | None,
        typer.Argument(
            help="Which one; all names without it.", autocompletion=completing.schema_names
        ),
    ] = None,
) -> None:
    """Print the JSON Schema of one document, or the names of all.

    Example: cli-hub schema error
    """
    out = surface(ctx)
    if name is None:
        out.show(schemas.names(), lambda: out.line("\n".join(schemas.names())))
        return
    document = schemas.load(name)
    out.show(document, lambda: out.line(json.dumps(document, indent=2, ensure_ascii=False)))
