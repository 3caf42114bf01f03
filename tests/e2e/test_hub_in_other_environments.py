"""The hub itself may come by any installer; what it installs never depends on that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import uv

from tests.support.harnesses import entry
from tests.support.installed_hub import REPOSITORY, quietly
from tests.support.package_index import PackageIndex
from tests.support.requirements import require_program

pytestmark = [pytest.mark.slow, pytest.mark.network]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hub as it is published."""
    folder = tmp_path_factory.mktemp("wheel")
    quietly(uv.find_uv_bin(), "build", "--wheel", "--out-dir", str(folder), str(REPOSITORY))
    return next(folder.glob("*.whl"))


def by_uv_tool(wheel: Path, folder: Path) -> Path:
    env = {
        **os.environ,
        "UV_TOOL_DIR": str(folder / "tools"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
    }
    subprocess.run(
        [uv.find_uv_bin(), "tool", "install", "--python", sys.executable, str(wheel)],
        env=env, check=True, capture_output=True,
    )  # fmt: skip
    return folder / "bin" / "cli-hub"


def by_pipx(wheel: Path, folder: Path) -> Path:
    env = {**os.environ, "PIPX_HOME": str(folder / "pipx"), "PIPX_BIN_DIR": str(folder / "bin")}
    pipx = (uv.find_uv_bin(), "tool", "run", "pipx")
    subprocess.run(
        [*pipx, "install", "--python", sys.executable, str(wheel)],
        env=env,
        check=True,
        capture_output=True,
    )
    return folder / "bin" / "cli-hub"


def by_venv_without_pip(wheel: Path, folder: Path) -> Path:
    quietly(sys.executable, "-m", "venv", "--without-pip", str(folder / "venv"))
    quietly(uv.find_uv_bin(), "pip", "install", "--python", str(folder / "venv"), str(wheel))
    return folder / "venv" / "bin" / "cli-hub"


@pytest.mark.parametrize("way", [by_uv_tool, by_pipx, by_venv_without_pip])
def test_the_hub_installs_and_runs_harnesses_however_it_came_itself(
    way: object, wheel: Path, tmp_path: Path
) -> None:
    program = way(wheel, tmp_path)  # type: ignore[operator]
    registry = tmp_path / "registry.json"
    registry.write_text(json.dumps({"meta": {}, "clis": [dict(entry("demo").raw)]}))
    own = {path for path in program.resolve().parents[1].rglob("*") if path.suffix != ".pyc"}
    with PackageIndex(tmp_path / "index") as index:
        index.add("demo")
        env = {
            "PATH": os.defpath,
            "HOME": str(tmp_path / "person"),
            "CLI_HUB_HOME": str(tmp_path / "hub"),
            "CLI_HUB_REGISTRY": str(registry),
            "UV_DEFAULT_INDEX": index.address,
        }
        for line, said in (
            (["install", "demo", "--json"], '"installed"'),
            (["launch", "demo", "a"], "1.0 a"),
            (["uninstall", "demo", "--json"], '"removed"'),
        ):
            done = subprocess.run(
                [str(program), *line], env=env, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr
            assert said in done.stdout
    now = {path for path in program.resolve().parents[1].rglob("*") if path.suffix != ".pyc"}
    assert {path for path in now - own if path.name != "__pycache__"} == set()


def test_a_published_harness_is_really_installed_from_the_index(
    wheel: Path, tmp_path: Path
) -> None:
    program = by_venv_without_pip(wheel, tmp_path)
    env = {
        **{key: value for key, value in os.environ.items() if not key.startswith("CLI_HUB_")},
        "CLI_HUB_HOME": str(tmp_path / "hub"),
    }

    def hub(*line: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(program), *line], env=env, capture_output=True, text=True, check=False
        )

    installed = hub("install", "libreoffice", "--json")
    assert installed.returncode == 0, installed.stderr
    assert json.loads(installed.stdout)["items"][0]["package"] == "cli-anything-libreoffice"
    launched = hub("launch", "libreoffice", "--help")
    assert launched.returncode == 0
    assert "cli-anything-libreoffice" in launched.stdout


def test_a_published_npm_program_is_really_installed_without_its_scripts(
    wheel: Path, tmp_path: Path
) -> None:
    require_program("npm")
    program = by_venv_without_pip(wheel, tmp_path)
    registry = tmp_path / "registry.json"
    record = dict(entry("semver", install_cmd="npm install -g semver").raw)
    registry.write_text(json.dumps({"meta": {}, "clis": [record]}))
    person = tmp_path / "person"
    person.mkdir()
    npmrc = Path.home() / ".npmrc"
    env = {
        **os.environ,
        "HOME": str(person),
        "NPM_CONFIG_USERCONFIG": str(npmrc) if npmrc.exists() else "",
        "CLI_HUB_HOME": str(tmp_path / "hub"),
        "CLI_HUB_REGISTRY": str(registry),
    }
    done = subprocess.run(
        [str(program), "install", "semver", "--json"], env=env, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    answer = subprocess.run(
        [str(tmp_path / "hub" / "bin" / "semver"), "1.2.3"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.stdout.strip() == "1.2.3"
    assert list(person.rglob("*")) == []
