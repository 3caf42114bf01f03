"""The error tree: one table of exit codes, one document for failures."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

import cli_hub.errors as tree
from cli_hub import schemas
from cli_hub.errors import HubError

README = Path(__file__).parents[1] / "README.md"


def every_error() -> list[type[HubError]]:
    found, waiting = [], [HubError]
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting.extend(kind.__subclasses__())
    return found


def codes_in(text: str) -> set[int]:
    return {int(code) for code in re.findall(r"^\|? *(\d+) ", text, re.MULTILINE)}


def test_every_error_uses_an_exit_code_of_the_table() -> None:
    table = codes_in(tree.__doc__ or "")

    assert {kind.exit_code for kind in every_error()} <= table


def test_the_readme_has_the_same_table() -> None:
    section = README.read_text(encoding="utf-8").split("## Exit codes", 1)[1].split("\n## ", 1)[0]

    assert codes_in(section) == codes_in(tree.__doc__ or "")


def test_codes_are_stable_words_that_no_two_unrelated_errors_share() -> None:
    owners: dict[str, type[HubError]] = {}
    for kind in every_error():
        if "code" in vars(kind):
            assert re.fullmatch(r"[a-z][a-z0-9_]*", kind.code)
            assert owners.setdefault(kind.code, kind) is kind


@pytest.mark.parametrize(
    "problem",
    [
        HubError("it failed"),
        tree.NotFound("no such entry", nearest=["ffmpeg"]),
        tree.ToolMissing("npm", wanted_by="sanity"),
        tree.CommandFailed("pip install x", exit_code=1, output="boom"),
        tree.BadDocument("registry.json", "is not JSON", where="line 3"),
    ],
)
def test_a_failure_is_one_document_of_the_published_shape(problem: HubError) -> None:
    jsonschema.validate(problem.as_document(), schemas.load("error"))


def test_names_that_come_close_become_the_next_step() -> None:
    assert tree.NotFound("no blendr", nearest=["blender"]).hint == "did you mean blender?"
