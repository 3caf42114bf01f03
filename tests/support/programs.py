"""Stand-ins for installers: real executables that check and record their argv."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest


class Programs:
    """A folder first on PATH. Stand-ins put there append their argv to a record."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self._record = folder / "calls.jsonl"
        folder.mkdir(parents=True)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def add(self, name: str, source: str = "", *, exit_code: int = 0) -> Path:
        """A program that records its call, then does *source* (Python, argv in ``ARGV``)."""
        path = self.folder / name
        path.write_text(
            f"#!{sys.executable}\n"
            "import json, os, sys\n"
            "ARGV = sys.argv[1:]\n"
            f"with open({str(self._record)!r}, 'a') as record:\n"
            f"    record.write(json.dumps([{name!r}, *ARGV]) + '\\n')\n"
            f"{source}\n"
            f"sys.exit({exit_code})\n"
        )
        path.chmod(0o755)
        return path

    @property
    def calls(self) -> list[list[str]]:
        """Every argv so far, the program's name first."""
        if not self._record.exists():
            return []
        return [json.loads(line) for line in self._record.read_text().splitlines()]


WRITES_A_PROGRAM = """\
target = {target}
os.makedirs(os.path.dirname(target), exist_ok=True)
with open(target, "w") as file:
    file.write("#!/bin/sh\\necho made\\n")
os.chmod(target, 0o755)
"""
"""Source for a stand-in: writes a program to the path that the expression *target* gives."""
