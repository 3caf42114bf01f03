"""A first installation that fails: its exit code, its message, and nothing left of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.support.harnesses import Machine
from tests.support.package_index import BROKEN_PROGRAM


@pytest.mark.parametrize(
    ("how", "code", "exit_code", "says"),
    [
        ("its wheel is cut off", "command_failed", 1, "one-2.0-py3-none-any.whl"),
        ("it lacks a dependency", "command_failed", 1, "no-such-dist-zz"),
        ("it does not start", "command_failed", 1, "a_module_that_nobody_has"),
        ("its bytes are not those promised", "integrity", 7, "is not what was pinned"),
        ("the index answers errors", "command_failed", 1, "500"),
        ("the index is dead", "offline", 8, "needs the network"),
    ],
)
def test_a_first_installation_that_fails_leaves_nothing(
    hub: Callable[..., int],
    document: Callable[[str], Any],
    machine: Machine,
    how: str,
    code: str,
    exit_code: int,
    says: str,
) -> None:
    match how:
        case "its wheel is cut off":
            machine.index.add("one", "2.0", intact=False)
        case "it lacks a dependency":
            machine.index.add("one", "2.0", requires=["no-such-dist-zz"])
        case "it does not start":
            machine.index.add("one", "2.0", scripts={"one": BROKEN_PROGRAM})
        case "its bytes are not those promised":
            machine.index.altered.add(machine.index.add("one", "2.0").name)
        case "the index answers errors":
            machine.index.failing.add("one")
        case _:
            machine.index.stop()

    assert hub("install", "one==2.0", "--json") == exit_code

    error = document("error")["error"]
    assert error["code"] == code
    assert says in error["message"]
    assert error["hint"]
    assert machine.installer().installed() == {}
    for folder in (machine.paths.environments, machine.paths.bin):
        assert list(folder.iterdir()) == []
    assert hub("doctor", "--json") == 0
    assert document("doctor")["healthy"] is True
