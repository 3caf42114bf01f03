"""Modules of the standard library, loaded without what they import and hardly ever use.

``dataclasses`` loads ``inspect`` to write a docstring, ``pathlib`` by way of ``urllib.parse`` loads
``ipaddress`` for addresses in brackets, ``subprocess`` loads the names of all locales. Together
that is 5 of the 35 ms that a short command takes.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _StandIn(ModuleType):
    """Loads the module it stands in for when something of it is asked for."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def load_without(module: str, *unused: str) -> None:
    """Import *module*; of *unused* it gets stand-ins, unless they were loaded before.

    Only *module* holds the stand-ins: whoever imports one of *unused* afterwards gets the real one.
    """
    if module in sys.modules:
        return
    absent = [name for name in unused if name not in sys.modules]
    sys.modules.update({name: _StandIn(name) for name in absent})
    try:
        import_module(module)
    finally:
        for name in absent:
            del sys.modules[name]
