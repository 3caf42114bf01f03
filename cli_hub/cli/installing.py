"""``cli-hub install`` and ``uninstall`` in the command tree."""

from __future__ import annotations

from cli_hub.cli.defined import app_of
from cli_hub.cli.install import DEFINITIONS

app = app_of(DEFINITIONS.values())
