"""Damaged, half-written and hostile previews: every fault is told, nothing crashes."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import pytest

from tests.previews.conftest import Answer, Hub
from tests.previews.producer import Producer, artifact, png, write


def codes(answer: Answer) -> set[str]:
    return {problem["code"] for problem in answer.document["problems"]}


@pytest.mark.parametrize(
    "content", [b"", b"{", b'{"protocol_version": "preview-bun', b"[]", b"\xff"]
)
def test_a_damaged_manifest_is_a_problem_and_exit_code_one(
    hub: Hub, producer: Producer, content: bytes
) -> None:
    folder = producer.bundle()
    (folder / "manifest.json").write_bytes(content)

    answer = hub("previews", "inspect", folder, "--json")

    assert answer.code == 1
    assert codes(answer) & {"bad_json", "bad_field", "being_written"}
    assert answer.document["kind"] == "bundle"


@pytest.mark.parametrize(
    "fields",
    [
        {"artifacts": None},
        {"artifacts": [{"artifact_id": "a", "role": None, "path": "artifacts/hero.png"}]},
        {"artifacts": [artifact("hero.png", b"") | {"bytes": "abc"}]},
        {"artifacts": ["hero.png"]},
        {"status": "splendid"},
        {"metrics": []},
    ],
)
def test_a_wrong_field_is_reported_and_the_rest_is_shown(
    hub: Hub, producer: Producer, fields: dict[str, Any]
) -> None:
    answer = hub("previews", "inspect", producer.bundle(**fields), "--json")

    assert answer.code == 1
    assert "bad_field" in codes(answer)
    assert answer.document["headline"] == "Poster as of b0001_quick"


def test_a_byte_order_mark_is_no_damage(hub: Hub, producer: Producer) -> None:
    folder = producer.bundle()
    manifest = folder / "manifest.json"
    manifest.write_bytes(b"\xef\xbb\xbf" + manifest.read_bytes())

    answer = hub("previews", "inspect", folder, "--json")

    assert (answer.code, answer.document["problems"]) == (0, [])


def test_missing_artifacts_and_wrong_sizes_are_problems(hub: Hub, producer: Producer) -> None:
    rows = [artifact("hero.png", png()) | {"bytes": 10**10}, artifact("gone.png", b"")]

    answer = hub("previews", "inspect", producer.bundle(artifacts=rows), "--json")

    assert codes(answer) == {"size_mismatch", "missing_artifact"}
    assert [a["exists"] for a in answer.document["artifacts"]] == [True, False]


OUTSIDE = [
    "../../secret.txt",
    "/etc/hostname",
    "artifacts/../../../secret.txt",
    "C:\\x.png",
    "\\\\host\\x",
    "a\0b",
    "artifacts/link.png",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_an_artifact_outside_the_bundle_is_refused(hub: Hub, producer: Producer, path: str) -> None:
    secret = producer.root / "secret.txt"
    folder = producer.bundle(artifacts=[artifact("hero.png", b"") | {"path": path}])
    secret.write_text("SECRET", encoding="utf-8")
    (folder / "artifacts" / "link.png").symlink_to(secret)

    answer = hub("previews", "inspect", folder, "--json")

    assert "outside_bundle" in codes(answer)
    assert answer.document["artifacts"][0]["exists"] is False


def test_no_document_is_read_from_outside(hub: Hub, producer: Producer, tmp_path: Path) -> None:
    secret = tmp_path / "secret.json"
    write(secret, {"headline": "SECRET", "steps": [{"step_id": "SECRET", "bundle_id": "x"}]})
    producer.bundle(summary_path="../../../../../../secret.json")
    linked = producer.bundle("b0002_quick")
    (linked / "summary.json").unlink()
    (linked / "summary.json").symlink_to(secret)
    producer.publish("b0001_quick")
    producer.write_session(trajectory_path=str(secret))

    for reference in (producer.folder("b0001_quick"), linked, producer.session):
        answer = hub("previews", "inspect", reference, "--json")
        assert "outside_bundle" in codes(answer)
        assert "SECRET" not in answer.out.replace("secret.json", "")


def test_a_session_never_leads_into_a_foreign_folder(
    hub: Hub, producer: Producer, tmp_path: Path
) -> None:
    foreign = Producer(tmp_path / "foreign").bundle("b0009_quick")
    foreign.rename(tmp_path / "b0009_quick")
    producer.publish("b0009_quick", bundle_dir=str(tmp_path / "b0009_quick"))
    producer.publish("../../b0009_quick", bundle_dir=str(tmp_path / "b0009_quick"))

    answer = hub("previews", "inspect", producer.session, "--json")

    assert "step_without_bundle" in codes(answer)
    assert all(step["bundle_path"] is None for step in answer.document["steps"])


def test_nesting_without_end_is_told(hub: Hub, producer: Producer) -> None:
    folder = producer.bundle()
    (folder / "summary.json").write_text('{"facts":' * 5000 + "1" + "}" * 5000, encoding="utf-8")

    answer = hub("previews", "inspect", folder, "--json")

    assert answer.code == 1
    assert "nested too deep" in answer.document["problems"][0]["message"]


def test_a_cut_trajectory_shows_the_steps_before_the_cut(hub: Hub, producer: Producer) -> None:
    producer.seven_steps()
    path = producer.session / "trajectory.json"
    text = path.read_bytes()
    path.write_bytes(text[: text.index(b"step-0005")])

    answer = hub("previews", "inspect", producer.session, "--json")

    assert answer.code == 1
    assert "bad_json" in codes(answer)
    assert [step["number"] for step in answer.document["steps"]] == [1, 2, 3, 4]


def test_a_step_without_bundle_and_an_orphan_folder_are_problems(
    hub: Hub, producer: Producer
) -> None:
    producer.bundle()
    producer.publish("b0001_quick")
    producer.publish("never-published")
    (producer.folder("b0003_quick") / "artifacts").mkdir(parents=True)

    answer = hub("previews", "inspect", producer.session, "--json")

    assert codes(answer) == {"step_without_bundle", "orphan_folder"}


def test_one_bad_bundle_never_hides_the_session(hub: Hub, producer: Producer) -> None:
    producer.seven_steps()
    producer.bundle("b0005_quick", protocol_version="preview-bundle/v7")

    answer = hub("previews", "inspect", producer.session, "--json")

    assert "unknown_protocol" in codes(answer)
    assert answer.document["step_count"] == 7


@pytest.mark.slow
def test_reading_while_a_producer_writes_gives_the_old_or_the_new_state(
    hub: Hub, producer: Producer
) -> None:
    producer.bundle()
    for _ in range(40):
        producer.publish("b0001_quick")
    documents = {}
    for status in ("active", "stopped"):
        documents[status] = producer.write_session(status=status) / "session.json"
        documents[status] = documents[status].read_bytes()
    done = threading.Event()

    def rewrite_in_place() -> None:
        # As careless producers do: the file is empty, then half there, then whole.
        turn = 0
        while not done.is_set():
            content = documents[("active", "stopped")[turn % 2]]
            with (producer.session / "session.json").open("wb") as stream:
                stream.write(content[:300])
                stream.flush()
                os.fsync(stream.fileno())
                stream.write(content[300:])
            done.wait(0.01)
            turn += 1

    writer = threading.Thread(target=rewrite_in_place)
    writer.start()
    try:
        answers = [hub("previews", "inspect", producer.session, "--json") for _ in range(30)]
    finally:
        done.set()
        writer.join()

    assert {answer.code for answer in answers} == {0}
    assert {answer.document["status"] for answer in answers} <= {"active", "stopped"}
    assert {answer.document["step_count"] for answer in answers} == {40}
