"""Where the console script starts: ``launch`` goes ahead without the command line's machinery.

Starting a harness must cost little more than starting Python, so the usual form of it is answered
here; every other line, and everything that is not as it should be, goes to ``main``.
"""

from __future__ import annotations

import sys

from cli_hub import paths
from cli_hub.errors import HubError


def main() -> int:
    """Run the command line of this process; returns its exit code."""
    argv = sys.argv[1:]
    if argv[:1] == ["launch"] and argv[1:2] and not argv[1].startswith("-"):
        _launch(argv[1], argv[2:])
    from cli_hub.cli.main import main as whole

    return whole()


def _launch(name: str, arguments: list[str]) -> None:
    """Become the harness *name*; returns when it cannot be found at once."""
    from cli_hub.install.ledger import Ledger
    from cli_hub.install.lookup import in_use
    from cli_hub.process import command, replace_process

    try:
        found = in_use(paths.from_environment(), Ledger(paths.from_environment(), _ignore), name)
    except HubError:
        return  # main says what is wrong
    if found is not None and found.entry_point:
        replace_process(command(*found.entry_point, *arguments))


def _ignore(_warning: str) -> None:
    """Warnings are main's to show."""


if __name__ == "__main__":
    raise SystemExit(main())
