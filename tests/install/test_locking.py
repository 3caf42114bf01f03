"""A project's harnesses, the same on every machine: lock, sync, sync --frozen."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from cli_hub.errors import BadDocument, Conflict, HubError, IntegrityError, NotFound
from cli_hub.fetch import Answer
from cli_hub.install import lockfile, project
from cli_hub.install.installed import Installed
from cli_hub.install.lockfile import Lock, Locked
from cli_hub.install.locking import Locker, require_current
from cli_hub.install.plan import Action, Wish
from cli_hub.install.project import Wanted
from cli_hub.paths import Paths
from cli_hub.registry.entry import Entry
from tests.support.harnesses import Machine, entry


def locker(machine: Machine, **fields: object) -> Locker:
    def find(address: str) -> Entry:
        return entry(address.rpartition("/")[2], **fields)

    return Locker(machine.installer(), find)


def carry_out(machine: Machine, locked: Locked, *, frozen: bool = True) -> Installed:
    plan = locker(machine).plan(locked, Wish(), frozen=frozen)
    return machine.installer().install(plan)


def distributions(done: Installed) -> set[str]:
    assert done.site_packages is not None
    return {path.name for path in done.site_packages.glob("*.dist-info")}


def contents(done: Installed) -> dict[str, bytes]:
    """Every file of the packages, without what carries the machine's own paths."""
    site = done.site_packages
    assert site is not None
    return {
        str(path.relative_to(site)): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file()
        and path.suffix != ".pyc"
        and path.name not in ("RECORD", "direct_url.json", "INSTALLER")
    }


@pytest.fixture
def stocked(machine: Machine) -> Machine:
    machine.index.add("library", "1.0")
    machine.index.add("demo", "1.0", requires=["library"])
    return machine


def test_the_lock_fixes_versions_and_hashes_of_the_whole_closure(stocked: Machine) -> None:
    (locked,) = locker(stocked).lock((Wanted("demo"),), "digest").harnesses

    assert locked.version == "1.0"
    assert [package.requirement for package in locked.packages] == ["demo==1.0", "library==1.0"]
    assert all(package.hashes[0].startswith("sha256:") for package in locked.packages)


def test_another_machine_gets_the_same_files_though_newer_ones_exist(
    stocked: Machine, tmp_path: Path
) -> None:
    (locked,) = locker(stocked).lock((Wanted("demo"),), "digest").harnesses
    first = carry_out(stocked, locked)
    stocked.index.add("library", "2.0")
    stocked.index.add("demo", "2.0", requires=["library"])
    other = Machine(Paths(tmp_path / "another machine"), stocked.index)

    second = carry_out(other, locked)

    assert contents(second) == contents(first)
    assert "library-1.0.dist-info" in distributions(second)


def test_a_wheel_with_other_bytes_than_locked_is_exit_7(stocked: Machine) -> None:
    (locked,) = locker(stocked).lock((Wanted("demo"),), "digest").harnesses
    forged = replace(
        locked,
        packages=tuple(
            replace(package, hashes=("sha256:" + "0" * 64,)) for package in locked.packages
        ),
    )

    with pytest.raises(IntegrityError) as caught:
        carry_out(stocked, forged)

    assert caught.value.exit_code == 7
    assert stocked.installer().installed() == {}


def test_syncing_twice_changes_nothing(stocked: Machine) -> None:
    (locked,) = locker(stocked).lock((Wanted("demo"),), "digest").harnesses
    done = carry_out(stocked, locked)

    plan = locker(stocked).plan(locked, Wish(), frozen=True)

    assert plan.action is Action.PRESENT
    assert stocked.installer().install(plan) == done


def test_a_changed_registry_entry_fails_a_frozen_sync(stocked: Machine) -> None:
    (locked,) = locker(stocked).lock((Wanted("demo"),), "digest").harnesses
    changed = locker(stocked, homepage="https://elsewhere.test")

    with pytest.raises(IntegrityError):
        changed.plan(locked, Wish(), frozen=True)

    assert changed.plan(locked, Wish(), frozen=False).action is Action.INSTALL


def test_a_range_and_a_version_are_respected(stocked: Machine) -> None:
    stocked.index.add("demo", "2.0")
    stocked.index.add("demo", "3.0")
    for asked, got in ((">=1,<3", "2.0"), ("1.0", "1.0"), ("==1.0", "1.0"), ("", "3.0")):
        (locked,) = locker(stocked).lock((Wanted("demo", asked),), "digest").harnesses
        assert locked.version == got


def test_what_cannot_be_resolved_is_an_error(stocked: Machine) -> None:
    with pytest.raises(HubError):
        locker(stocked).lock((Wanted("demo", ">=9"),), "digest")


def test_scripts_are_locked_by_their_hash(machine: Machine) -> None:
    served = [b"true\n"]

    def get(url: str) -> Answer:
        return Answer(url, 200, served[0])

    line = {"install_cmd": "curl -s https://x.test/cli | sh"}
    installer = machine.installer(get=get)
    fixer = Locker(installer, lambda address: entry(address.rpartition("/")[2], **line))
    (locked,) = fixer.lock((Wanted("thing"),), "digest").harnesses
    assert locked.install["sha256"] == hashlib.sha256(b"true\n").hexdigest()
    served[0] = b"false\n"

    with pytest.raises(IntegrityError) as caught:
        installer.install(fixer.plan(locked, Wish(allow_scripts=True), frozen=True))

    assert caught.value.exit_code == 7
    assert installer.installed() == {}


def test_the_lock_is_always_the_same_bytes_and_is_read_back(
    stocked: Machine, tmp_path: Path
) -> None:
    made = locker(stocked).lock((Wanted("demo"),), "digest")
    path = lockfile.write(tmp_path, made)
    first = path.read_bytes()

    lockfile.write(tmp_path, locker(stocked).lock((Wanted("demo"),), "digest"))

    assert path.read_bytes() == first
    assert lockfile.read(tmp_path) == made
    assert tomllib.loads(first.decode())["harness"][0]["name"] == "demo"


def test_a_lock_that_does_not_fit_the_project_is_a_conflict_that_names_the_differences() -> None:
    lock = Lock(
        "digest", (Locked("a", "s", "1", "", "e", {}), Locked("b", "s", "1", ">=1", "e", {}))
    )

    with pytest.raises(Conflict) as caught:
        require_current(lock, (Wanted("b", ">=2"), Wanted("c")))

    assert caught.value.details["differences"] == [
        "c is not in cli-hub.lock",
        "a is in cli-hub.lock and nobody asks for it",
        "b is locked for >=1, and >=2 is asked for",
    ]
    require_current(lock, (Wanted("a"), Wanted("b", ">=1", "s")))


def test_a_project_is_read_and_its_mistakes_are_named(tmp_path: Path) -> None:
    file = tmp_path / project.FILE
    with pytest.raises(NotFound):
        project.read(tmp_path)
    file.write_text('[harnesses]\nb = "*"\na = { version = ">=1", source = "s" }\n')
    assert project.read(tmp_path) == (Wanted("a", ">=1", "s"), Wanted("b"))

    for text in ("harnesses = 3", "[harnesses]\na = 3", '[harnesses]\na = {what="x"}', "["):
        file.write_text(text)
        with pytest.raises(BadDocument):
            project.read(tmp_path)


def test_a_damaged_lock_is_named_and_not_guessed_at(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        lockfile.read(tmp_path)
    for text in ("version = 1", "[", "version = 2", 'version = 2\nregistry = "x"\nharness = [3]'):
        (tmp_path / lockfile.FILE).write_text(text)
        with pytest.raises(BadDocument):
            lockfile.read(tmp_path)
