"""What exists: entries, the sources they come from, search, and the tools of maintainers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cli_hub.registry.catalogue import Catalogue, open_catalogue

__all__ = ["Catalogue", "open_catalogue"]


def __getattr__(name: str) -> Any:
    """Load the catalogue only for those who read it: a search answers from its index."""
    if name in ("Catalogue", "open_catalogue"):
        from cli_hub.registry import catalogue

        return getattr(catalogue, name)
    raise AttributeError(name)
