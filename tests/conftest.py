"""Fixtures that more than one layer uses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cli_hub.paths import Paths
from tests.support.harnesses import Machine
from tests.support.npm_registry import NpmRegistry, npm_registry
from tests.support.package_index import PackageIndex
from tests.support.requirements import require_program


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


@pytest.fixture
def npm(monkeypatch: pytest.MonkeyPatch) -> Iterator[NpmRegistry]:
    """A loopback registry that is empty; npm, the real one, knows no other."""
    require_program("npm")
    with npm_registry() as registry:
        monkeypatch.setenv("npm_config_registry", registry.url)
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        yield registry
