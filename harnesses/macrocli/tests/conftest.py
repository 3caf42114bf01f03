"""Every test gets a home of its own and an empty folder to work in."""

from __future__ import annotations

from pathlib import Path

import pytest

from harnesses.macrocli.tests.program import Program


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
