"""A published harness, from the Python package index into an environment of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.support.installed_hub import InstalledHub

pytestmark = [pytest.mark.slow, pytest.mark.network]


def packages_of_the_hub(hub: InstalledHub) -> set[str]:
    libraries = next((hub.program.parents[1] / "lib").glob("python3*")) / "site-packages"
    return {path.name for path in libraries.iterdir() if path.name != "__pycache__"}


@pytest.fixture(scope="module")
def installed(hub_program: Path, tmp_path_factory: pytest.TempPathFactory) -> InstalledHub:
    hub = InstalledHub(hub_program, tmp_path_factory.mktemp("home"))
    before = packages_of_the_hub(hub)
    said = hub("install", "libreoffice", "--json")
    assert said.exit_code == 0, said.err
    assert packages_of_the_hub(hub) == before, "something was added to the hub's own environment"
    return hub


def test_it_starts_without_anything_of_the_hub_between(installed: InstalledHub) -> None:
    said = installed("launch", "libreoffice", "--help")

    assert said.exit_code == 0
    assert "Usage: cli-anything-libreoffice" in said.out
    link = installed.hub_home / "bin" / "cli-anything-libreoffice"
    direct = subprocess.run([link, "--help"], capture_output=True, text=True, check=True)
    assert direct.stdout == said.out


def test_a_run_is_recorded_and_its_exit_code_kept(installed: InstalledHub) -> None:
    said = installed("run", "--json", "libreoffice", "no-such-command")

    record = said.document
    assert said.exit_code == record["exit_code"] == 2
    assert "No such command" in record["stderr"]
    assert installed("runs", "show", record["id"][:12], "--json").document["id"] == record["id"]


def test_doctor_says_whether_the_application_is_here(installed: InstalledHub) -> None:
    said = installed("doctor", "libreoffice", "--json")

    findings = [each for each in said.document["findings"] if each["check"] == "application"]
    assert len(findings) == 1
    assert "soffice" in findings[0]["message"] or "libreoffice" in findings[0]["message"]


def test_uninstalling_leaves_no_trace_of_it(installed: InstalledHub) -> None:
    name = "zotero"
    assert installed("install", name).exit_code == 0
    assert installed("uninstall", name).exit_code == 0

    left = [path for path in installed.hub_home.rglob(f"*{name}*") if not cached(path)]
    assert [path for path in left if path.suffix not in {".lock", ".log"}] == []
    assert installed("launch", name).exit_code == 3


def cached(path: Path) -> bool:
    return "cache" in path.parts
