"""The ledger is an index over the disk: damaged or lost, it is set aside and built again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from cli_hub.install.generations import Generations
from cli_hub.install.ledger import State
from cli_hub.install.plan import Wish
from tests.support.harnesses import Machine


@pytest.mark.parametrize(
    "damage",
    [b'{"ec": {"version": "1', b"[]", b"null", b"\xff\xfe", b"SQLite format 3\x00" + b"\x00" * 500],
    ids=["half of a JSON", "a list", "null", "not text", "a header and nothing"],
)
def test_a_damaged_ledger_is_set_aside_and_rebuilt_from_the_disk(
    machine: Machine, damage: bytes
) -> None:
    machine.index.add("demo")
    done = machine.install("demo")
    machine.paths.ledger.write_bytes(damage)

    assert machine.installer().installed() == {"demo": done}

    kept = list(machine.paths.home.glob("ledger.sqlite3.corrupt-*"))
    assert [path.read_bytes() for path in kept] == [damage]
    assert len(machine.warnings) == 1
    assert kept[0].name in machine.warnings[0]


def test_a_ledger_that_was_deleted_or_emptied_comes_back(machine: Machine) -> None:
    machine.index.add("demo")
    done = machine.install("demo", Wish(version="1.0"))
    for end in ("unlink", "empty"):
        for path in machine.paths.home.glob("ledger.sqlite3*"):
            path.unlink() if end == "unlink" else path.write_bytes(b"")

        assert machine.installer().installed() == {"demo": done}


def test_a_pin_survives_the_loss_of_the_ledger(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo", Wish(version="1.0"))
    machine.paths.ledger.unlink()

    assert machine.installer().find("demo").pinned


def test_the_ledger_opens_in_write_ahead_mode(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")

    with sqlite3.connect(machine.paths.ledger) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_asking_what_is_installed_creates_nothing(machine: Machine) -> None:
    assert machine.installer().installed() == {}
    assert not machine.paths.home.exists()


def test_the_link_on_disk_has_the_last_word(machine: Machine) -> None:
    """As after a kill between the switch and the record."""
    machine.index.add("demo", "1.0")
    first = machine.install("demo")
    machine.index.add("demo", "2.0")
    second = machine.install("demo", Wish(again=True))
    machine.installer().ledger.record(first.generation, first.receipt, pinned=False)

    assert machine.installer().find("demo") == second

    machine.installer().clean("demo")

    row = machine.installer().ledger.row("demo")
    assert row is not None
    assert row.generation == second.generation.name


def test_a_removal_that_was_interrupted_is_finished_by_the_next_command(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")
    installer = machine.installer()
    installer.ledger.begin_removal("demo")

    assert installer.installed() == {}
    done = machine.install("demo")

    row = installer.ledger.row("demo")
    assert row is not None
    assert row.state is State.READY
    assert Generations(machine.paths.environments / "demo").finished() == [done.generation]


def test_what_an_interrupted_installation_left_is_cleared_by_the_next(machine: Machine) -> None:
    machine.index.add("demo")
    half: Path = Generations(machine.paths.environments / "demo").new()
    (half / "bin").mkdir(parents=True)
    (half / "bin" / "demo").write_text("never finished")

    done = machine.install("demo")

    assert {path.name for path in done.generation.parent.iterdir()} == {
        done.generation.name,
        "current",
    }
