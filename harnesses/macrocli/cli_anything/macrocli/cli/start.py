"""The console script's entry."""

from __future__ import annotations

import gc
import os
import sys
import threading


def program() -> int:
    """:func:`main` in a process of its own: what is left at its end goes with the process."""
    code = main()
    if threading.active_count() == 1:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    return code


def main() -> int:
    """Run the command line and return its exit code.

    Importing makes no garbage, so nobody looks for it meanwhile: that is a tenth of a short run.
    """
    gc.disable()
    from cli_anything.macrocli.cli.main import main as run

    gc.freeze()
    gc.enable()
    return run()
