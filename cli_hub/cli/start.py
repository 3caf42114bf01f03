"""The console script's entry: the quick way in where it suffices, else the whole command tree."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence

from cli_hub.standins import load_without

QUICK = {
    "list": "cli_hub.cli.browse",
    "search": "cli_hub.cli.browse",
    "can": "cli_hub.cli.browse",
    "info": "cli_hub.cli.browse",
    "install": "cli_hub.cli.install",
    "uninstall": "cli_hub.cli.install",
}
"""Commands that start without Typer, which costs more than they do, and the modules that define
them."""


_LOOK_FOR_GARBAGE_EVERY = 50_000
"""Objects; what loading modules makes lives to the end, and to look through it costs a fifth of
the start."""


def program() -> int:
    """:func:`main` in a process of its own: what is left at its end goes with the process."""
    gc.set_threshold(_LOOK_FOR_GARBAGE_EVERY)
    load_without("urllib.parse", "ipaddress")  # which pathlib loads
    code = main()
    threading = sys.modules.get("threading")
    if threading is None or threading.active_count() == 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv[:1] == ["launch"]:
        from cli_hub.cli.launching import launch_at_once

        launch_at_once(argv)
    word = next((word for word in argv[:2] if word != "--json"), "")
    module = QUICK.get(word)
    code = _quick(argv, module) if module else None
    if code is None:
        from cli_hub.cli.main import main as whole

        return whole(argv)
    return code


def _quick(argv: list[str], module: str) -> int | None:
    """The exit code, or ``None`` when the line is not one of the ordinary ones."""
    from importlib import import_module

    from cli_hub import config, paths
    from cli_hub.cli.ending import carry_out
    from cli_hub.cli.quick import read
    from cli_hub.cli.surface import Surface

    line = read(argv, import_module(module).DEFINITIONS)
    if line is None:
        return None

    surface = Surface(paths=paths.from_environment(), settings=config.load(), json=line.json)
    return carry_out(surface, lambda: line.definition.call(surface, line.words, line.values))


if __name__ == "__main__":
    raise SystemExit(program())
