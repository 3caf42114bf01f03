"""Every harness answers alike: one document, global options anywhere, failures with a next step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from cli_anything.kit.cli import HarnessGroup, emit, facts, json_option, printable, run_main, table
from cli_anything.kit.errors import NotFound


@click.group(cls=HarnessGroup)
@click.option("--project")
@json_option
@click.pass_context
def demo(ctx: click.Context, project: str | None) -> None:
    ctx.obj = project


@demo.command()
@click.argument("words", nargs=-1)
@click.option("--size")
@click.pass_context
def show(ctx: click.Context, words: tuple[str, ...], size: str | None) -> None:
    document = {"project": ctx.obj, "words": list(words), "size": size}
    emit(ctx, document, lambda: facts(document))


@demo.command()
def lose() -> None:
    raise NotFound("no clip 'c9'", nearest=["c1"])


def run(*line: str) -> int:
    return run_main(demo, "demo", line)


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    "line",
    [
        ("--json", "--project", "p", "show", "a"),
        ("show", "a", "--project", "p", "--json"),
        ("show", "--json", "a", "--project=p"),
    ],
)
def test_global_options_may_stand_anywhere(
    line: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*line) == 0
    assert document(capsys) == {"project": "p", "words": ["a"], "size": None}


def test_after_two_dashes_everything_is_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "show", "--", "--project", "x", "--json") == 0
    assert document(capsys)["words"] == ["--project", "x", "--json"]


def test_people_get_text_and_programs_get_json(capsys: pytest.CaptureFixture[str]) -> None:
    run("show", "a", "--project", "p")

    assert capsys.readouterr().out.splitlines()[0] == "project:  p"


@pytest.mark.parametrize(
    ("line", "code", "name"),
    [
        (("lose", "--json"), 3, "not_found"),
        (("--json", "no-such"), 2, "usage"),
        (("show", "--json", "--bad"), 2, "usage"),
        (("--json", "show", "--project"), 2, "usage"),
    ],
)
def test_a_failure_is_one_document_and_its_own_exit_code(
    line: tuple[str, ...], code: int, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*line) == code

    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["code"] == name
    assert said.err.startswith("error: ")


def test_a_failure_without_json_leaves_standard_output_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("lose")

    said = capsys.readouterr()
    assert said.out == ""
    assert "next: did you mean c1?" in said.err


def answer_into(place: int, *line: str) -> subprocess.CompletedProcess[str]:
    """How the demo ends when its standard output is *place*."""
    return subprocess.run(
        [sys.executable, __file__, *line], stdout=place, stderr=subprocess.PIPE, text=True,
        timeout=30, check=False,
    )  # fmt: skip


def test_a_reader_that_has_seen_enough_causes_no_complaint() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = answer_into(writer, "show", "a")
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize(("line", "code"), [("show --json", 1), ("show", 1), ("lose --json", 3)])
def test_an_answer_that_finds_no_room_is_a_failure_that_says_so(line: str, code: int) -> None:
    with Path("/dev/full").open("w") as full:
        done = answer_into(full.fileno(), *line.split())

    assert done.returncode == code
    assert "the answer cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert ("no clip 'c9'" in done.stderr) == (code == 3)


def test_tables_are_aligned_and_text_cannot_steer_the_terminal() -> None:
    assert table([("a", 1), ("bbb", 22)], headers=("ID", "N")) == "ID   N\na    1\nbbb  22"
    assert printable("\x1b[31mred") == "\\u001b[31mred"


if __name__ == "__main__":
    raise SystemExit(run_main(demo, "demo"))
