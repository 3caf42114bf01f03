"""The console script's entry: the quick way in where it suffices, else the whole command tree."""

from __future__ import annotations

import sys
from collections.abc import Sequence

QUICK = frozenset({"list", "search", "can", "info"})
"""Commands that start without Typer, which costs more than they do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit code."""
    argv = list(sys.argv[1:] if arguments is None else arguments)
    if argv[:1] == ["launch"]:
        from cli_hub.cli.launching import launch_at_once

        launch_at_once(argv)
    code = None if QUICK.isdisjoint(argv[:2]) else _quick(argv)
    if code is None:
        from cli_hub.cli.main import main as whole

        return whole(argv)
    return code


def _quick(argv: list[str]) -> int | None:
    """The exit code, or ``None`` when the line is not one of the ordinary ones."""
    from cli_hub import config, paths
    from cli_hub.cli.browse import DEFINITIONS
    from cli_hub.cli.ending import carry_out
    from cli_hub.cli.quick import read
    from cli_hub.cli.surface import Surface

    line = read(argv, DEFINITIONS)
    if line is None:
        return None

    def act() -> int:
        line.definition.call(surface, line.words, line.values)
        return 0

    surface = Surface(paths=paths.from_environment(), settings=config.load(), json=line.json)
    return carry_out(surface, act)


if __name__ == "__main__":
    raise SystemExit(main())
