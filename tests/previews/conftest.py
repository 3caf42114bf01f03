"""What the preview tests are given: a producer, the program, a browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli_hub.cli.main import main
from tests.previews.producer import Producer
from tests.support.page_reader import PageReader, page_reader


@dataclass(frozen=True)
class Answer:
    """How one command line ended."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


class Hub:
    """Runs command lines of the program in this process, with a home of its own."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *line: str | Path) -> Answer:
        self._capsys.readouterr()
        code = main([str(word) for word in line])
        said = self._capsys.readouterr()
        return Answer(code, said.out, said.err)


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hub:
    monkeypatch.setenv("CLI_HUB_HOME", str(tmp_path / "hub-home"))
    return Hub(capsys)


@pytest.fixture
def producer(tmp_path: Path) -> Producer:
    return Producer(tmp_path / "project")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageReader]:
    with page_reader(tmp_path_factory.mktemp("chromium")) as reader:
        yield reader


@pytest.fixture
def reader(browser: PageReader) -> PageReader:
    """The browser as on a desk: wide and light."""
    return browser.emulate()
