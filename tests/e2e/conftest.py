"""Fixtures that drive the program as its users have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.installed_hub import InstalledHub, install_hub


@pytest.fixture(scope="session")
def hub_program(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The installed ``cli-hub``, built once for all workers of a test run."""
    base = tmp_path_factory.getbasetemp()
    return install_hub((base if worker_id == "master" else base.parent) / "installed-hub")


@pytest.fixture
def hub(hub_program: Path, tmp_path: Path) -> InstalledHub:
    """The installed hub with an empty home."""
    home = tmp_path / "home"
    home.mkdir()
    return InstalledHub(hub_program, home)
