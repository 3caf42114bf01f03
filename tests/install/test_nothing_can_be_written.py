"""A full disk and a read-only home: a message, an exit code, and everything as it was."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from cli_hub.cli.main import main
from cli_hub.paths import Paths
from tests.support.disks import fill, make_read_only, small_disk
from tests.support.harnesses import Machine, entry

Hub = Callable[..., int]
Document = Callable[[str], Any]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as folder:
        yield folder


@pytest.fixture
def small(machine: Machine, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A machine whose home is on a small disk, with demo installed on it."""
    machine.index.add("demo", "1.0")
    small = Machine(Paths(disk / "home"), machine.index)
    registry = tmp_path / "registry.json"
    names = ("demo", "other", "large")
    registry.write_text(json.dumps({"meta": {}, "clis": [dict(entry(n).raw) for n in names]}))
    monkeypatch.setenv("CLI_HUB_HOME", str(small.paths.home))
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(registry))
    assert main(["install", "demo"]) == 0
    for name in ("demo", "other"):
        machine.index.add(name, "2.0")
    machine.index.add("large", files={"large.bin": os.urandom(8_000_000)})
    return small


@pytest.fixture
def program(small: Machine, capsys: pytest.CaptureFixture[str]) -> Hub:
    """The program on the small disk, with nothing printed yet."""
    capsys.readouterr()
    return lambda *arguments: main(arguments)


def still_as_before(small: Machine) -> bool:
    installed = {name: each.version for name, each in small.installer().installed().items()}
    said = subprocess.run(
        [str(small.paths.bin / "demo")], capture_output=True, text=True, timeout=30, check=True
    ).stdout
    folders = [path.name for path in small.paths.environments.iterdir()]
    return (installed, said, folders) == ({"demo": "1.0"}, "1.0\n", ["demo"])


def test_what_does_not_fit_on_the_disk_is_not_installed(
    program: Hub, small: Machine, document: Document
) -> None:
    assert program("install", "large", "--json") == 1

    error = document("error")["error"]
    assert error["message"].startswith("the disk is full")
    assert "CLI_HUB_HOME" in error["hint"]
    assert still_as_before(small)
    assert small.installer().ledger.unfinished() == {"large": "large"}


@pytest.mark.parametrize(
    "line",
    [["install", "other"], ["update", "demo"], ["uninstall", "demo"], ["pin", "demo"]],
    ids=str,
)
def test_on_a_disk_without_any_room_changes_are_refused_by_that_reason(
    program: Hub, small: Machine, disk: Path, document: Document, line: list[str]
) -> None:
    fill(disk)

    assert program(*line, "--json") == 1

    error = document("error")["error"]
    assert error["message"].startswith("the disk is full")
    assert "gc" in error["hint"]
    assert still_as_before(small)


@pytest.mark.parametrize(
    "line",
    [["install", "other"], ["update", "demo"], ["uninstall", "demo"], ["pin", "demo"]],
    ids=str,
)
def test_in_a_read_only_home_changes_are_refused_by_that_reason(
    program: Hub, small: Machine, disk: Path, document: Document, line: list[str]
) -> None:
    make_read_only(disk)

    assert program(*line, "--json") == 1

    error = document("error")["error"]
    assert "Read-only file system" in error["message"]
    assert "CLI_HUB_HOME" in error["hint"]
    assert still_as_before(small)


@pytest.mark.parametrize("make_it", [fill, make_read_only])
def test_what_is_installed_is_found_and_examined_where_nothing_can_be_written(
    program: Hub,
    small: Machine,
    disk: Path,
    document: Document,
    make_it: Callable[[Path], object],
) -> None:
    make_it(disk)

    assert program("doctor", "demo", "--json") == 0
    assert document("doctor")["healthy"] is True
    assert still_as_before(small)


@pytest.mark.parametrize(
    ("make_it", "reason"), [(fill, "the disk is full"), (make_read_only, "readonly")]
)
def test_a_run_that_cannot_be_recorded_is_refused_by_that_reason(
    program: Hub,
    disk: Path,
    document: Document,
    make_it: Callable[[Path], object],
    reason: str,
) -> None:
    assert program("run", "demo", "--json") == 0
    before = document("run")["id"]
    make_it(disk)

    assert program("run", "demo", "--json") == 1
    error = document("error")["error"]
    assert reason in error["message"]
    assert "away" not in error["hint"]
    assert program("runs", "list", "--json") == 0
    assert [run["id"] for run in document("run-list")] == [before]


def test_room_made_again_is_all_it_takes(program: Hub, small: Machine, disk: Path) -> None:
    filler = fill(disk)
    assert program("install", "other") == 1
    filler.unlink()

    assert program("install", "other") == 0
    assert sorted(small.installer().installed()) == ["demo", "other"]
