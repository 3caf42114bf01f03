"""The program as its users meet it: one command line in one folder."""

from __future__ import annotations

import json
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli_anything.macrocli.cli.main import main


@dataclass(frozen=True)
class Outcome:
    """What one command line left behind."""

    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output, which must be one JSON document."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = self.document["error"]
        return found


class Program:
    """Runs command lines in one folder."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capture = capture

    def __call__(self, *words: str | Path) -> Outcome:
        self._capture.readouterr()
        code = main([str(word) for word in words])
        captured = self._capture.readouterr()
        return Outcome(code, captured.out, captured.err)

    def file(self, name: str, text: str) -> Path:
        """Write a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8", newline="")
        return path

    def run(self, text: str, *params: str, flags: tuple[str, ...] = ()) -> Outcome:
        """Run a macro given as text, with ``--json``."""
        file = self.file("macro.yaml", text)
        pairs = [word for pair in params for word in ("-p", pair)]
        return self("macro", "run", "--macro-file", file, *pairs, *flags, "--json")
