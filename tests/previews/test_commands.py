"""validate, list, diff, export and the report for agents."""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.previews.agent import tokens
from tests.previews.conftest import Hub
from tests.previews.producer import Producer, artifact, png, write
from tests.support.requirements import require_corpus


def test_a_whole_session_is_valid(hub: Hub, producer: Producer) -> None:
    answer = hub("previews", "validate", producer.seven_steps(), "--json")

    jsonschema.validate(answer.document, schemas.load("preview-verdict"))
    assert answer.code == 0
    assert answer.document["valid"] is True
    assert (answer.document["steps"], answer.document["bundles"]) == (7, 6)
    assert answer.document["problems"] == []


@pytest.mark.parametrize(
    ("manifest", "code"),
    [
        ({"status": "splendid"}, "bad_field"),
        ({"bundle_kind": "film"}, "bad_field"),
        ({"bundle_id": "another"}, "bad_field"),
        ({"artifacts": [artifact("gone.png", b"")]}, "missing_artifact"),
        (
            {"artifacts": [artifact("hero.png", png()), artifact("hero.png", png())]},
            "duplicate_artifact",
        ),
        ({"artifacts": [artifact("hero.png", png()) | {"media_type": "image/jpeg"}]}, "bad_field"),
        ({"artifacts": [artifact("hero.png", png()) | {"path": "../x"}]}, "outside_bundle"),
        ({"summary_path": "nothing.json"}, "missing_file"),
        ({"protocol_version": "preview-bundle/v3"}, "unknown_protocol"),
    ],
)
def test_what_is_wrong_in_one_bundle_makes_the_session_invalid(
    hub: Hub, producer: Producer, manifest: dict[str, Any], code: str
) -> None:
    producer.seven_steps()
    producer.bundle("b0003_quick", **manifest)

    answer = hub("previews", "validate", producer.session, "--json")

    assert answer.code == 1
    assert answer.document["valid"] is False
    assert code in {problem["code"] for problem in answer.document["problems"]}
    assert all("b0003_quick" in problem["where"] for problem in answer.document["problems"])


def test_a_missing_required_field_is_told_once(hub: Hub, producer: Producer) -> None:
    folder = producer.bundle()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    del manifest["recipe"]
    write(folder / "manifest.json", manifest)

    answer = hub("previews", "validate", folder, "--json")

    assert answer.code == 1
    assert [problem["code"] for problem in answer.document["problems"]] == ["missing_field"]


def test_warnings_alone_are_valid(hub: Hub, producer: Producer) -> None:
    folder = producer.bundle(protocol_version="preview-bundle/v1.2")

    answer = hub("previews", "validate", folder, "--json")

    assert (answer.code, answer.document["valid"]) == (0, True)
    assert answer.document["problems"][0]["severity"] == "warning"


def test_previews_are_listed_newest_first_with_paging(hub: Hub, producer: Producer) -> None:
    producer.seven_steps()
    producer.bundle("b0099_quick", created_at="2027-01-01T00:00:00Z")

    rows = hub("previews", "list", producer.project, "--json").document

    jsonschema.validate(rows, schemas.load("preview-list"))
    assert [rows[0]["name"], rows[1]["name"]] == ["b0099_quick", "poster.paint"]
    assert (rows[1]["kind"], rows[1]["step_count"]) == ("session", 7)
    assert len(rows) == 8
    page = hub("previews", "list", producer.project, "--limit", "2", "--offset", "1", "--json")
    assert page.document == rows[1:3]
    assert "showing 2 of 8" in hub("previews", "list", producer.project, "--limit", "2").out


def test_a_draft_that_is_being_published_is_not_listed(hub: Hub, producer: Producer) -> None:
    shutil.copytree(producer.bundle(), producer.folder(".publishing-x1"))

    assert len(hub("previews", "list", producer.project, "--json").document) == 1
    producer.publish("b0001_quick")
    report = hub("previews", "inspect", producer.session, "--json").document
    assert report["problems"] == []


def test_diff_measures_changed_pixels_and_draws_them(
    hub: Hub, producer: Producer, tmp_path: Path
) -> None:
    from PIL import Image

    old = producer.bundle("b0001_quick", files={"hero.png": png(), "gone.png": png()})
    new = producer.bundle(
        "b0002_quick",
        files={"hero.png": png(square=(255, 0, 0)), "new.png": png()},
        summary={"facts": {"layer_count": 5, "extra": "x"}},
        metrics={"object_count": 4},
    )

    answer = hub("previews", "diff", old, new, "-o", tmp_path / "out", "--json")

    found = answer.document
    jsonschema.validate(found, schemas.load("preview-difference"))
    assert answer.code == 0
    assert not found["same"]
    assert [a["artifact_id"] for a in found["artifacts"]["added"]] == ["new"]
    assert [a["artifact_id"] for a in found["artifacts"]["removed"]] == ["gone"]
    image = found["artifacts"]["changed"][0]["image"]
    assert (image["changed_pixels"], image["total_pixels"]) == (100, 64 * 36)
    assert image["changed_share"] == pytest.approx(100 / (64 * 36), abs=1e-6)
    assert image["bbox"] == [5, 5, 15, 15]
    with Image.open(image["difference_path"]) as picture:
        assert picture.size == (64, 36)
        red, green, _ = picture.convert("RGB").getpixel((6, 6))
        assert red > 200 > green
    assert {"name": "layer_count", "old": 2, "new": 5} in found["facts"]
    assert {"name": "extra", "old": None, "new": "x"} in found["facts"]
    assert found["metrics"] == [{"name": "object_count", "old": 3, "new": 4}]


def test_diff_between_two_steps_of_a_session(hub: Hub, producer: Producer) -> None:
    session = producer.seven_steps()

    found = hub("previews", "diff", session, "--from", "2", "--to", "4", "--json").document

    assert found["before"]["bundle_id"] == "b0002_quick"
    assert found["after"]["bundle_id"] == "b0004_quick"
    assert found["artifacts"]["changed"][0]["image"]["changed_share"] == 1.0
    assert hub("previews", "diff", session, "--from", "5", "--to", "7", "--json").document["same"]


@pytest.mark.parametrize("line", [["--from", "2"], [], ["--from", "2", "--to", "900"]])
def test_diff_says_what_it_needs(hub: Hub, producer: Producer, line: list[str]) -> None:
    answer = hub("previews", "diff", producer.seven_steps(), *line, "--json")

    assert answer.code in {2, 3}
    assert answer.document["error"]["hint"]


def test_pictures_of_different_size_and_damaged_ones_are_compared_honestly(
    hub: Hub, producer: Producer
) -> None:
    old = producer.bundle("b0001_quick", files={"hero.png": png(), "side.png": png()})
    new = producer.bundle("b0002_quick", files={"hero.png": png(width=80), "side.png": b"\x89PNG"})

    changed = hub("previews", "diff", old, new, "--json").document["artifacts"]["changed"]

    assert changed[0]["image"]["size_before"] == [64, 36]
    assert changed[0]["image"]["size_after"] == [80, 36]
    assert changed[0]["image"]["bbox"] == [64, 0, 80, 36]
    assert changed[1]["image"] is None
    assert "side.png" in changed[1]["remark"]


def test_an_export_holds_relative_paths_only_and_is_valid_elsewhere(
    hub: Hub, producer: Producer, tmp_path: Path
) -> None:
    producer.seven_steps()
    producer.write_session(
        project_path="/home/someone/work/poster.paint",
        watch_command="cli-hub previews watch /home/someone/work/x",
        latest_command="painter --project /home/someone/work/poster.paint push",
    )
    target = tmp_path / "out" / "poster.zip"

    answer = hub("previews", "export", producer.session, "-o", target, "--json")
    again = tmp_path / "again.zip"
    hub("previews", "export", producer.session, "-o", again)
    producer.project.rename(tmp_path / "gone")
    with zipfile.ZipFile(target) as archive:
        archive.extractall(tmp_path / "unpacked")
        text = "\n".join(
            archive.read(name).decode() for name in archive.namelist() if name.endswith(".json")
        )

    jsonschema.validate(answer.document, schemas.load("preview-export"))
    assert answer.code == 0
    assert again.read_bytes() == target.read_bytes()
    assert not re.search(r'"(/|[A-Z]:\\)|/home/|/somewhere/', text)
    assert hub("previews", "validate", tmp_path / "unpacked", "--json").document["valid"]
    report = hub("previews", "inspect", tmp_path / "unpacked", "--json").document
    assert report["step_count"] == 7
    assert all(step["bundle_path"] for step in report["steps"])
    assert (tmp_path / "unpacked" / "preview.html").is_file()


@pytest.mark.parametrize("software", ["blender", "shotcut"])
def test_real_sessions_are_valid_and_export_valid(hub: Hub, tmp_path: Path, software: str) -> None:
    real = require_corpus() / "bundles" / software

    assert hub("previews", "validate", real, "--json").document["problems"] == []
    exported = hub("previews", "export", real, "-o", tmp_path / "x.zip", "--json")
    assert exported.document["problems"] == []
    brief = hub("previews", "inspect", real, "--for", "agent", "--json").document
    assert "changed since step" in brief["text"]


@pytest.mark.parametrize("budget", [40, 60, 150, 400, 4000])
def test_the_report_for_an_agent_keeps_its_budget_and_the_best_first(
    hub: Hub, producer: Producer, budget: int
) -> None:
    producer.seven_steps()
    producer.bundle(
        "b0008_quick",
        files={"hero.png": png(square=(250, 0, 0))},
        summary={"warnings": ["a camera was added"], "facts": {"layer_count": 9}},
    )
    producer.publish("b0008_quick", status="partial")

    answer = hub("previews", "inspect", producer.session, "--for", "agent", "--budget", str(budget))
    brief = hub(
        "previews", "inspect", producer.session, "--for", "agent", "--budget", str(budget), "--json"
    ).document

    jsonschema.validate(brief, schemas.load("preview-brief"))
    assert tokens(answer.out.rstrip("\n")) <= budget
    assert answer.out.startswith("session poster")
    if budget >= 400:
        order = [
            answer.out.index(text)
            for text in (
                "Poster as of b0008_quick",
                "a camera was added",
                "layer_count 5→9",
                "hero.png",
            )
        ]
        assert order == sorted(order)
        assert "hero" in answer.out
        assert str(producer.folder("b0008_quick") / "artifacts" / "hero.png") in answer.out
    if budget == 4000:
        assert brief["left_out"] == 0
        assert "of pixels in" in answer.out
        assert "#" in answer.out  # colours


def test_a_budget_is_kept_by_the_json_document_as_a_whole(hub: Hub, producer: Producer) -> None:
    answer = hub(
        "previews", "inspect", producer.seven_steps(), "--for", "agent", "--budget", "200", "--json"
    )

    assert tokens(answer.out) <= 200
