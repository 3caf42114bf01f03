"""A home of its own for every test, and a server that misbehaves on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli_hub.config import Settings
from cli_hub.paths import Paths
from cli_hub.registry.catalogue import Catalogue, open_catalogue
from cli_hub.registry.index import Index, open_index
from tests.support.http_server import Server, http_server


@pytest.fixture
def paths(tmp_path: Path) -> Paths:
    return Paths(tmp_path / "home")


@pytest.fixture
def server() -> Iterator[Server]:
    with http_server() as running:
        yield running


@pytest.fixture
def catalogue_of(paths: Paths) -> Callable[..., Catalogue]:
    """The catalogue of registry files or addresses."""
    return lambda *places: open_catalogue(paths, Settings(registries=tuple(map(str, places))))


@pytest.fixture
def index_of(paths: Paths) -> Callable[..., Index]:
    """The index over registry files or addresses."""
    return lambda *places: open_index(paths, Settings(registries=tuple(map(str, places))))
