"""Bundles are whole or absent, sessions only grow, and both can be moved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli_anything.kit.errors import Conflict, NotFound, VerificationFailed
from cli_anything.kit.live import HISTORY_LIMIT, LiveSession
from cli_anything.kit.preview import ArtifactFile, Capture, Published, Publisher, fingerprint_of

HERO = ArtifactFile("hero", "hero", "image", "image/png", "hero.png", "Hero", {"width": 4})


@pytest.fixture
def publisher(tmp_path: Path) -> Publisher:
    return Publisher(
        software="demo",
        project=tmp_path / "film.json",
        entry_point="cli-anything-demo",
        harness_version="1.0",
    )


def render(folder: Path) -> Capture:
    (folder / "hero.png").write_bytes(b"picture")
    return Capture("ok", "One clip", (HERO,), facts={"clips": 1}, next_actions=("Look.",))


def capture(publisher: Publisher, state: Any = 1, **options: Any) -> Published:
    return publisher.capture("quick", fingerprint_of(state), "demo preview", render, **options)


def read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def publish(session: LiveSession, published: Published | None, **options: Any) -> str:
    return session.publish(
        published, command="demo", started_at="t0", finished_at="t1", reason="test", **options
    )


def test_a_bundle_says_what_it_shows_and_where_it_came_from(publisher: Publisher) -> None:
    published = capture(publisher)

    manifest = read(published.manifest_path)
    assert manifest["protocol_version"] == "preview-bundle/v1"
    assert manifest["bundle_id"] == published.bundle_dir.name
    assert manifest["generator"]["command"] == "demo preview"
    assert manifest["source"]["project_path"] == "film.json"
    assert manifest["artifacts"] == [
        {
            "artifact_id": "hero",
            "role": "hero",
            "kind": "image",
            "label": "Hero",
            "media_type": "image/png",
            "path": "artifacts/hero.png",
            "bytes": 7,
            "width": 4,
        }
    ]
    assert read(published.summary_path)["headline"] == "One clip"


def test_the_same_source_is_not_rendered_twice(publisher: Publisher) -> None:
    first, again = capture(publisher), capture(publisher)

    assert (first.cached, again.cached) == (False, True)
    assert again.bundle_dir == first.bundle_dir
    assert capture(publisher, force=True).bundle_dir != first.bundle_dir
    assert capture(publisher, state=2).bundle_dir != first.bundle_dir


def test_a_failed_capture_is_kept_but_never_answers_for_a_later_one(publisher: Publisher) -> None:
    def broken(folder: Path) -> Capture:
        return Capture("error", "Nothing rendered", ())

    failed = publisher.capture("quick", fingerprint_of(1), "demo preview", broken)

    assert read(failed.manifest_path)["status"] == "error"
    assert not capture(publisher).cached


@pytest.mark.parametrize("path", ["missing.png", "../outside.png", "/etc/hostname"])
def test_a_bundle_never_lists_what_it_does_not_hold(publisher: Publisher, path: str) -> None:
    def careless(folder: Path) -> Capture:
        (folder.parent.parent / "outside.png").write_bytes(b"x")
        return Capture("ok", "", (ArtifactFile("a", "hero", "image", "image/png", path, "A"),))

    with pytest.raises(VerificationFailed):
        publisher.capture("quick", fingerprint_of(1), "demo", careless)

    assert [each for each in (publisher.root / "quick").iterdir() if each.is_dir()] == []


def test_the_newest_bundle_is_the_latest(publisher: Publisher) -> None:
    assert publisher.latest("quick") is None
    capture(publisher, state=1)
    second = capture(publisher, state=2)

    found = publisher.latest("quick")
    assert found is not None
    assert found.bundle_id == second.bundle_id


def test_a_session_grows_step_by_step_and_then_stops(publisher: Publisher) -> None:
    session = LiveSession.open(publisher, "quick", "film")
    first = publish(session, capture(publisher, state=1))
    publish(session, None, note="the export failed")
    publish(session, capture(publisher, state=2))
    session.stop()

    head, history = read(session.folder / "session.json"), read(session.folder / "trajectory.json")
    assert first == "step-0001"
    assert [step["status"] for step in history["steps"]] == ["ok", "error", "ok"]
    assert head["status"] == "stopped"
    assert head["trajectory_step_count"] == history["step_count"] == 3
    with pytest.raises(Conflict, match="stopped"):
        publish(session, None)


def test_a_moved_session_still_finds_its_bundles(publisher: Publisher, tmp_path: Path) -> None:
    session = LiveSession.open(publisher, "quick", "film")
    publish(session, capture(publisher))
    moved = (tmp_path / ".cli-anything").rename(tmp_path / "elsewhere")

    folder = moved / "previews" / "demo" / "live" / "film"
    step = read(folder / "trajectory.json")["steps"][0]
    assert (folder / step["manifest_path"]).is_file()
    assert (folder / "current" / "manifest.json").is_file()


def test_the_session_repeats_only_the_newest_steps(publisher: Publisher) -> None:
    session = LiveSession.open(publisher, "quick", "film")
    published = capture(publisher)
    for _ in range(HISTORY_LIMIT + 2):
        publish(session, published)

    history = read(session.folder / "session.json")["history"]
    assert len(history) == HISTORY_LIMIT
    assert history[0]["step_index"] == HISTORY_LIMIT + 2


def test_two_publishers_at_once_lose_no_step(publisher: Publisher, tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\n"
        "from cli_anything.kit.live import LiveSession\n"
        "from cli_anything.kit.preview import Publisher\n"
        f"p = Publisher(software='demo', project=Path({str(tmp_path / 'film.json')!r}),"
        " entry_point='e', harness_version='1')\n"
        "s = LiveSession.open(p, 'quick', 'film')\n"
        "for _ in range(10):\n"
        "    s.publish(None, command='c', started_at='', finished_at='', reason='')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]

    assert [writer.wait(60) for writer in writers] == [0] * 4
    steps = read(publisher.root / "live" / "film" / "trajectory.json")["steps"]
    assert [step["step_index"] for step in steps] == list(range(1, 41))


def test_a_session_that_was_never_started_is_not_found(publisher: Publisher) -> None:
    with pytest.raises(NotFound):
        LiveSession.find(publisher, "quick", "film")
