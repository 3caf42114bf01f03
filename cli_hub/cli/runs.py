"""``runs``: the records of runs."""

from __future__ import annotations

from cli_hub.cli.run import runs as app

__all__ = ["app"]
