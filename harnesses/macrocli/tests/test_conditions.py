"""Conditions say what was seen, and never hold by accident."""

from __future__ import annotations

import os
import socket
import time

import psutil
import pytest
from PIL import Image

from harnesses.macrocli.tests.program import Outcome, Program


def check(program: Program, condition: str) -> Outcome:
    """Run a macro that only has *condition*, as its postcondition."""
    return program.run(
        "name: m\nsteps:\n  - {action: run_command, params: {command: ['true']}}\n"
        f"postconditions:\n  - {condition}\n"
    )


def holds(program: Program, condition: str) -> bool:
    outcome = check(program, condition)
    assert outcome.exit_code in (0, 1), outcome.out
    return bool(outcome.document["success"])


def test_a_folder_is_not_a_file_and_a_file_not_a_folder(program: Program) -> None:
    program.file("f", "x")

    assert holds(program, "file_exists: f")
    assert holds(program, "dir_exists: .")
    assert not holds(program, "file_exists: .")
    assert not holds(program, "dir_exists: f")


def test_a_tilde_is_expanded(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(program.folder))
    program.file("f", "x")

    assert holds(program, "file_exists: ~/f")


def test_a_file_left_by_an_earlier_run_is_not_newer_than_the_start(program: Program) -> None:
    path = program.file("f", "x")
    os.utime(path, (time.time() - 60, time.time() - 60))

    outcome = check(program, "file_newer_than_start: f")

    assert outcome.exit_code == 1
    assert "older than this run" in outcome.error["message"]
    assert outcome.error["code"] == "postcondition_failed"


def test_the_size_must_be_greater(program: Program) -> None:
    program.file("f", "12345")

    assert holds(program, "file_size_gt: [f, 4]")
    assert not holds(program, "file_size_gt: {path: f, bytes: 5}")


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n....", "png"),
        (b"%PDF-1.7", "pdf"),
        (b'{"a": 1}', "json"),
        (b"<?xml version='1.0'?><svg/>", "svg"),
        (b"plain words", "text"),
        (b"", "empty"),
    ],
)
def test_the_type_is_told_by_content(program: Program, content: bytes, kind: str) -> None:
    (program.folder / "f.jpeg").write_bytes(content)

    assert holds(program, f"file_type: [f.jpeg, {kind}]")
    assert not holds(program, "file_type: [f.jpeg, jpeg]")


def test_a_text_is_found_across_the_pieces_a_file_is_read_in(program: Program) -> None:
    (program.folder / "f").write_bytes(b"a" * 999_998 + b"needle" + b"b" * 10)

    assert holds(program, "file_contains: [f, needle]")
    assert not holds(program, "file_contains: [f, needles]")


def test_a_json_value_is_compared_with_its_type(program: Program) -> None:
    program.file("f.json", '{"a": {"b": [1, true]}}')

    assert holds(program, "json_path: [f.json, a.b.0, 1]")
    assert holds(program, "json_path: [f.json, a.b.1]")
    assert not holds(program, "json_path: [f.json, a.b.1, 1]")
    assert not holds(program, "json_path: [f.json, a.c]")


def test_a_picture_of_one_colour_is_blank(program: Program) -> None:
    picture = Image.new("RGB", (8, 8), "white")
    picture.save(program.folder / "blank.png")
    picture.putpixel((3, 3), (0, 0, 0))
    picture.save(program.folder / "drawn.png")

    assert holds(program, "image_not_blank: drawn.png")
    assert not holds(program, "image_not_blank: blank.png")


def test_an_open_port_is_one_that_accepts(program: Program) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert holds(program, f"port_open: {port}")
    assert not holds(program, f"port_open: {port}")


def test_a_process_is_known_by_its_program(program: Program) -> None:
    assert holds(program, f"process_running: {psutil.Process().name()}")
    assert not holds(program, "process_running: no-such-program-runs")


def test_an_environment_variable_may_be_compared_but_is_never_shown(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOKEN_X", "topsecret")

    assert holds(program, "env_var: TOKEN_X")
    assert not holds(program, "env_var: TOKEN_Y")
    outcome = check(program, "env_var: [TOKEN_X, other]")
    assert outcome.exit_code == 1
    assert "topsecret" not in outcome.out


def test_conditions_combine(program: Program) -> None:
    assert holds(program, "not: {file_exists: nope}")
    assert holds(program, "any: [{file_exists: nope}, {always: true}]")
    assert not holds(program, "all: [{file_exists: nope}, {always: true}]")
    assert holds(program, "not: {any: [{always: false}, {file_exists: nope}]}")


def test_a_window_cannot_exist_without_a_display(program: Program) -> None:
    outcome = check(program, "window_exists: anything")

    assert outcome.exit_code == 1
    assert "no display" in outcome.error["message"]


def test_an_unmet_precondition_does_nothing_at_all(program: Program) -> None:
    outcome = program.run(
        "name: m\npreconditions:\n  - file_exists: nope\nsteps:\n"
        "  - {action: run_command, params: {command: [touch, done]}}\n"
    )

    assert outcome.exit_code == 1
    assert outcome.error["code"] == "precondition_failed"
    assert not (program.folder / "done").exists()
