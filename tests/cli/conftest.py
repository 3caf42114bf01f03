"""The whole program in this process, with a home of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.start import main
from tests.support.http_server import Server, http_server


@dataclass(frozen=True)
class Answer:
    """What one command line said, and its exit code."""

    exit_code: int
    out: str
    err: str

    def document(self, schema: str) -> Any:
        """The one JSON document on standard output, which fits *schema*."""
        found = json.loads(self.out)
        jsonschema.validate(found, schemas.load(schema))
        return found


Program = Callable[..., Answer]


@pytest.fixture
def program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Program:
    """Run a command line as the console script does, from a folder of its own."""
    monkeypatch.setenv("CLI_HUB_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("CLI_HUB_REGISTRY", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> Answer:
        capsys.readouterr()
        code = main(words)
        out, err = capsys.readouterr()
        return Answer(code, out, err)

    return run


@pytest.fixture
def server() -> Iterator[Server]:
    with http_server() as running:
        yield running
