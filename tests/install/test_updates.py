"""Newer, older, pinned: versions move only when and where the user wants."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from cli_hub.errors import HubError, NotFound
from cli_hub.install import cleaning, outdated, sets
from cli_hub.install.generations import Generations
from cli_hub.install.installed import Installed
from cli_hub.install.plan import Action, Wish
from cli_hub.registry.entry import Entry
from tests.support.harnesses import Machine, entry

UPDATE = Wish(update=True)


@pytest.fixture
def old(machine: Machine) -> Machine:
    """A machine with demo 1.0, while the index has 2.0."""
    machine.index.add("demo", "1.0")
    machine.install("demo")
    machine.index.add("demo", "2.0")
    return machine


def look(machine: Machine, name: str = "demo") -> outdated.Newer:
    def known(wanted: str) -> Entry:
        return entry(wanted)

    installer = machine.installer()
    return outdated.look(installer.find(name), paths=machine.paths, run=installer.run, known=known)


def test_an_update_goes_to_the_newest_and_rollback_comes_back_without_network(
    old: Machine,
) -> None:
    assert old.install("demo", UPDATE).version == "2.0"
    old.index.stop()

    assert old.installer().rollback("demo").version == "1.0"
    assert old.installer().find("demo").version == "1.0"
    assert old.installer().rollback("demo").version == "2.0"


def test_an_update_without_anything_newer_changes_nothing(machine: Machine) -> None:
    machine.index.add("demo")
    before = machine.install("demo")
    files = machine.files()

    assert machine.install("demo", UPDATE) == before
    assert machine.files() == files


def test_there_is_nothing_to_roll_back_after_a_first_installation(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")

    with pytest.raises(NotFound):
        machine.installer().rollback("demo")


def test_what_is_pinned_stays_until_it_is_unpinned(old: Machine) -> None:
    old.installer().pin("demo", pinned=True)

    plan = old.installer().plan(entry("demo"), UPDATE)
    assert (plan.action, old.installer().install(plan).version) == (Action.PRESENT, "1.0")
    assert "unpin" in plan.reason

    old.installer().pin("demo", pinned=False)

    assert old.install("demo", UPDATE).version == "2.0"


def test_outdated_names_the_newest_version(old: Machine) -> None:
    found = look(old)

    assert (found.version, found.latest, found.outdated) == ("1.0", "2.0", True)

    old.install("demo", UPDATE)

    assert look(old).outdated is False


def test_outdated_without_network_is_an_error_not_a_guess(old: Machine) -> None:
    old.index.stop()

    with pytest.raises(HubError):
        look(old)


def test_one_former_version_is_kept_and_gc_gives_it_back(old: Machine) -> None:
    old.install("demo", UPDATE)
    old.index.add("demo", "3.0")
    old.install("demo", UPDATE)
    generations = Generations(old.paths.environments / "demo")
    assert len(generations.finished()) == 2

    done = cleaning.collect(old.installer(), former=True)

    assert len(generations.finished()) == 1
    assert done.freed > 0
    assert old.installer().find("demo").version == "3.0"


def test_gc_removes_what_was_never_finished(machine: Machine) -> None:
    half = Generations(machine.paths.environments / "demo").new()
    half.mkdir(parents=True)
    (half / "file").write_text("x" * 100)
    machine.paths.bin.mkdir(parents=True)
    (machine.paths.bin / "demo").symlink_to("../envs/demo/current/bin/demo")

    done = cleaning.collect(machine.installer())

    assert done.freed >= 100
    assert not half.exists()
    assert list(machine.paths.bin.iterdir()) == []


def test_a_set_is_read_back_as_it_was_written(old: Machine, tmp_path: Path) -> None:
    import json

    old.installer().pin("demo", pinned=True)
    installed: dict[str, Installed] = old.installer().installed()
    file = tmp_path / "set.json"
    file.write_text(json.dumps(sets.export(installed.values())))

    (member,) = sets.read(file)
    assert member.request() == "demo==1.0"
    assert member.request(["tests", "another"]) == "tests/demo==1.0"
    assert member.request(["another"]) == "demo==1.0"


def test_one_broken_harness_does_not_stop_the_others(old: Machine) -> None:
    for name in ("one", "two"):
        old.index.add(name)
        old.install(name)
    shutil.rmtree(old.installer().find("one").generation)

    assert old.install("demo", UPDATE).version == "2.0"
    assert old.install("one", UPDATE).version == "1.0"
    assert old.installer().is_sound(old.installer().find("one"))
