"""Python harnesses: isolated, proven to start, and never half there."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from cli_hub.errors import IntegrityError, NotInstalled, Offline
from cli_hub.install.plan import Action, Wish
from tests.support.harnesses import Machine, entry
from tests.support.package_index import PROGRAM


def said(*argv: str | Path) -> str:
    done = subprocess.run(
        [str(word) for word in argv], capture_output=True, text=True, timeout=30, check=False
    )
    return f"{done.stdout}{done.stderr}".strip()


def test_an_installed_harness_answers_from_the_bin_directory(machine: Machine) -> None:
    machine.index.add("demo", "1.0")

    done = machine.install("demo")

    assert (done.name, done.version, done.source) == ("demo", "1.0", "tests")
    assert said(machine.paths.bin / "demo", "a", "b") == "1.0 a b"
    assert machine.installer().installed() == {"demo": done}
    assert machine.installer().find("demo") == done


def test_the_link_leads_straight_to_the_harness_without_a_wrapper(machine: Machine) -> None:
    machine.index.add("demo")

    done = machine.install("demo")

    link = machine.paths.bin / "demo"
    assert link.is_symlink()
    assert link.resolve() == (done.bin / "demo").resolve()


def test_the_plan_is_the_dry_run_and_touches_nothing(machine: Machine) -> None:
    plan = machine.installer().plan(entry("demo"))

    assert plan.action is Action.INSTALL
    (command,) = plan.commands
    assert command.argv[-1] == "demo"
    assert command.line.startswith(f"UV_TOOL_DIR={plan.target.root}/tool ")
    assert plan.as_document()["commands"] == [command.line]
    assert not machine.paths.home.exists()
    assert machine.index.asked == []


def test_a_pinned_hash_that_does_not_match_blocks_the_installation(machine: Machine) -> None:
    wheel = machine.index.add("demo")
    install = {
        "strategy": "pip",
        "package": "demo",
        "url": machine.index.address_of(wheel),
        "sha256": "0" * 64,
    }

    with pytest.raises(IntegrityError):
        machine.install("demo", install=install)

    assert machine.installer().installed() == {}


def test_without_network_and_cache_it_is_exit_8(machine: Machine) -> None:
    machine.index.stop()

    with pytest.raises(Offline) as caught:
        machine.install("demo")

    assert caught.value.exit_code == 8
    assert "\n" not in caught.value.message
    assert "refused" in caught.value.message
    assert machine.installer().installed() == {}


def test_without_network_the_cache_is_enough(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")
    machine.installer().uninstall("demo")
    machine.index.stop()

    assert machine.install("demo").version == "1.0"


def test_a_user_who_is_offline_on_purpose_gets_exit_8_at_once(machine: Machine) -> None:
    installer = machine.installer(offline=True)

    with pytest.raises(Offline):
        installer.install(installer.plan(entry("demo")))

    assert machine.index.asked == []


def test_variables_of_the_users_shell_do_not_leak_into_the_installation(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine.index.add("demo")
    (tmp_path / "stray").mkdir()
    (tmp_path / "stray" / "_demo_0.py").write_text("raise SystemExit('the stray module')")
    for name, value in {
        "PYTHONPATH": str(tmp_path / "stray"),
        "VIRTUAL_ENV": str(tmp_path / "another"),
        "UV_PROJECT_ENVIRONMENT": str(tmp_path / "project"),
        "UV_SYSTEM_PYTHON": "1",
        "UV_NO_DEPS": "1",
        "UV_CONSTRAINT": str(tmp_path / "no-such-file"),
        "UV_PYTHON": "2.7",
    }.items():
        monkeypatch.setenv(name, value)

    done = machine.install("demo")

    assert done.site_packages is not None
    assert (done.site_packages / "_demo_0.py").is_file()
    assert not (tmp_path / "project").exists()


def test_a_project_in_the_current_directory_does_not_leak_either(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    machine.index.add("demo")
    project = tmp_path / "project"
    project.mkdir()
    (project / "pyproject.toml").write_text(
        '[project]\nname = "p"\nversion = "0"\nrequires-python = ">=3.99"\n'
        "[tool.uv]\nno-index = true\n"
    )
    monkeypatch.chdir(project)

    assert machine.install("demo").version == "1.0"


def test_pips_own_index_setting_is_respected(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.index.add("demo")
    monkeypatch.delenv("UV_DEFAULT_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", machine.index.address)

    machine.install("demo")

    assert "/simple/demo/" in machine.index.asked


def test_packages_that_spoil_the_namespace_cannot_hide_each_other(machine: Machine) -> None:
    for name in ("one", "two"):
        machine.index.add(
            name,
            files={
                "cli_anything/__init__.py": "",
                f"cli_anything/{name}/__init__.py": "",
            },
            scripts={name: PROGRAM.replace("import sys", f"import sys, cli_anything.{name}")},
        )

        machine.install(name)

    assert said(machine.paths.bin / "one") == "1.0"
    assert said(machine.paths.bin / "two") == "1.0"


def test_the_distribution_that_was_installed_is_the_one_removed(machine: Machine) -> None:
    machine.index.add("otherdist", scripts={"tool-x": PROGRAM, "tool-y": PROGRAM})
    install = {"strategy": "pip", "package": "otherdist"}

    done = machine.install("x", install=install, entry_point="tool-x")
    assert done.package == "otherdist"
    assert {path.name for path in machine.paths.bin.iterdir()} == {"tool-x", "tool-y"}

    machine.installer().uninstall("x")

    assert list(machine.paths.bin.iterdir()) == []
    assert not (machine.paths.environments / "x").exists()


def test_uninstalling_what_is_not_there_says_so(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")

    with pytest.raises(NotInstalled) as caught:
        machine.installer().uninstall("dem")

    assert caught.value.exit_code == 3
    assert "demo" in caught.value.hint


def test_uninstalling_needs_no_registry_and_no_network(machine: Machine) -> None:
    machine.index.add("demo")
    machine.install("demo")
    machine.index.stop()

    gone = machine.installer(offline=True).uninstall("demo")

    assert gone.name == "demo"
    assert machine.installer().installed() == {}


def test_shared_files_are_hard_links(machine: Machine) -> None:
    machine.index.add("demo", files={"demo_data.bin": b"x" * 100_000})

    done = machine.install("demo")

    assert done.site_packages is not None
    assert (done.site_packages / "demo_data.bin").stat().st_nlink > 1


def test_an_explicit_version_is_installed_and_kept(machine: Machine) -> None:
    machine.index.add("demo", "1.0")
    machine.index.add("demo", "2.0")

    done = machine.install("demo", Wish(version="1.0"))

    assert (done.version, done.pinned) == ("1.0", True)
    again = machine.installer().plan(entry("demo", version="2.0"))
    assert again.action is Action.PRESENT
    assert "unpin" in again.reason
