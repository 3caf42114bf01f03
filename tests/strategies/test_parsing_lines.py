"""Older install lines become the strategy they mean; no shell ever sees one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli_hub.strategies import (
    Brew,
    Bundled,
    Command,
    Npm,
    Pip,
    Script,
    Strategy,
    Uninstallable,
    Uv,
    parse_install,
)
from tests.support.requirements import require_corpus


def parsed(line: str, **fields: Any) -> Strategy | Uninstallable:
    return parse_install({"install_cmd": line, **fields})


@pytest.mark.parametrize(
    ("line", "strategy"),
    [
        ("pip install idna", Pip("idna")),
        ("pip3 install --upgrade --user idna", Pip("idna")),
        ("python3 -m pip install idna", Pip("idna")),
        ("/usr/bin/python3.11 -m pip install idna", Pip("idna")),
        ('pip install "idna>=2,<99"', Pip("idna", version="<99,>=2")),
        ("pip install 'rich[jupyter]==13.8'", Pip("rich", version="==13.8", extras=("jupyter",))),
        ("pip install '/tmp/my wheels/x.whl'", Pip(url="/tmp/my wheels/x.whl")),
        ("pip install one two", Pip("one", also=("two",))),
        ("pip install --pre x", Pip("x", prerelease=True)),
        ("pip install -i https://a/simple x", Pip("x", index="https://a/simple")),
        (
            "pip install git+https://github.com/a/b.git#subdirectory=c",
            Pip(url="git+https://github.com/a/b.git#subdirectory=c"),
        ),
        ("uv tool install ruff", Uv("ruff")),
        ("uv tool install --with extra ruff", Uv("ruff", also=("extra",))),
        ("pipx install black", Uv("black")),
        ("npm install -g sanity", Npm("sanity")),
        ("npm i --global @shopify/cli@latest", Npm("@shopify/cli")),
        ("npm install -g @a/b@1.2.3", Npm("@a/b", "1.2.3")),
        ("npx -y contentful-cli", Npm("contentful-cli")),
        (r'"C:\Program Files\nodejs\npm.cmd" install -g y', Npm("y")),
        ("brew install jq", Brew("jq")),
        ("brew install --cask 1password-cli", Brew("1password-cli", cask=True)),
        ("curl -s https://x.test/cli | bash", Script("https://x.test/cli", "bash")),
        (
            "curl -fsSL https://x.test/i.sh | sh -s -- --yes 'a b'",
            Script("https://x.test/i.sh", "sh", ("--yes", "a b")),
        ),
        ("wget -qO- https://x.test/i.sh | sh", Script("https://x.test/i.sh", "sh")),
        ('bash -c "$(curl -fsSL https://x.test/i.sh)"', Script("https://x.test/i.sh", "bash")),
        (
            "cargo install --git https://x/y --locked",
            Command((("cargo", "install", "--git", "https://x/y", "--locked"),)),
        ),
        ("go install a.test/b@latest", Command((("go", "install", "a.test/b@latest"),))),
        ("make && make install", Command((("make",), ("make", "install")))),
        ("printf 'a b' c", Command((("printf", "a b", "c"),))),
        ("A=1 make", Command((("env", "A=1", "make"),))),
    ],
)
def test_a_line_becomes_the_strategy_it_means(line: str, strategy: Strategy) -> None:
    assert parsed(line) == strategy


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("cd sketch/agent-harness && npm install && npm link", "checkout"),
        ("echo a; rm -rf b", "';' needs a shell"),
        ("make > log", "'>' needs a shell"),
        ("make &", "'&' needs a shell"),
        ("tar x $HOME/y", "expand"),
        ("make `which x`", "expand"),
        ("cat x | grep y", "only a fetched script"),
        ("curl https://x.test/a https://x.test/b | sh", "one address"),
        ("curl https://x.test/a | sh | tee log", "only a fetched script"),
        ("pip install", "names no package"),
        ("pip uninstall x", "does not install"),
        ("pip install -r requirements.txt", "-r"),
        ("pip install -e .", "-e"),
        ("pip install --target /usr x", "--target"),
        ("pip install ./x-1.0-py3-none-any.whl", "relative"),
        ("pip install idna>=2", "shell"),
        ("npm install x", "project"),
        ("npm install -g a b", "one npm package"),
        ("brew install a b", "one formula"),
        ("pip install 'unclosed", "cannot be read"),
        ("make &&", "empty command"),
        ("", "does not say"),
    ],
)
def test_what_only_a_shell_could_do_is_refused_with_the_reason(line: str, reason: str) -> None:
    refused = parsed(line)

    assert isinstance(refused, Uninstallable)
    assert reason in refused.reason


def test_a_relative_file_starts_at_the_registry_never_at_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    line = {"install_cmd": "pip install ./x-1.0-py3-none-any.whl"}

    assert isinstance(parse_install(line), Uninstallable)
    assert parse_install(line, base=Path("/registry")) == Pip(
        url="/registry/x-1.0-py3-none-any.whl"
    )


def test_a_bundled_program_is_looked_for_and_its_notes_are_kept() -> None:
    entry = {
        "package_manager": "bundled",
        "install_strategy": "bundled",
        "detect_cmd": "obsidian version",
        "install_notes": "Comes with Obsidian.",
    }

    assert parse_install(entry) == Bundled("obsidian", "Comes with Obsidian.")


def test_the_undo_line_of_a_script_is_kept_as_argv() -> None:
    entry = {"install_cmd": "curl https://x.test | sh", "uninstall_cmd": "rm -f '/opt/a b'"}

    strategy = parse_install(entry)

    assert isinstance(strategy, Script)
    assert strategy.undo == (("rm", "-f", "/opt/a b"),)


def test_every_published_entry_is_understood_or_refused_for_a_reason() -> None:
    folder = require_corpus() / "registry"
    strategies: dict[str, int] = {}
    for path in folder.glob("*.json"):
        for entry in json.loads(path.read_text(encoding="utf-8"))["clis"]:
            strategy = parse_install(entry)
            if isinstance(strategy, Uninstallable):
                assert entry["name"] == "sketch"
                assert strategy.reason
                continue
            strategies[strategy.kind.value] = strategies.get(strategy.kind.value, 0) + 1

    assert strategies == {
        "pip": 57, "npm": 8, "command": 1, "brew": 1, "bundled": 2, "uv": 1, "script": 1,
    }  # fmt: skip
