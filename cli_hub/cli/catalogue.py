"""``cli-hub list``, ``search``, ``can`` and ``info`` in the command tree."""

from __future__ import annotations

from cli_hub.cli.browse import DEFINITIONS
from cli_hub.cli.defined import app_of

app = app_of(DEFINITIONS.values())
