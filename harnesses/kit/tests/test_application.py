"""The application is found on PATH or where the harness says, and its version decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_anything.kit.application import Application, Candidate, version_key
from cli_anything.kit.errors import ApplicationMissing

PAINTER = Application(
    "Painter", ("painter",), "2.10", ("--version",), r"Painter (\S+)", "apt install painter"
)


def program(path: Path, says: str, *, exit_code: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{says}'\nexit {exit_code}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "path"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def test_the_program_on_path_is_asked_for_its_version(on_path: Path) -> None:
    program(on_path / "painter", "Painter 2.10.4 (build 7)")

    probe = PAINTER.require()

    assert (probe.version, probe.source, probe.satisfied) == ("2.10.4", "PATH", True)


def test_a_newer_candidate_wins_over_one_on_path_that_is_too_old(on_path: Path) -> None:
    program(on_path / "painter", "Painter 2.9")
    bundled = program(on_path.parent / "wheel" / "painter", "Painter 3.0")

    probe = PAINTER.probe([Candidate(bundled, "painter-wheel")])

    assert (probe.source, probe.version) == ("painter-wheel", "3.0")


def test_an_old_version_alone_says_what_is_needed(on_path: Path) -> None:
    program(on_path / "painter", "Painter 2.9")

    with pytest.raises(ApplicationMissing, match=r"2\.10 or newer is needed") as caught:
        PAINTER.require()

    assert caught.value.hint == "apt install painter"
    assert caught.value.details["found"] is True


def test_without_any_the_probe_says_how_to_get_it(on_path: Path) -> None:
    probe = PAINTER.probe([Candidate(on_path / "nowhere", "painter-wheel")])

    assert (probe.found, probe.satisfied, probe.hint) == (False, False, "apt install painter")


def test_a_program_that_does_not_start_is_not_the_application(on_path: Path) -> None:
    program(on_path / "painter", "cannot open libpaint.so", exit_code=127)

    assert not PAINTER.probe().found


def test_versions_compare_by_number_not_by_letter() -> None:
    assert version_key("2.10") > version_key("2.9")
    assert version_key("n7.1-3-gabc") >= version_key("4.4")
