"""A project loses nothing: not by many writers, not by undo, not by damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest


def test_a_new_project_shows_its_frame_and_an_empty_timeline(harness) -> None:
    made = harness.ask("project", "new", "a.json", "--profile", "1080p-25")
    info = harness.ask("project", "info", "--project", "a.json")

    assert made["profile"] == {
        "width": 1920, "height": 1080, "fps": "25", "background": "#000000"
    }  # fmt: skip
    assert info["profile"] == made["profile"]
    assert info["timeline"]["frames"] == 0
    assert info["clips"] == info["texts"] == info["audio"] == info["filters"] == []


def test_a_project_is_not_replaced_unless_told(film) -> None:
    film.ask("clip", "add", "--color", "navy")

    assert film.refused("project", "new").exit_code == 4
    assert film.frames == 30
    film.ask("project", "new", "--overwrite")
    assert film.frames == 0


def test_every_profile_can_be_used(harness) -> None:
    profiles = harness.ask("project", "profiles")

    assert [each["name"] for each in profiles if each["default"]] == ["720p-30"]
    for each in profiles[::7]:
        made = harness.ask("project", "new", "p.json", "--profile", each["name"], "--overwrite")
        assert made["profile"]["width"] == each["width"]


def test_twenty_processes_that_add_clips_at_once_lose_none(film) -> None:
    calls = [
        film.harness.start("--project", film.path, "clip", "add", "--color", f"#{n:02x}8080")
        for n in range(20)
    ]

    assert [call.wait(120) for call in calls] == [0] * 20
    for call in calls:
        call.communicate()
    clips = film.ask("clip", "list")
    assert {clip["source"]["colors"][0] for clip in clips} == {f"#{n:02x}8080" for n in range(20)}
    assert len({clip["id"] for clip in clips}) == 20
    assert film.ask("session", "status")["undo_depth"] == 20


def test_undo_and_redo_walk_through_the_edits(film) -> None:
    film.ask("clip", "add", "--color", "navy")
    film.ask("text", "add", "Hello")
    film.ask("clip", "trim", "c1", "--duration", "1")
    film.ask("session", "undo")
    assert film.frames == 30
    film.ask("session", "undo", "--steps", "2")
    assert film.ask("clip", "list") == []

    film.ask("session", "redo", "--steps", "3")

    assert film.frames == 10
    assert [text["text"] for text in film.ask("text", "list")] == ["Hello"]
    assert film.refused("session", "redo").exit_code == 4


def test_an_edit_after_an_undo_forgets_what_could_be_redone(film) -> None:
    film.ask("clip", "add", "--color", "navy")
    film.ask("session", "undo")
    film.ask("clip", "add", "--color", "teal")

    assert film.refused("session", "redo").error["code"] == "conflict"
    status = film.ask("session", "status")
    assert (status["undo_depth"], status["redo_depth"]) == (1, 0)


def test_an_id_is_never_given_twice(film) -> None:
    film.ask("clip", "add", "--color", "navy")
    film.ask("clip", "remove", "c1")

    assert film.ask("clip", "add", "--color", "teal")["clip"]["id"] == "c2"


def test_the_history_tells_the_commands_as_they_were_typed(film) -> None:
    film.ask("text", "add", "it's; $HOME")
    film.ask("session", "undo")

    (entry,) = film.ask("session", "history")
    assert entry["undone"] is True
    assert entry["command"].endswith("""text add 'it'"'"'s; $HOME'""")


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b'{"format": "something else", "state": {}}'],
)
def test_a_damaged_project_is_told_and_left_as_it_is(film, content: bytes) -> None:
    film.path.write_bytes(content)

    assert film.refused("clip", "add", "--color", "navy").error["code"] == "bad_document"
    assert film.refused("project", "info").exit_code == 1
    assert film.path.read_bytes() == content


def test_overwriting_a_damaged_project_keeps_it_as_a_backup(film) -> None:
    film.path.write_bytes(b'{"half')

    film.ask("project", "new", "--overwrite")

    kept = [path.read_bytes() for path in film.path.parent.glob("film.json.*bak")]
    assert kept == [b'{"half']


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("speed", 0),
        ("speed", "fast"),
        ("in", -1),
        ("out", None),
        ("source", {"kind": "dream"}),
        ("source", {"kind": "color", "colors": ["red[x];movie=/etc/passwd"]}),
    ],
)
def test_a_field_that_was_mended_wrongly_by_hand_is_named(film, field: str, value: object) -> None:
    film.ask("clip", "add", "--color", "navy")
    document = json.loads(film.path.read_text())
    document["state"]["clips"][0][field] = value
    film.path.write_text(json.dumps(document))

    error = film.refused("clip", "list").error

    assert error["code"] == "bad_document"
    assert "clips[0]" in error["message"]


def test_a_project_that_does_not_exist_is_not_found(harness) -> None:
    assert harness.refused("--project", "none.json", "clip", "list").exit_code == 3


def test_a_project_must_be_named(harness) -> None:
    answer = harness.refused("clip", "list")

    assert answer.exit_code == 2
    assert "--project" in answer.error["hint"]


def test_media_below_the_project_moves_with_it(harness, footage: Path, tmp_path: Path) -> None:
    home = tmp_path / "here"
    home.mkdir()
    (home / "shot.mp4").write_bytes(footage.read_bytes())
    harness.ask("project", "new", "here/film.json")
    harness.ask("--project", "here/film.json", "clip", "add", "here/shot.mp4")

    home.rename(tmp_path / "there")

    info = harness.ask("--project", "there/film.json", "project", "info")
    assert info["clips"][0]["source"]["path"] == "shot.mp4"
    assert info["missing_media"] == []
