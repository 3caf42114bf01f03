"""Updates, repairs, names in the way: what worked before keeps working."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from cli_hub.errors import CommandFailed, Conflict, HubError
from cli_hub.install.plan import Action, Wish
from tests.support.harnesses import Machine, entry
from tests.support.package_index import BROKEN_PROGRAM, PROGRAM


def answer(program: Path) -> str:
    return subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=30, check=True
    ).stdout.strip()


def test_installing_again_does_nothing_when_all_is_there(machine: Machine) -> None:
    machine.index.add("demo")
    done = machine.install("demo")

    plan = machine.installer().plan(entry("demo"))

    assert plan.action is Action.PRESENT
    assert plan.commands == ()
    assert machine.installer().install(plan) == done


def test_installing_again_follows_the_registry_to_a_new_version(machine: Machine) -> None:
    machine.index.add("demo", "1.0")
    machine.install("demo", version="1.0")
    machine.index.add("demo", "2.0")

    plan = machine.installer().plan(entry("demo", version="2.0"))
    done = machine.installer().install(plan)

    assert plan.action is Action.UPDATE
    assert done.version == "2.0"
    assert answer(machine.paths.bin / "demo") == "2.0"


def test_installing_again_repairs_what_was_deleted(machine: Machine) -> None:
    machine.index.add("demo")
    done = machine.install("demo")
    (done.bin / "demo").unlink()

    plan = machine.installer().plan(entry("demo"))
    machine.installer().install(plan)

    assert plan.action is Action.REPAIR
    assert answer(machine.paths.bin / "demo") == "1.0"


def test_installing_again_repairs_an_environment_whose_interpreter_is_gone(
    machine: Machine,
) -> None:
    machine.index.add("demo")
    done = machine.install("demo")
    python = done.bin / "python"
    python.unlink()
    python.symlink_to(machine.paths.home / "a-python-that-was-upgraded-away")

    plan = machine.installer().plan(entry("demo"))
    machine.installer().install(plan)

    assert plan.action is Action.REPAIR
    assert answer(machine.paths.bin / "demo") == "1.0"


@pytest.mark.parametrize(
    ("how", "says", "exit_code"),
    [
        ("does not start", "a_module_that_nobody_has", 1),
        ("is cut off", "demo-2.0-py3-none-any.whl", 1),
        ("lacks a dependency", "no-such-dist-zz", 1),
        ("the index is dead", "needs the network", 8),
    ],
)
def test_an_update_that_fails_leaves_the_working_version(
    machine: Machine, how: str, says: str, exit_code: int
) -> None:
    machine.index.add("demo", "1.0")
    before = machine.install("demo")
    files = machine.files()
    match how:
        case "does not start":
            machine.index.add("demo", "2.0", scripts={"demo": BROKEN_PROGRAM})
        case "is cut off":
            machine.index.add("demo", "2.0", intact=False)
        case "lacks a dependency":
            machine.index.add("demo", "2.0", requires=["no-such-dist-zz"])
        case _:
            machine.index.stop()

    with pytest.raises(HubError) as caught:
        machine.install("demo", Wish(version="2.0"))

    assert says in caught.value.message
    assert caught.value.exit_code == exit_code
    assert answer(machine.paths.bin / "demo") == "1.0"
    assert machine.installer().find("demo") == before
    assert {path for path in machine.files() if "__pycache__" not in str(path)} == {
        path for path in files if "__pycache__" not in str(path)
    }


def test_a_file_of_somebody_else_is_never_overwritten_nor_removed(machine: Machine) -> None:
    machine.index.add("demo")
    machine.paths.bin.mkdir(parents=True)
    (machine.paths.bin / "demo").write_text("mine")

    with pytest.raises(Conflict) as caught:
        machine.install("demo")

    assert caught.value.exit_code == 4
    assert (machine.paths.bin / "demo").read_text() == "mine"
    assert machine.installer().installed() == {}


def test_a_file_that_replaced_our_link_survives_the_uninstallation(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")
    (machine.paths.bin / "demo").unlink()
    (machine.paths.bin / "demo").write_text("mine")

    machine.installer().uninstall("demo")

    assert (machine.paths.bin / "demo").read_text() == "mine"


def test_a_second_harness_with_the_same_program_is_refused_unless_told(machine: Machine) -> None:
    machine.index.add("one", scripts={"tool": PROGRAM.replace("VERSION", "one")})
    machine.index.add("two", scripts={"tool": PROGRAM.replace("VERSION", "two")})
    machine.install("one", entry_point="tool")

    with pytest.raises(Conflict) as caught:
        machine.install("two", entry_point="tool")

    assert caught.value.details == {"script": "tool", "owner": "one"}
    assert answer(machine.paths.bin / "tool") == "one"

    machine.install("two", Wish(replace=True), entry_point="tool")

    assert answer(machine.paths.bin / "tool") == "two"


def test_a_harness_never_moves_to_another_source_silently(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")

    with pytest.raises(Conflict) as caught:
        machine.installer().plan(entry("demo", source="elsewhere"))

    assert "elsewhere/demo --replace" in caught.value.hint


def test_after_a_failure_a_corrected_entry_is_used_at_once(machine: Machine) -> None:
    machine.index.add("right")
    with pytest.raises(HubError):
        machine.install("demo", install={"strategy": "pip", "package": "wrong"})

    done = machine.install(
        "demo", install={"strategy": "pip", "package": "right"}, entry_point="right"
    )

    assert done.package == "right"


def test_an_incomplete_harness_can_be_uninstalled(machine: Machine) -> None:
    machine.index.add("demo")
    done = machine.install("demo")
    shutil.rmtree(done.generation)

    machine.installer().uninstall("demo")

    assert machine.installer().installed() == {}
    assert not (machine.paths.environments / "demo").exists()


def test_an_entry_that_brings_no_such_program_is_an_error(machine: Machine) -> None:
    machine.index.add("demo", scripts={"other": PROGRAM})

    with pytest.raises(HubError):
        machine.install("demo", entry_point="demo")

    assert machine.installer().installed() == {}


def test_an_entry_point_may_have_two_words(machine: Machine) -> None:
    machine.index.add("demo", scripts={"tool": PROGRAM}, files={"side/cli.txt": ""})

    done = machine.install("demo", entry_point="tool first")

    assert done.entry_point == (str(done.bin / "tool"), "first")


def test_python_in_an_entry_point_is_the_one_of_the_harness(machine: Machine) -> None:
    machine.index.add("demo")

    done = machine.install("demo", entry_point="python3 -m _demo_0")

    assert done.entry_point == (str(done.bin / "python3"), "-m", "_demo_0")


def test_a_harness_that_never_answers_is_not_installed(machine: Machine) -> None:
    machine.index.add("demo", scripts={"demo": "import os\n\ndef main():\n    os.abort()\n"})

    with pytest.raises(CommandFailed):
        machine.install("demo")

    assert machine.installer().installed() == {}
