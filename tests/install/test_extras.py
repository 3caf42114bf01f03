"""Optional parts of a Python package: ``NAME[EXTRA]``, kept until it is uninstalled."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli_hub.errors import UsageError
from cli_hub.install import sets
from cli_hub.install.installed import Installed
from cli_hub.install.plan import Action, Wish
from cli_hub.install.request import Request, parse_request
from tests.support.harnesses import Machine, entry


@pytest.fixture
def demo(machine: Machine) -> Machine:
    """A harness with two extras, each of which brings one package."""
    needs = ["seeing; extra == 'visual'", "hearing; extra == 'audio'"]
    for version in ("1.0", "2.0"):
        machine.index.add("demo", version, requires=needs)
    machine.index.add("seeing")
    machine.index.add("hearing")
    return machine


def packages(installed: Installed) -> set[str]:
    site = installed.site_packages
    assert site is not None
    return {path.name.split("-")[0] for path in site.glob("*.dist-info")}


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("demo[visual]", Request("demo", "", ("visual",))),
        ("tests/demo[visual, audio]==1.2", Request("tests/demo", "1.2", ("visual", "audio"))),
        ("demo", Request("demo")),
    ],
)
def test_a_request_may_name_extras(text: str, request_: Request) -> None:
    assert parse_request(text) == request_
    assert parse_request(str(request_)) == request_


@pytest.mark.parametrize("text", ["demo[]", "demo[a b]", "demo[a", "demo]a[", "[a]", "demo[-a]"])
def test_brackets_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_request(text)


def test_an_extra_brings_its_packages_and_the_plan_names_it(demo: Machine) -> None:
    plan = demo.installer().plan(entry("demo"), Wish(extras=("visual",)))
    done = demo.install("demo", Wish(extras=("visual",)))

    assert str(plan.commands[0]).endswith("'demo[visual]'")
    assert packages(done) == {"demo", "seeing"}


def test_an_extra_asked_for_later_is_added_to_what_is_there_and_stays(demo: Machine) -> None:
    demo.install("demo", Wish(version="1.0"))
    first = demo.install("demo", Wish(extras=("visual",)))
    second = demo.install("demo", Wish(extras=("audio",)))
    again = demo.installer().plan(entry("demo"), Wish(extras=("audio",)))
    repaired = demo.installer().repair(second, entry("demo"))

    assert (first.version, first.pinned) == ("1.0", True)  # a pin holds
    assert packages(second) == packages(repaired) == {"demo", "seeing", "hearing"}
    assert again.action is Action.PRESENT
    assert demo.installer().plan(entry("demo")).action is Action.PRESENT


def test_an_update_keeps_the_extras(demo: Machine) -> None:
    old = entry("demo", install={"strategy": "pip", "package": "demo", "version": "<2"})
    demo.installer().install(demo.installer().plan(old, Wish(extras=("visual",))))

    updated = demo.install("demo", Wish(update=True))

    assert updated.version == "2.0"
    assert packages(updated) == {"demo", "seeing"}


def test_what_is_no_python_package_has_no_extras(demo: Machine) -> None:
    node = entry("node", install={"strategy": "bundled", "detect": "sh"})

    with pytest.raises(UsageError, match="has no extras"):
        demo.installer().plan(node, Wish(extras=("visual",)))


def test_a_set_of_harnesses_keeps_the_extras(demo: Machine, tmp_path: Path) -> None:
    there = demo.install("demo", Wish(extras=("visual", "audio")))
    file = tmp_path / "set.json"
    file.write_text(json.dumps(sets.export([there])))

    [member] = sets.read(file)

    assert parse_request(member.request()) == Request("demo", "", ("audio", "visual"))
