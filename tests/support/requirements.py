"""Tests that need a real application say so by name.

A user without the application sees the test skipped and why; continuous integration sets
``CLI_HUB_TEST_REQUIRE=all`` and fails instead, so nothing is silently left unproven.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import NoReturn

import pytest


def require_program(*names: str, package: str = "") -> str:
    """The full path of the first of *names* on PATH, else skip (or fail where all are required)."""
    for name in names:
        found = shutil.which(name)
        if found:
            return found
    raise lacking(names[0], f"apt-get install {package or names[0]}")


def require_corpus() -> Path:
    """The folder of real inputs that ``CLI_HUB_CORPUS`` names, else skip (or fail)."""
    folder = os.environ.get("CLI_HUB_CORPUS", "")
    if folder and Path(folder).is_dir():
        return Path(folder).resolve()
    raise lacking("the corpus", "set CLI_HUB_CORPUS to its folder")


def lacking(what: str, remedy: str) -> NoReturn:
    """Skip by name, or fail when everything is required."""
    if os.environ.get("CLI_HUB_TEST_REQUIRE") == "all":
        pytest.fail(f"{what} is required here: {remedy}")
    pytest.skip(f"{what} is not here: {remedy}")
