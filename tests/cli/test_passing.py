"""Which words of a command line are the hub's, and which the harness's."""

from __future__ import annotations

import pytest

from cli_hub.cli.passing import RunLine, own_words, split_run
from cli_hub.errors import UsageError


@pytest.mark.parametrize(
    ("line", "own"),
    [
        ("launch x --json", "launch x"),
        ("launch --json x y", "launch --json x"),
        ("--json launch x y", "--json launch x"),
        ("run x --json a --json", "run x --json"),
        ("run --timeout 5 x a --json", "run --timeout 5 x"),
        ("run x -- --json", "run x"),
        ("run x --timeout=5 --version --json", "run x --timeout=5"),
        ("install x --json", "install x --json"),
        ("macro run x -- --json", "macro run x"),
        ("launch", "launch"),
        ("", ""),
    ],
)
def test_what_follows_the_harness_is_its_own(line: str, own: str) -> None:
    assert own_words(line.split()) == own.split()


@pytest.mark.parametrize(
    ("line", "parsed"),
    [
        ("x", RunLine("x")),
        ("x a b", RunLine("x", ("a", "b"))),
        ("x --timeout 5 a --timeout 6", RunLine("x", ("a", "--timeout", "6"), 5.0)),
        ("--timeout=0.5 --json x --", RunLine("x", (), 0.5, json=True)),
        ("x -- --json --", RunLine("x", ("--json", "--"))),
        ("x --version", RunLine("x", ("--version",))),
    ],
)
def test_options_are_the_hubs_up_to_the_first_argument(line: str, parsed: RunLine) -> None:
    assert split_run(line.split()) == parsed


@pytest.mark.parametrize(
    "line", ["", "--timeout", "--timeout x y", "--timeout -1 x", "--what x", "--timeout nan x"]
)
def test_a_wrong_line_is_a_usage_error(line: str) -> None:
    with pytest.raises(UsageError):
        split_run(line.split())
