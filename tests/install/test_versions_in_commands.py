"""``pin``, ``unpin``, ``rollback`` and ``gc`` as a person types them, one after the other."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from cli_hub.install.generations import Generations
from tests.support.harnesses import Machine

Say = Callable[..., tuple[int, str]]


@pytest.fixture
def say(hub: Callable[..., int], machine: Machine, capsys: pytest.CaptureFixture[str]) -> Say:
    """One command line: its exit code, and what it said on both streams. ``one`` is installed."""

    def run(*words: str) -> tuple[int, str]:
        capsys.readouterr()
        code = hub(*words)
        return code, "".join(capsys.readouterr())

    assert run("install", "one")[0] == 0
    machine.index.add("one", "2.0")
    return run


def answer(machine: Machine) -> str:
    program = str(machine.paths.bin / "one")
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout.strip()


def test_what_is_pinned_is_not_moved_by_any_update_and_says_how_to_lift_that(
    say: Say, machine: Machine
) -> None:
    assert say("pin", "one") == (0, "one stays at 1.0\n")
    for line in (["update", "one"], ["update", "--all"], ["install", "one"]):
        code, said = say(*line)
        assert (code, answer(machine)) == (0, "1.0")
        assert "cli-hub unpin one" in said
    assert "pinned" in say("outdated")[1]

    assert say("unpin", "one") == (0, "one is no longer kept at 1.0\n")
    assert say("update", "one")[0] == 0
    assert answer(machine) == "2.0"


def test_a_rollback_goes_back_and_forth_without_network(say: Say, machine: Machine) -> None:
    code, said = say("rollback", "one")
    assert code == 3
    assert "there is no former version of one to go back to" in said

    say("update", "one")
    machine.index.stop()

    assert say("rollback", "one") == (0, "one is 1.0 again\n")
    assert answer(machine) == "1.0"
    assert say("rollback", "one") == (0, "one is 2.0 again\n")
    assert answer(machine) == "2.0"


def test_gc_takes_only_what_it_was_told_to(say: Say, machine: Machine) -> None:
    say("update", "one")
    folder = Generations(machine.paths.environments / "one")
    half = folder.new()
    half.mkdir()
    (half / "file").write_bytes(b"x" * 3_000_000)

    code, said = say("gc")
    assert (code, half.exists(), len(folder.finished())) == (0, False, 2)
    assert "1 removed, 3.0 MB freed" in said

    assert "0 removed, 0.0 MB freed" in say("gc")[1]

    assert say("gc", "--former")[0] == 0
    assert len(folder.finished()) == 1
    assert say("rollback", "one")[0] == 3
    assert answer(machine) == "2.0"


def test_gc_empties_the_caches_when_told_to(
    say: Say, machine: Machine, monkeypatch: pytest.MonkeyPatch, document: Callable[[str], Any]
) -> None:
    monkeypatch.delenv("UV_CACHE_DIR")
    say("update", "one")
    kept = machine.paths.cache / "npm" / "kept"
    kept.parent.mkdir()
    kept.write_bytes(b"x" * 1000)

    code, said = say("gc", "--cache", "--json")

    assert code == 0
    assert '"freed": 0' not in said
    assert not kept.exists()
    assert not list((machine.paths.cache / "uv").glob("*-v*"))
    assert answer(machine) == "2.0"
