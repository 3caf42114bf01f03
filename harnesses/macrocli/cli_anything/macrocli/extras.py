"""How to get the optional parts of this package, wherever it is installed."""

from __future__ import annotations

import sys
from pathlib import Path

_RECEIPT = "cli-hub-receipt.json"
"""The file the hub puts into every environment it makes."""


def how_to_get(*extras: str, environment: Path | None = None) -> str:
    """The command that adds *extras*: through the hub where the hub installed this."""
    wanted = ",".join(extras)
    if (Path(environment or sys.prefix) / _RECEIPT).is_file():
        return f"cli-hub install 'macrocli[{wanted}]'"
    return f"pip install 'cli-anything-macrocli[{wanted}]'"
