"""Every test gets a home of its own and an empty folder to work in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harnesses.macrocli.tests.desktop import Desktop, desktop
from harnesses.macrocli.tests.program import Program
from harnesses.macrocli.tests.shown import Shown


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    home = tmp_path / "home"
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CLI_HUB_HOME", str(home))
    for name in ("DISPLAY", "MACROCLI_MODEL", "MACROCLI_API_KEY", "MACROCLI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return Program(folder, capsys)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desktop]:
    """One display for the tests of a module."""
    with desktop(tmp_path_factory.mktemp("desktop-home")) as started:
        yield started


@pytest.fixture
def on_screen(program: Program, screen: Desktop, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The program, started on that display."""
    for name, value in screen.environment.items():
        monkeypatch.setenv(name, value)
    return program


@pytest.fixture
def show(on_screen: Program, screen: Desktop) -> Iterator[Any]:
    shown: list[Shown] = []

    def showing(scale: float = 1.0, at: tuple[int, int] = (40, 60)) -> Shown:
        shown.append(Shown(on_screen, screen, scale, at))
        return shown[-1]

    yield showing
    for one in shown:
        one.process.terminate()
        one.process.wait(5)
