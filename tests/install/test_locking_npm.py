"""A lock fixes all that a Node package needs, and the real npm takes nothing else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from cli_hub.errors import HubError
from cli_hub.install import lockfile
from cli_hub.install.installed import Installed
from cli_hub.install.lockfile import Lock, Locked
from cli_hub.install.locking import Locker
from cli_hub.install.plan import Wish
from cli_hub.install.project import Wanted
from cli_hub.paths import Paths
from cli_hub.process import command
from cli_hub.registry.entry import Entry
from tests.support.harnesses import Machine, entry
from tests.support.npm_registry import NpmRegistry

pytestmark = pytest.mark.usefixtures("npm")


def locker(machine: Machine) -> Locker:
    def find(address: str) -> Entry:
        install = {"strategy": "npm", "package": "thing"}
        return entry(address.rpartition("/")[2], install=install)

    return Locker(machine.installer(), find)


def carry_out(machine: Machine, locked: Locked) -> Installed:
    return machine.installer().install(locker(machine).plan(locked, Wish(), frozen=True))


def contents(done: Installed) -> dict[str, str]:
    """Every file of the packages by its digest, and where links lead."""
    root = done.generation / "lib" / "node_modules"
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".package-lock.json"
    }


@pytest.fixture
def locked(npm: NpmRegistry, machine: Machine) -> Locked:
    """``thing``, which needs ``part``, which needs ``@scope/piece``."""
    npm.add("@scope/piece")
    npm.add("part", dependencies={"@scope/piece": "^1.0.0"}, bin={"thing": "cli.js"})
    npm.add("thing", dependencies={"part": "^1.0.0"}, bin={"thing": "cli.js"})
    (found,) = locker(machine).lock((Wanted("thing"),), "digest").harnesses
    return found


def test_the_whole_closure_is_locked_by_integrity(
    npm: NpmRegistry, locked: Locked, tmp_path: Path
) -> None:
    assert locked.version == "1.0.0"
    assert list(locked.nodes) == [
        "node_modules/@scope/piece",
        "node_modules/part",
        "node_modules/thing",
    ]
    assert all(node["integrity"].startswith("sha512-") for node in locked.nodes.values())
    assert npm.url not in str(locked.as_document())  # another registry may serve the same bytes
    lockfile.write(tmp_path, Lock("digest", (locked,)))
    assert lockfile.read(tmp_path).harnesses == (locked,)


def test_another_machine_gets_the_same_files_though_newer_ones_exist(
    npm: NpmRegistry, machine: Machine, locked: Locked, tmp_path: Path
) -> None:
    first = carry_out(machine, locked)
    npm.add("part", "1.1.0", dependencies={"@scope/piece": "^1.0.0"})
    npm.add("thing", "2.0.0", dependencies={"part": "^1.0.0"}, bin={"thing": "cli.js"})
    other = Machine(Paths(tmp_path / "another machine"), machine.index)

    second = carry_out(other, locked)

    assert contents(second) == contents(first)
    assert {"@scope/piece/cli.js", "part/cli.js", "thing/cli.js"} <= set(contents(first))
    assert "loopback registry" in other.installer().run(command(*second.entry_point)).stdout
    (renewed,) = locker(machine).lock((Wanted("thing"),), "digest").harnesses
    assert renewed.nodes["node_modules/part"]["version"] == "1.1.0"


@pytest.mark.parametrize("changed", ["thing", "part", "@scope/piece"])
def test_a_package_with_other_bytes_than_locked_is_refused(
    changed: str, npm: NpmRegistry, machine: Machine, locked: Locked, tmp_path: Path
) -> None:
    needs = locked.nodes[f"node_modules/{changed}"].get("dependencies", {})
    npm.add(changed, dependencies=needs, bin={"thing": "cli.js"}, description="not the same")
    other = Machine(Paths(tmp_path / "another machine"), machine.index)

    with pytest.raises(HubError) as caught:
        carry_out(other, locked)

    assert caught.value.exit_code == 7
    assert other.installer().installed() == {}
