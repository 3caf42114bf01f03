"""Whoever waits at a terminal is told what for; the answer is not mixed with it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.harnesses import Machine
from tests.support.registries import registry_file
from tests.support.terminal import terminal


@pytest.fixture
def variables(machine: Machine) -> dict[str, str]:
    """The environment of a person who has ``demo`` installed."""
    machine.index.add("demo")
    machine.install("demo")
    registry = registry_file(machine.paths.home.parent)
    own = {"CLI_HUB_HOME": str(machine.paths.home), "CLI_HUB_REGISTRY": str(registry)}
    return {**os.environ, **own, "TERM": "xterm", "UV_CACHE_DIR": str(machine.paths.cache / "uv")}


@pytest.mark.parametrize(
    ("line", "told", "answer"),
    [
        (["outdated"], "demo: is there something newer?", "all is up to date"),
        (["doctor", "demo"], "looking at demo", "all is well"),
        (["gc", "--cache"], "removing what nothing needs any more", "MB freed"),
    ],
    ids=["outdated", "doctor", "gc"],
)
def test_a_person_is_told_what_takes_its_time(
    variables: dict[str, str], line: list[str], told: str, answer: str
) -> None:
    program = [sys.executable, "-m", "cli_hub", *line]

    with terminal(program, variables) as person:
        person.until(told)
        person.until(answer)

    piped = subprocess.run(program, env=variables, capture_output=True, text=True, check=False)
    assert answer in piped.stdout
    assert told not in piped.stdout
    assert piped.stderr.replace(f"{told} …\n", "") == ""  # said only after a second, and only there
