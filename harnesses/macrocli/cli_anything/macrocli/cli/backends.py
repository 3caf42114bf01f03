"""``backends``: what can carry out steps here, and what is missing for the rest."""

from __future__ import annotations

import click

from cli_anything.kit.cli import emit
from cli_anything.macrocli.cli import describe, show
from cli_anything.macrocli.cli.call import current_call


@click.command("backends")
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the execution backends: available or why not, and their actions."""
    document = describe.backends(current_call(ctx).environment)
    emit(ctx, document, lambda: show.backends(document))
