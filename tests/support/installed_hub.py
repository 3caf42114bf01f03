"""The hub as a user has it: the wheel of this tree in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import filelock
import pytest
import uv

REPOSITORY = Path(__file__).parents[2]


@dataclass(frozen=True)
class Said:
    """How one command line ended."""

    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """Standard output, which must be exactly one JSON document."""
        return json.loads(self.out)


@dataclass(frozen=True)
class InstalledHub:
    """Runs the installed program with an empty HOME, its own CLI_HUB_HOME and a bare PATH."""

    program: Path
    home: Path
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def hub_home(self) -> Path:
        return self.home / "hub"

    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CLI_HUB_", "VIRTUAL_ENV", "PYTHON", "XDG_"))
        }
        return kept | {
            "HOME": str(self.home),
            "CLI_HUB_HOME": str(self.hub_home),
            "PATH": os.defpath,
            # One download cache for all tests of a machine; a home of its own for all the rest.
            "UV_CACHE_DIR": os.environ.get("UV_CACHE_DIR", str(Path.home() / ".cache" / "uv")),
            **self.variables,
        }

    def __call__(self, *arguments: str, cwd: Path | None = None, timeout: float = 300) -> Said:
        done = subprocess.run(
            [str(self.program), *arguments],
            cwd=cwd or self.home,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)


def install_hub(folder: Path) -> Path:
    """Build the wheel of this tree, install it below *folder* once, and return the program."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "venv" / "bin" / "cli-hub"
    engine = uv.find_uv_bin()
    with filelock.FileLock(folder / "lock"):
        if not program.exists():
            wheels = folder / "wheels"
            quietly(engine, "build", "--wheel", "--out-dir", str(wheels), str(REPOSITORY))
            wheel = next(wheels.glob("*.whl"))
            quietly(engine, "venv", "--python", sys.executable, str(folder / "venv"))
            quietly(
                *(engine, "pip", "install", "--python", str(folder / "venv"), str(wheel)),
            )
    return program


def quietly(*argv: str) -> None:
    done = subprocess.run(argv, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.fail(f"{' '.join(argv)}\n{done.stdout}{done.stderr}")
