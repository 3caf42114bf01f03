"""A lock fixes what no index has: extras, folders of this machine, and commits of a repository."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from cli_hub.errors import IntegrityError, UsageError
from cli_hub.install import lockfile
from cli_hub.install.installed import Installed
from cli_hub.install.lockfile import Lock
from cli_hub.install.locking import Locker
from cli_hub.install.plan import Action, Wish
from cli_hub.install.project import Wanted
from cli_hub.process import command
from cli_hub.registry.entry import Entry
from tests.support.harnesses import Machine, entry
from tests.support.package_index import PROGRAM
from tests.support.requirements import require_program

PROJECT = """\
[project]
name = "demo"
version = "0.1.0"

[project.scripts]
demo = "demo:main"

[project.optional-dependencies]
visual = ["pictures"]

[build-system]
requires = ["uv_build>=0.9,<0.15"]
build-backend = "uv_build"

[tool.uv]
cache-keys = [{ file = "**/*.py" }]

[tool.uv.build-backend]
module-root = ""
"""


def locker(machine: Machine, **fields: object) -> Locker:
    def find(address: str) -> Entry:
        return entry(address.rpartition("/")[2], **fields)

    return Locker(machine.installer(), find)


def carry_out(machine: Machine, by: Locker, lock: Lock) -> Installed:
    (locked,) = lock.harnesses
    return machine.installer().install(by.plan(locked, Wish(), frozen=True))


def said(machine: Machine, done: Installed) -> str:
    return machine.installer().run(command(*done.entry_point)).stdout


def distributions(done: Installed) -> set[str]:
    assert done.site_packages is not None
    return {path.name.partition("-")[0] for path in done.site_packages.glob("*.dist-info")}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A package in a folder that has a blank in its name."""
    root = tmp_path / "my project"
    (root / "demo").mkdir(parents=True)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "demo" / "__init__.py").write_text(PROGRAM.replace("VERSION", "first"))
    return root


def test_extras_are_locked_with_what_they_bring(machine: Machine, tmp_path: Path) -> None:
    machine.index.add("pictures")
    machine.index.add("demo", requires=["pictures; extra == 'visual'"])
    by = locker(machine)

    lock = by.lock((Wanted("demo", extras=("visual",)),), "digest")
    lockfile.write(tmp_path, lock)

    assert lockfile.read(tmp_path) == lock
    assert [each.requirement for each in lock.harnesses[0].packages] == [
        "demo==1.0",
        "pictures==1.0",
    ]
    assert distributions(carry_out(machine, by, lock)) == {"demo", "pictures"}
    assert lock.differences((Wanted("demo"),)) == [
        "demo is locked with the extras visual, and none are asked for"
    ]
    with pytest.raises(UsageError):
        locker(machine, install={"strategy": "npm", "package": "demo"}).lock(
            (Wanted("demo", extras=("visual",)),), "digest"
        )


def test_a_source_in_a_folder_is_locked_by_its_content(machine: Machine, source: Path) -> None:
    by = locker(machine, install={"strategy": "pip", "url": source.as_uri()})
    lock = by.lock((Wanted("demo"),), "digest")

    assert said(machine, carry_out(machine, by, lock)).startswith("first")
    assert source.name not in str(lock.as_document())  # elsewhere it may stand elsewhere

    (source / "demo" / "__init__.py").write_text(PROGRAM.replace("VERSION", "second"))
    with pytest.raises(IntegrityError) as caught:
        carry_out(machine, by, lock)
    assert "is not what was locked" in caught.value.message
    assert caught.value.exit_code == 7

    renewed = by.renew(lock, (Wanted("demo"),), "digest")
    assert renewed != lock
    assert said(machine, carry_out(machine, by, renewed)).startswith("second")


def test_a_lock_that_is_an_answer_stays_as_it_is(machine: Machine) -> None:
    machine.index.add("one")
    machine.index.add("two")
    by = locker(machine)
    held = by.lock((Wanted("one"), Wanted("two")), "digest")
    machine.index.add("one", "2.0")
    machine.index.add("two", "2.0")

    assert by.renew(held, (Wanted("one"), Wanted("two")), "another") is held
    one, two = by.renew(held, (Wanted("one"), Wanted("two", ">=2")), "another").harnesses
    assert (one.version, two.version) == ("1.0", "2.0")


def test_a_branch_is_locked_as_the_commit_it_was(
    machine: Machine, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = require_program("git")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Test")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "test@example.org")

    def commit(text: str) -> str:
        (source / "demo" / "__init__.py").write_text(PROGRAM.replace("VERSION", text))
        for line in (["add", "."], ["commit", "-qm", text]):
            subprocess.run([git, *line], cwd=source, check=True)
        shown = subprocess.run(
            [git, "rev-parse", "HEAD"], cwd=source, check=True, capture_output=True, text=True
        )
        return shown.stdout.strip()

    subprocess.run([git, "init", "-q", "-b", "main"], cwd=source, check=True)
    first = commit("first")
    url = f"git+{source.as_uri()}@main"
    by = locker(machine, install={"strategy": "pip", "package": "demo", "url": url})
    lock = by.lock((Wanted("demo"),), "digest")
    commit("second")

    assert lock.harnesses[0].direct[0].endswith(f"@{first}")
    assert said(machine, carry_out(machine, by, lock)).startswith("first")
    assert by.lock((Wanted("demo"),), "digest") != lock


def test_what_is_locked_is_present_only_as_it_was_locked(machine: Machine, source: Path) -> None:
    by = locker(machine, install={"strategy": "pip", "url": source.as_uri()})
    (locked,) = by.lock((Wanted("demo"),), "digest").harnesses
    carry_out(machine, by, Lock("digest", (locked,)))

    assert by.plan(locked, Wish(), frozen=True).action is Action.PRESENT
    with pytest.raises(IntegrityError):
        by.plan(replace(locked, tree="0" * 64), Wish(), frozen=True)
