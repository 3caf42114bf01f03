"""The structured ``install`` object: read exactly, written back exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cli_hub.errors import UsageError
from cli_hub.strategies import (
    STRATEGIES,
    Brew,
    Bundled,
    Command,
    Kind,
    Npm,
    Pip,
    Scope,
    Script,
    Strategy,
    Target,
    Uninstallable,
    Uv,
    parse_install,
)

ALL: list[Strategy] = [
    Pip("a"),
    Pip("a", ">=1.2", ("x", "y"), sha256="a" * 64, url="https://x.test/a.whl"),
    Pip(path="harnesses/ffmpeg"),
    Pip("a", index="https://x.test/simple", also=("b",), prerelease=True),
    Uv("a", "==1.0"),
    Npm("@a/b", "1.0", scripts=True),
    Brew("a", cask=True),
    Script("https://x.test/i.sh", "bash", ("--yes",), "b" * 64, (("rm", "x"),)),
    Command((("make",), ("make", "install")), (("make", "uninstall"),)),
    Bundled("obsidian", "Comes with it."),
]

TARGET = Target(Path("/envs/x/1"), "uv", "python3", lambda relative: Path("/shipped") / relative)


def argv(line: str) -> Command:
    return Command((tuple(line.split()),))


@pytest.mark.parametrize("strategy", ALL, ids=str)
def test_what_is_written_is_read_back(strategy: Strategy) -> None:
    assert parse_install({"install": strategy.as_document()}) == strategy


def test_every_kind_has_its_strategy() -> None:
    assert set(STRATEGIES) == set(Kind)
    assert {type(strategy) for strategy in ALL} == set(STRATEGIES.values())


@pytest.mark.parametrize(
    "install",
    [
        3,
        {},
        {"strategy": "curl"},
        {"strategy": "pip"},
        {"strategy": "pip", "package": "--index-url=https://evil.test"},
        {"strategy": "pip", "package": "a", "also": ["--index-url=https://evil.test"]},
        {"strategy": "pip", "package": "a", "sha256": "abc"},
        {"strategy": "pip", "path": "harnesses/../../etc"},
        {"strategy": "pip", "path": "./here"},
        {"strategy": "pip", "package": 3},
        {"strategy": "pip", "package": "a", "extras": "x"},
        {"strategy": "npm", "package": "-g"},
        {"strategy": "npm", "package": "a", "scripts": "yes"},
        {"strategy": "script", "url": "file:///etc/passwd"},
        {"strategy": "command", "steps": []},
        {"strategy": "command", "steps": [[]]},
        {"strategy": "command", "steps": "make install"},
        {"strategy": "bundled"},
    ],
    ids=str,
)
def test_a_wrong_object_is_refused_and_never_raises(install: Any) -> None:
    assert isinstance(parse_install({"install": install}), Uninstallable)


def test_the_structured_object_wins_over_the_line() -> None:
    entry = {"install": {"strategy": "npm", "package": "a"}, "install_cmd": "pip install b"}

    assert parse_install(entry) == Npm("a")


def test_a_shipped_harness_brings_the_kit_by_path() -> None:
    install = Pip(path="harnesses/ffmpeg").commands(TARGET)[1]

    assert install.argv[-2:] == ("/shipped/harnesses/ffmpeg", "/shipped/harnesses/kit")


def test_npm_scripts_run_only_when_allowed() -> None:
    without = Npm("a").commands(TARGET)[0].argv
    allowed = Target(TARGET.root, "uv", "python3", TARGET.shipped, allow_scripts=True)

    assert "--ignore-scripts" in without
    assert "--ignore-scripts" not in Npm("a").commands(allowed)[0].argv
    assert without[-2:] == ("--", "a")


def test_cargo_and_go_get_a_private_root_and_need_no_consent() -> None:
    cargo = Command((("cargo", "install", "x"),))
    go = Command((("go", "install", "a.test/x@latest"),))

    assert cargo.commands(TARGET)[0].argv == ("cargo", "install", "x", "--root", "/envs/x/1")
    assert dict(go.commands(TARGET)[0].env)["GOBIN"] == "/envs/x/1/bin"
    assert (cargo.scope, cargo.consent) == (Scope.PRIVATE, None)


def test_any_other_command_and_every_script_needs_consent() -> None:
    make = Command((("make", "install"),))
    script = Script("https://x.test/i.sh", "bash", ("a b",))

    assert make.consent is not None
    assert make.consent.text == "make install"
    assert script.consent is not None
    assert script.consent.text == "https://x.test/i.sh → bash installer 'a b'"


@pytest.mark.parametrize(
    ("strategy", "chosen"),
    [
        (Pip("a", ">=1"), Pip("a", "==1.2")),
        (Uv("a"), Uv("a", "==1.2")),
        (Npm("a"), Npm("a", "1.2")),
        (argv("cargo install a"), argv("cargo install a --version 1.2")),
        (argv("go install a.test/b@latest"), argv("go install a.test/b@v1.2")),
    ],
    ids=str,
)
def test_a_version_can_be_chosen_where_there_are_versions(
    strategy: Strategy, chosen: Strategy
) -> None:
    assert strategy.at_version("1.2") == chosen


@pytest.mark.parametrize(
    "strategy",
    [Pip(path="harnesses/x"), Pip(url="git+https://x"), Brew("a"), Script("https://x"),
     Command((("make",),)), Bundled("a")],
    ids=str,
)  # fmt: skip
def test_a_version_is_refused_where_there_are_none(strategy: Strategy) -> None:
    with pytest.raises(UsageError):
        strategy.at_version("1.2")


def test_a_git_address_needs_git() -> None:
    assert Pip(url="git+https://x.test/a.git").needs == "git"
    assert Pip("a").needs == ""
