"""What takes long says so, beside the answer; what does not is quiet."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cli_hub.cli import surface as surfaces
from cli_hub.cli.surface import Surface
from cli_hub.config import Settings
from cli_hub.paths import Paths
from tests.cli.conftest import Program
from tests.support.registries import entry, registry_file


@pytest.fixture
def surface(tmp_path: Path) -> Surface:
    return Surface(Paths(tmp_path), Settings(), json=True)


@pytest.fixture
def large(tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry of 9 MB, alone in force."""
    del program  # it clears the variable, so it has to come first
    many = (entry(f"tool{number}", description="x" * 3000) for number in range(2800))
    file = registry_file(tmp_path, *many, name="corp.json")
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))
    return file


def test_work_that_takes_long_is_named_when_piped(
    surface: Surface, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surfaces, "PATIENCE", 0.05)
    with surface.working("knitting\x1b[2J"):
        time.sleep(0.5)

    assert capsys.readouterr() == ("", "knitting\\u001b[2J …\n")


def test_work_that_is_soon_done_is_not_spoken_of(
    surface: Surface, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surfaces, "PATIENCE", 0.2)
    with surface.working("knitting"):
        pass
    time.sleep(0.4)

    assert capsys.readouterr() == ("", "")


def test_a_large_registry_says_once_that_it_is_indexed(large: Path, program: Program) -> None:
    first = program("search", "tool7", "--json")
    second = program("search", "tool7", "--json")

    size = large.stat().st_size // 1_000_000
    assert first.err == f"indexing {size} MB of registries, once until they change …\n"
    assert second.err == ""
    assert first.document("search-hits") == second.document("search-hits")
