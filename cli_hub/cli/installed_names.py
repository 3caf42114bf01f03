"""Which harnesses are installed, for commands that only read and never wake the engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cli_hub.cli.surface import Surface


def installed_names(out: Surface) -> Mapping[str, Any]:
    """The installed harnesses by name; nothing is created where nothing was ever installed."""
    if not out.paths.ledger.exists():
        return {}
    from cli_hub.install.ledger import Ledger, State

    rows = Ledger(out.paths, out.warn).rows()
    return {name: row for name, row in rows.items() if row.state is State.READY}
