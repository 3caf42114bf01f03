"""The program over a small registry whose packages are on the loopback index."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import main
from tests.support.harnesses import Machine
from tests.support.package_index import BROKEN_PROGRAM


@pytest.fixture
def hub(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., int]:
    """The program in this process, over a registry of three harnesses on the loopback index."""
    names = ("one", "two", "bad")
    for name in names[:2]:
        machine.index.add(name)
    machine.index.add("bad", scripts={"bad": BROKEN_PROGRAM})
    registry = tmp_path / "registry.json"
    entries = [
        {
            "name": name,
            "version": "latest",
            "description": f"the harness {name}",
            "category": "testing",
            "entry_point": name,
            "install": {"strategy": "pip", "package": name},
            "needs": [{"kind": "binary", "name": "no-such-program-zz"}] if name == "two" else [],
        }
        for name in names
    ]
    registry.write_text(json.dumps({"meta": {}, "clis": entries}))
    monkeypatch.setenv("CLI_HUB_HOME", str(machine.paths.home))
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(registry))

    def run(*arguments: str) -> int:
        return main(arguments)

    return run


@pytest.fixture
def document(capsys: pytest.CaptureFixture[str]) -> Callable[[str], Any]:
    """What was just printed: exactly one JSON document that fits the schema named."""

    def read(schema: str) -> Any:
        found = json.loads(capsys.readouterr().out)
        jsonschema.validate(found, schemas.load(schema))
        return found

    return read
