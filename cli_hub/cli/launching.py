"""``launch`` in its usual form, without the command line's machinery.

Starting a harness must cost little more than starting Python. Whatever is not as it should be is
left to the whole program, which says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from cli_hub import paths
from cli_hub.errors import HubError


def launch_at_once(argv: Sequence[str]) -> None:
    """Become the harness of ``launch NAME [ARGS…]``; returns when *argv* is anything else, or the
    harness cannot be found at once."""
    if argv[:1] != ["launch"] or not argv[1:2] or argv[1].startswith("-"):
        return
    from cli_hub.install.ledger import Ledger
    from cli_hub.install.lookup import in_use
    from cli_hub.process import command, replace_process

    home = paths.from_environment()
    try:
        found = in_use(home, Ledger(home, _left_to_main), argv[1])
    except HubError:
        return
    if found is not None and found.entry_point:
        replace_process(command(*found.entry_point, *argv[2:]))


def _left_to_main(_warning: str) -> None:
    """Nothing was repaired for good here: main meets the same fault, and says it."""
