"""The console script's entry."""

from __future__ import annotations

import gc


def main() -> int:
    """Run the command line and return its exit code.

    Importing makes no garbage, so nobody looks for it meanwhile: that is a tenth of a short run.
    """
    gc.disable()
    from cli_anything.macrocli.cli.main import main as run

    gc.freeze()
    gc.enable()
    return run()
