"""Programs that are built here, by the real cargo and the real go, without any network."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from cli_hub.errors import CommandFailed
from cli_hub.install.installed import Installed
from cli_hub.install.plan import Wish
from tests.support.harnesses import Machine
from tests.support.requirements import lacking, require_program

pytestmark = pytest.mark.slow

CRATE = '[package]\nname = "greeter"\nversion = "1.2.3"\nedition = "2021"\n'
MODULE = "tools.test/greeter"
GO_SAYS = 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello from VERSION") }\n'


@pytest.fixture
def crate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program for cargo that needs no other crate."""
    monkeypatch.setenv("PATH", f"{Path(working_cargo()).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CARGO_NET_OFFLINE", "true")
    folder = tmp_path / "a crate"
    (folder / "src").mkdir(parents=True)
    (folder / "Cargo.toml").write_text(CRATE)
    (folder / "src" / "main.rs").write_text('fn main() { println!("hello from rust"); }\n')
    return folder


def working_cargo() -> str:
    """The first cargo on PATH that starts: one of rustup's does not where it has no toolchain."""
    for folder in os.environ["PATH"].split(os.pathsep):
        found = shutil.which("cargo", path=folder)
        if found and not subprocess.run([found, "--version"], capture_output=True).returncode:
            return found
    raise lacking("a cargo that starts", "apt-get install cargo")


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A module for go in two versions, offered by a folder as a module proxy would
    (https://go.dev/ref/mod#goproxy-protocol)."""
    require_program("go", package="golang-go")
    shelf = tmp_path / "proxy" / MODULE / "@v"
    shelf.mkdir(parents=True)
    for version in ("v1.0.0", "v1.1.0"):
        root = f"{MODULE}@{version}"
        (shelf / f"{version}.info").write_text(f'{{"Version": "{version}"}}')
        (shelf / f"{version}.mod").write_text(f"module {MODULE}\n")
        with zipfile.ZipFile(shelf / f"{version}.zip", "w") as archive:
            archive.writestr(f"{root}/go.mod", f"module {MODULE}\n")
            archive.writestr(f"{root}/main.go", GO_SAYS.replace("VERSION", version))
    (shelf / "list").write_text("v1.0.0\nv1.1.0\n")
    for name, value in {
        "GOPROXY": (tmp_path / "proxy").as_uri(),
        "GONOSUMDB": "*",
        "GOFLAGS": "-modcacherw",
        "GOPATH": str(tmp_path / "go"),
        "GOCACHE": str(tmp_path / "go-cache"),
    }.items():
        monkeypatch.setenv(name, value)
    return MODULE


def install(machine: Machine, *argv: str, wish: Wish | None = None) -> Installed:
    return machine.install("greeter", wish, install={"strategy": "command", "steps": [list(argv)]})


def said(machine: Machine) -> str:
    program = machine.paths.bin / "greeter"
    return subprocess.run([program], check=True, capture_output=True, text=True).stdout


def test_cargo_builds_into_the_harness_s_own_folder(machine: Machine, crate: Path) -> None:
    done = install(machine, "cargo", "install", "--path", str(crate))

    assert said(machine) == "hello from rust\n"
    assert (machine.paths.bin / "greeter").resolve() == done.generation / "bin" / "greeter"
    machine.installer().uninstall("greeter")
    assert not (machine.paths.bin / "greeter").exists()
    assert not done.generation.exists()


def test_a_crate_that_does_not_compile_leaves_the_version_that_works(
    machine: Machine, crate: Path
) -> None:
    install(machine, "cargo", "install", "--path", str(crate))
    (crate / "src" / "main.rs").write_text("fn main() { this is not rust }\n")

    with pytest.raises(CommandFailed, match="could not compile"):
        install(machine, "cargo", "install", "--path", str(crate), wish=Wish(again=True))

    assert said(machine) == "hello from rust\n"


def test_go_builds_the_version_that_is_asked_for(machine: Machine, module: str) -> None:
    install(machine, "go", "install", f"{module}@latest")
    assert said(machine) == "hello from v1.1.0\n"

    install(machine, "go", "install", f"{module}@latest", wish=Wish(version="1.0.0"))
    assert said(machine) == "hello from v1.0.0\n"
    machine.installer().rollback("greeter")
    assert said(machine) == "hello from v1.1.0\n"
