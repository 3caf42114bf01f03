"""``previews inspect``: what a preview shows, in one call."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import jsonschema
import pytest

from cli_hub import schemas
from tests.previews.conftest import Hub
from tests.previews.producer import Producer, write
from tests.support.requirements import require_corpus


def test_a_session_is_told_with_its_steps_and_its_newest_bundle(
    hub: Hub, producer: Producer
) -> None:
    answer = hub("previews", "inspect", producer.seven_steps(), "--json")

    report = answer.document
    jsonschema.validate(report, schemas.load("preview-report"))
    assert answer.code == 0
    assert (report["kind"], report["status"], report["step_count"]) == ("session", "active", 7)
    assert report["headline"] == "Poster as of b0005_quick"
    assert [step["status"] for step in report["steps"]][3:6] == ["partial", "ok", "error"]
    assert report["steps"][0]["duration_s"] == 3.9
    assert all(Path(step["bundle_path"]).is_dir() for step in report["steps"])
    assert report["problems"] == []


def test_a_bundle_is_told_with_paths_that_exist(hub: Hub, producer: Producer) -> None:
    report = hub("--json", "previews", "inspect", producer.bundle()).document

    jsonschema.validate(report, schemas.load("preview-report"))
    assert (report["kind"], report["status"]) == ("bundle", "ok")
    assert report["facts"] == {"layer_count": 2}
    assert report["artifacts"][0]["exists"]
    assert Path(report["artifacts"][0]["path"]).read_bytes().startswith(b"\x89PNG")


def test_the_same_preview_is_found_by_manifest_by_session_file_and_by_project(
    hub: Hub, producer: Producer
) -> None:
    session = producer.seven_steps()
    manifest = producer.folder("b0001_quick") / "manifest.json"

    assert hub("previews", "inspect", manifest, "--json").document["bundle_id"] == "b0001_quick"
    for reference in (session / "session.json", session / "trajectory.json", producer.project):
        assert hub("previews", "inspect", reference, "--json").document["kind"] == "session"


def test_the_text_names_status_and_attempt_of_every_step(hub: Hub, producer: Producer) -> None:
    producer.bundle()
    producer.publish("b0001_quick", step_id="render", status="error")
    producer.publish("b0001_quick", step_id="render", status="ok")

    answer = hub("previews", "inspect", producer.session)

    assert "✗ render  error" in answer.out
    assert "✓ render  ok, 3.9 s, attempt 2" in answer.out
    assert "showing 2 of 2" in answer.out


def test_limit_and_offset_page_backwards_and_step_takes_one(hub: Hub, producer: Producer) -> None:
    session = producer.seven_steps()

    def numbers(*options: str) -> list[int]:
        report = hub("previews", "inspect", session, "--json", *options).document
        assert report["step_count"] == 7
        return [step["number"] for step in report["steps"]]

    assert numbers("--limit", "2") == [6, 7]
    assert numbers("--limit", "3", "--offset", "2") == [3, 4, 5]
    assert numbers("--offset", "100") == []
    assert numbers("--step", "4") == [4]


def test_a_project_without_previews_is_not_found(hub: Hub, tmp_path: Path) -> None:
    answer = hub("previews", "inspect", tmp_path, "--json")

    assert answer.code == 3
    assert answer.document["error"]["code"] == "not_found"


@pytest.mark.parametrize("found", ["preview-bundle/v9", "allure/v2", "preview-bundle/v0"])
def test_an_unknown_major_protocol_is_refused_with_wanted_and_found(
    hub: Hub, producer: Producer, found: str
) -> None:
    answer = hub("previews", "inspect", producer.bundle(protocol_version=found), "--json")

    error = answer.document["error"]
    assert answer.code == 1
    assert error["code"] == "unknown_protocol"
    assert error["details"]["wanted"] == "preview-bundle/v1"
    assert error["details"]["found"] == found


def test_a_newer_minor_protocol_is_read_with_a_warning(hub: Hub, producer: Producer) -> None:
    folder = producer.bundle(protocol_version="preview-bundle/v1.4")

    answer = hub("previews", "inspect", folder, "--json")

    assert answer.code == 0
    assert [p["code"] for p in answer.document["problems"]] == ["newer_protocol"]


def test_a_session_moved_elsewhere_finds_its_bundles_by_id(
    hub: Hub, producer: Producer, tmp_path: Path
) -> None:
    producer.seven_steps()
    shutil.move(producer.project, tmp_path / "elsewhere")

    report = hub("previews", "inspect", tmp_path / "elsewhere", "--json").document

    assert report["problems"] == []
    assert all(str(tmp_path / "elsewhere") in step["bundle_path"] for step in report["steps"])


@pytest.mark.parametrize("software", ["blender", "shotcut"])
def test_real_sessions_are_read_where_they_lie_and_moved(
    hub: Hub, tmp_path: Path, software: str
) -> None:
    real = require_corpus() / "bundles" / software
    moved = tmp_path / "moved"
    shutil.copytree(real, moved)

    here = hub("previews", "inspect", real, "--json").document
    there = hub("previews", "inspect", moved, "--json").document

    jsonschema.validate(here, schemas.load("preview-report"))
    assert here["problems"] == there["problems"] == []
    assert here["step_count"] == there["step_count"] == 7
    assert here["headline"].lower().startswith(software)
    assert all(Path(artifact["path"]).is_file() for artifact in there["artifacts"])


OLDER = {
    "commands": {"id": "s1", "cmd": ["layer", "add", "my layer"], "finished_at": "2026-01-01"},
    "events": {"event_id": "s1", "argv": ["layer", "add", "my layer"]},
    "publishes": {"step_id": "s1", "command_line": "layer add 'my layer'"},
    "entries": {"step_id": "s1", "command": {"argv": ["layer", "add", "my layer"]}},
}


@pytest.mark.parametrize("name", OLDER)
def test_older_shapes_of_the_history_are_read_alike(
    hub: Hub, producer: Producer, name: str
) -> None:
    producer.bundle()
    producer.publish("b0001_quick")
    (producer.session / "trajectory.json").unlink()
    row = OLDER[name] | {"bundle_id": "b0001_quick"}
    write(producer.session / "timeline.json", {"software": "painter", name: [row]})

    report = hub("previews", "inspect", producer.session, "--json").document

    assert report["step_count"] == 1
    assert report["steps"][0]["step_id"] == "s1"
    assert report["steps"][0]["command"] == "layer add 'my layer'"


def test_a_session_without_trajectory_falls_back_on_its_own_history(
    hub: Hub, producer: Producer
) -> None:
    producer.seven_steps()
    (producer.session / "trajectory.json").unlink()
    producer.write_session(history=list(reversed(producer.steps)), trajectory_path=None)
    (producer.session / "trajectory.json").unlink()

    report = hub("previews", "inspect", producer.session, "--json").document

    assert [step["step_id"] for step in report["steps"]] == [s["step_id"] for s in producer.steps]


def test_output_is_one_valid_json_document_even_for_numbers_json_does_not_have(
    hub: Hub, producer: Producer
) -> None:
    folder = producer.bundle()
    text = (folder / "summary.json").read_text(encoding="utf-8")
    (folder / "summary.json").write_text(
        text.replace('"layer_count": 2', '"a": NaN, "b": 1e999, "c": "\\ud800"'), encoding="utf-8"
    )

    answer = hub("previews", "inspect", folder, "--json")

    def refuse(word: str) -> None:
        raise AssertionError(word)

    facts = json.loads(answer.out, parse_constant=refuse)["facts"]
    assert facts == {"a": None, "b": None, "c": "?"}
