"""``cli-hub registry``: sources, and what maintainers of registries need."""

from __future__ import annotations

from cli_hub.cli import registry_add, registry_check, registry_sources, registry_verify
from cli_hub.cli.app import HubApp

app = HubApp("registry", help="Sources, and the tools of registry maintainers.")
app.add_typer(registry_sources.app)
app.command("validate")(registry_check.validate)
app.command("fmt")(registry_check.fmt)
app.command("add")(registry_add.add)
app.command("diff")(registry_check.diff)
app.command("stats")(registry_check.stats)
app.command("verify")(registry_verify.verify)


@app.callback()
def registry() -> None:
    """Sources, and the tools of registry maintainers."""
