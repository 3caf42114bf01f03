"""``cli-hub registry``: sources, and what maintainers of registries need."""

from __future__ import annotations

from cli_hub.cli import registry_sources, registry_verify
from cli_hub.cli.app import HubApp

app = HubApp("registry", help="Sources, and the tools of registry maintainers.")
app.add_typer(registry_sources.app)
app.command("verify")(registry_verify.verify)


@app.callback()
def registry() -> None:
    """Sources, and the tools of registry maintainers."""
