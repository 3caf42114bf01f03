"""Fixtures that more than one layer uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_hub.paths import Paths
from tests.support.harnesses import Machine
from tests.support.package_index import PackageIndex


@pytest.fixture
def package_index(tmp_path: Path) -> Iterator[PackageIndex]:
    """A loopback index that is empty; its address is the default of every installation."""
    with PackageIndex(tmp_path / "index") as index:
        yield index


@pytest.fixture
def machine(
    tmp_path: Path,
    package_index: PackageIndex,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> Machine:
    """A hub with nothing installed, that knows only the loopback index.

    One uv cache serves all tests of a worker, which spares each the look at the interpreter.
    """
    for name in ("UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "UV_OFFLINE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "uv-cache"))
    monkeypatch.setenv("UV_DEFAULT_INDEX", package_index.address)
    monkeypatch.setenv("UV_HTTP_RETRIES", "0")
    return Machine(Paths(tmp_path / "home"), package_index)
