"""``registry verify``: several at a time, told as it goes, and taken up where it stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psutil
import pytest

from tests.cli.conftest import Program
from tests.support.package_index import PROGRAM, build_wheel
from tests.support.registries import entry, registry_file

WAITS = """\
import pathlib, sys, time

def main():
    here = pathlib.Path({folder!r})
    (here / {own!r}).touch()
    for _ in range({patience} * 50):
        if (here / {other!r}).exists():
            return 0
        time.sleep(0.02)
    return 1
"""
"""A program that starts once a file is there, and says by another one that it was asked to."""


def waits(folder: Path, own: str, other: str, patience: int) -> str:
    return WAITS.format(folder=str(folder), own=own, other=other, patience=patience)


def offering(folder: Path, monkeypatch: pytest.MonkeyPatch, **programs: str) -> Path:
    """A registry in force with an entry for each program."""
    entries = []
    for name, source in programs.items():
        wheel = build_wheel(folder / "wheels", name, scripts={name: source})
        recipe = {"strategy": "pip", "url": wheel.as_uri(), "package": name}
        entries.append(entry(name, install=recipe))
    file = registry_file(folder, *entries)
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))
    return file


def test_as_many_are_proven_at_a_time_as_there_are_jobs(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each program starts only while another one is being asked too."""
    ring = ("one", "two", "three")
    sources = {
        name: waits(tmp_path, own=f"{name}-is-asked", other=f"{after}-is-asked", patience=20)
        for name, after in zip(ring, (*ring[1:], ring[0]), strict=True)
    }
    offering(tmp_path, monkeypatch, **sources)

    answer = program("registry", "verify", "--jobs", "3", "--json")

    assert answer.document("registry-proofs")["proven"] == 3
    told = [line for line in answer.err.splitlines() if line.startswith("[")]
    assert [line.split()[0] for line in told] == ["[1/3]", "[2/3]", "[3/3]"]


@contextmanager
def started(folder: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The program in a process of its own, with a temporary folder of its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    process = subprocess.Popen(
        [sys.executable, "-m", "cli_hub", "registry", "verify", *words],
        env={**os.environ, "TMPDIR": str(folder / "tmp")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def until(stream: IO[str] | None, text: str) -> None:
    assert stream is not None
    for line in stream:
        if text in line:
            return
    raise AssertionError(f"it ended without {text!r}")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_is_taken_up_where_it_stopped(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: signal.Signals
) -> None:
    slow = waits(tmp_path, own="slow-is-asked", other="go", patience=50)
    file = offering(tmp_path, monkeypatch, quick=PROGRAM, slow=slow)

    with started(tmp_path, "--jobs", "2", "--record") as process:
        until(process.stderr, "quick 1.0 starts")
        while not (tmp_path / "slow-is-asked").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(how)
        assert process.wait(20) == (-how if how == signal.SIGKILL else 130)

    if how != signal.SIGKILL:
        assert list((tmp_path / "tmp").iterdir()) == [], "nothing of the interrupted proof stays"
        assert running_below(tmp_path) == []
        assert recorded(file) == ["quick"]

    (tmp_path / "wheels" / "quick-1.0-py3-none-any.whl").unlink()
    (tmp_path / "go").touch()
    again = program("registry", "verify", "--resume", "--record", "--json")

    document = again.document("registry-proofs")
    assert (document["proven"], document["failed"]) == (2, 0), "quick was not tried again"
    assert recorded(file) == ["quick", "slow"]


def recorded(file: Path) -> list[str]:
    entries = json.loads(file.read_text())["clis"]
    return sorted(one["name"] for one in entries if one.get("verified", {}).get("entry_point"))


def running_below(folder: Path) -> list[list[str]]:
    """The command lines of processes that were started from what lies in *folder*."""
    lines = [process.info["cmdline"] or [] for process in psutil.process_iter(["cmdline"])]
    return [line for line in lines if any(str(folder / "tmp") in word for word in line)]
