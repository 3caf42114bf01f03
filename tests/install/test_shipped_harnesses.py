"""Harnesses that come with the hub are installed by path, and so is what they build on."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_hub.install.installed import Installed
from cli_hub.process import Command, command
from tests.support.harnesses import Machine, entry
from tests.support.package_index import PROGRAM

PROJECT = """\
[project]
name = "cli-anything-{name}"
version = "0.1.0"
requires-python = ">=3.11"
dependencies = [{needs}]
{scripts}
[build-system]
requires = ["uv_build>=0.9,<0.15"]
build-backend = "uv_build"

[tool.uv]
cache-keys = [{{ file = "pyproject.toml" }}, {{ file = "cli_anything/**/*" }}]

[tool.uv.build-backend]
module-name = "cli_anything.{name}"
module-root = ""
"""


SCRIPTS = '[project.scripts]\ndemo = "cli_anything.demo:main"\n'


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A folder such as the hub brings: ``harnesses/demo`` and ``harnesses/kit``."""
    root = tmp_path / "shipped"
    for name, needs, scripts in (
        ("kit", "", ""),
        ("demo", '"cli-anything-kit"', SCRIPTS),
    ):
        package = root / "harnesses" / name / "cli_anything" / name
        package.mkdir(parents=True)
        (package.parents[1] / "pyproject.toml").write_text(
            PROJECT.format(name=name, needs=needs, scripts=scripts)
        )
        (package / "__init__.py").write_text(
            "WHOSE = 'ours'\n"
            if name == "kit"
            else PROGRAM.replace(
                'print("VERSION", *sys.argv[1:])',
                "from cli_anything.kit import WHOSE\n    print(WHOSE)",
            )
        )
    return root


def install(machine: Machine, shipped: Path) -> Installed:
    installer = machine.installer(shipped=lambda relative: shipped / relative)
    demo = entry("demo", install={"strategy": "pip", "path": "harnesses/demo"})
    return installer.install(installer.plan(demo))


@pytest.fixture
def squatted(machine: Machine) -> Machine:
    """Somebody took the names on the index, with versions nothing can beat."""
    for name in ("cli-anything-kit", "cli-anything-demo"):
        machine.index.add(
            name,
            "999",
            scripts={"demo": PROGRAM},
            files={f"cli_anything/{name.rpartition('-')[2]}/__init__.py": "WHOSE = 'theirs'"},
        )
    return machine


def test_a_squatted_name_on_the_index_never_wins(squatted: Machine, shipped: Path) -> None:
    done = install(squatted, shipped)

    ran = squatted.installer().run
    assert ran(_command(done)).stdout == "ours\n"
    assert done.version == "0.1.0"
    assert squatted.index.asked == []


def test_a_changed_source_is_built_again(machine: Machine, shipped: Path) -> None:
    install(machine, shipped)
    machine.installer().uninstall("demo")
    kit = shipped / "harnesses" / "kit" / "cli_anything" / "kit" / "__init__.py"
    kit.write_text("WHOSE = 'newer'\n")

    done = install(machine, shipped)

    assert machine.installer().run(_command(done)).stdout == "newer\n"


def test_installing_again_renews_it_only_when_its_source_changed(
    machine: Machine, shipped: Path
) -> None:
    first = install(machine, shipped)
    assert install(machine, shipped) == first

    kit = shipped / "harnesses" / "kit" / "cli_anything" / "kit" / "__init__.py"
    kit.write_text("WHOSE = 'newer'\n")
    renewed = install(machine, shipped)

    assert renewed.generation != first.generation
    assert machine.installer().run(_command(renewed)).stdout == "newer\n"
    assert install(machine, shipped) == renewed


def test_a_harness_from_a_folder_of_the_person_is_renewed_too(
    machine: Machine, tmp_path: Path
) -> None:
    package = tmp_path / "mine" / "cli_anything" / "demo"
    package.mkdir(parents=True)
    project = PROJECT.format(name="demo", needs="", scripts=SCRIPTS)
    (tmp_path / "mine" / "pyproject.toml").write_text(project.replace("cache-keys", "# keys"))
    (package / "__init__.py").write_text(PROGRAM)
    line = f"pip install {tmp_path / 'mine'}"
    first = machine.install("demo", install_cmd=line)
    assert machine.install("demo", install_cmd=line) == first

    (package / "__init__.py").write_text(PROGRAM.replace("VERSION", "newer"))
    renewed = machine.install("demo", install_cmd=line)

    assert machine.installer().run(_command(renewed)).stdout == "newer\n"


def test_building_writes_nothing_beside_the_sources(machine: Machine, shipped: Path) -> None:
    before = set(shipped.rglob("*"))

    install(machine, shipped)

    assert set(shipped.rglob("*")) == before


def _command(done: Installed) -> Command:
    return command(*done.entry_point)
