"""The seven execution backends, highest priority first."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from cli_anything.macrocli.backends import (
    file_transform,
    gui_agent,
    gui_macro,
    native_api,
    recovery,
    semantic_ui,
    visual_anchor,
)
from cli_anything.macrocli.backends.base import Action, Backend

BACKENDS: Mapping[str, Backend] = {
    backend.name: backend
    for backend in sorted(
        (
            native_api.BACKEND,
            gui_macro.BACKEND,
            visual_anchor.BACKEND,
            file_transform.BACKEND,
            gui_agent.BACKEND,
            semantic_ui.BACKEND,
            recovery.BACKEND,
        ),
        key=lambda backend: -backend.priority,
    )
}


@lru_cache(maxsize=256)
def offering(action: str) -> tuple[tuple[Backend, Action], ...]:
    """The backends that have an action of that name, highest priority first."""
    found = ((backend, backend.action(action)) for backend in BACKENDS.values())
    return tuple((backend, offered) for backend, offered in found if offered is not None)


def action_names() -> list[str]:
    """Every action any backend has."""
    return sorted({action.name for backend in BACKENDS.values() for action in backend.actions})
