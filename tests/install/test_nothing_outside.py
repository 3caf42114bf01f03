"""What the hub writes is below CLI_HUB_HOME: whole trees are compared, before and after."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.harnesses import Machine, entry

Tree = dict[str, tuple[object, ...]]


def tree(folder: Path) -> Tree:
    """Everything in *folder* by path, with kind, rights, time of change and contents.

    The time of a folder changes with what comes and goes in it, so a file that was there only for
    a moment is seen too.
    """
    found: Tree = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        body: object = None
        if path.is_symlink():
            body = path.readlink()
        elif path.is_file():
            body = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path)] = (status.st_mode, status.st_mtime_ns, body)
    return found


def packages(folder: Path) -> Tree:
    """An environment: files by size and time of change. Python's own caches may come and go."""
    found: Tree = {}
    for top, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != "__pycache__"]
        for name in names:
            status = (Path(top) / name).lstat()
            found[f"{top}/{name}"] = (status.st_mode, status.st_size, status.st_mtime_ns)
    return found


@dataclass(frozen=True)
class Person:
    """A home folder with files in it, a project in it to work in, and a folder for what passes."""

    home: Path
    temporary: Path
    hub: Path
    registry: Path

    @property
    def project(self) -> Path:
        return self.home / "project"

    def __call__(self, *arguments: str) -> str:
        dropped = ("UV_CACHE_DIR", "CLI_HUB_", "XDG_", "VIRTUAL_ENV", "npm_config_")
        kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
        done = subprocess.run(
            [sys.executable, "-m", "cli_hub", *arguments],
            env=kept
            | {
                "HOME": str(self.home),
                "TMPDIR": str(self.temporary),
                "CLI_HUB_HOME": str(self.hub),
                "CLI_HUB_REGISTRY": str(self.registry),
            },
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture
def person(machine: Machine, tmp_path: Path) -> Person:
    made = Person(tmp_path / "person", tmp_path / "tmp", machine.paths.home, tmp_path / "r.json")
    files = {
        ".config/pip/pip.conf": "[global]\nno-cache-dir = true\n",
        ".local/bin/demo": "#!/bin/sh\necho mine\n",
        "project/pyproject.toml": '[project]\nname = "project"\nversion = "1.0"\n',
        "project/.venv/pyvenv.cfg": "home = /usr/bin\n",
        "project/package.json": "{}\n",
    }
    for name, text in files.items():
        file = made.home / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    made.temporary.mkdir()
    entries = [dict(entry(name).raw) for name in ("demo", "other")]
    made.registry.write_text(json.dumps({"meta": {}, "clis": entries}))
    return made


def life(machine: Machine) -> Iterator[list[str]]:
    """One line after the other, with what each needs to have something to do."""
    machine.index.add("dependency")
    machine.index.add("demo", "1.0", requires=["dependency"])
    machine.index.add("other")
    yield ["install", "demo", "other"]
    machine.index.add("demo", "2.0", requires=["dependency"])
    yield ["update", "--all"]
    yield ["rollback", "demo"]
    yield ["run", "demo", "word"]
    yield ["doctor", "--fix"]
    yield ["gc", "--cache"]
    yield ["uninstall", "demo", "other"]


def test_nothing_is_written_outside_the_home_in_the_life_of_a_harness(
    machine: Machine, person: Person
) -> None:
    own = {Path(sys.prefix), Path(sysconfig.get_path("purelib", vars={"base": sys.base_prefix}))}
    home, temporary = tree(person.home), set(tree(person.temporary))
    environment = [packages(folder) for folder in sorted(own)]
    assert all(environment), "the hub's own environment was looked at"

    for line in life(machine):
        person(*line)
        assert tree(person.home) == home, f"{line} left the person's files alone"
        assert set(tree(person.temporary)) == temporary, f"{line} left nothing in TMPDIR"

    assert [packages(folder) for folder in sorted(own)] == environment
    assert machine.installer().installed() == {}
    assert not list(machine.paths.bin.iterdir())
