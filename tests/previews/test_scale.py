"""Long histories: read in bounded memory, shown without waiting."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli_hub.previews import trajectory
from cli_hub.previews.page import write_page
from cli_hub.previews.trajectory import Window, read_history
from tests.previews.producer import Producer
from tests.support.page_reader import PageReader


def long_session(producer: Producer, steps: int, *, bundles: int = 20) -> Path:
    """A session of many steps over a few bundles; the 5th last step failed."""
    for number in range(bundles):
        producer.bundle(f"b{number:04d}_quick", summary={"facts": {"layer_count": number}})
    rows: list[dict[str, Any]] = [
        {
            "step_id": f"step-{number:06d}",
            "step_index": number,
            "bundle_id": f"b{number % bundles:04d}_quick",
            "command": f"cli-anything-painter layer add layer-{number}",
            "command_started_at": "2026-11-30T12:00:00Z",
            "command_finished_at": "2026-11-30T12:00:01Z",
            "publish_reason": "manual-push",
            "status": "error" if number == steps - 4 else "ok",
        }
        for number in range(1, steps + 1)
    ]
    producer.steps = rows
    return producer.write_session()


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    producer = Producer(tmp_path_factory.mktemp("long"))
    return long_session(producer, 16_000) / "trajectory.json"


WINDOWS = (
    Window(5),
    Window(0),
    Window(5, 7),
    Window(3, 15_990),
    Window(50, 15_990),
    Window(7, 10**6),
    Window(step=1),
    Window(step=15_999),
    Window(step=16_000),
    Window(step=16_001),
)


@pytest.mark.slow
@pytest.mark.parametrize("indent", [2, None])
def test_skipping_steps_gives_what_reading_all_of_them_gives(
    history: Path, tmp_path: Path, indent: int | None
) -> None:
    document = json.loads(history.read_text(encoding="utf-8"))
    # Texts that look like the border between two steps must not be taken for one.
    for number in (9, 10_000, 15_995):
        document["steps"][number]["note"] = '}, {"step_id": "x"} },\n    {\n "step_id": '
    copy = tmp_path / "trajectory.json"
    copy.write_text(json.dumps(document, indent=indent), encoding="utf-8")
    assert copy.stat().st_size > trajectory.LONG

    for window in WINDOWS:
        seen: list[int] = []
        whole = read_history(
            copy, window, visit=lambda number, _row, seen=seen: seen.append(number)
        )
        assert read_history(copy, window) == whole
        assert len(seen) == whole.count == 16_000


@pytest.mark.slow
def test_a_wrong_count_makes_the_whole_file_be_read(history: Path, tmp_path: Path) -> None:
    text = history.read_text(encoding="utf-8").replace('"step_count": 16000', '"step_count": 9')
    copy = tmp_path / "trajectory.json"
    copy.write_text(text, encoding="utf-8")

    assert read_history(copy, Window(3)).count == 16_000


MEASURE = r"""
import re, sys
from pathlib import Path
from cli_hub.cli.main import main
code = main(["previews", "inspect", sys.argv[1], "--json"])
# Not getrusage: a child's figure starts at the size of the process it was forked from.
peak = re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text()).group(1)
print(int(peak) // 1024, file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peak memory is read from /proc")
def test_200_000_steps_are_read_in_bounded_memory(tmp_path: Path) -> None:
    session = long_session(Producer(tmp_path), 200_000)
    assert (session / "trajectory.json").stat().st_size > 50_000_000

    started = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(session)], capture_output=True, check=True
    )
    seconds = time.monotonic() - started

    report = json.loads(done.stdout)
    assert report["step_count"] == 200_000
    assert report["steps"][-1]["step_id"] == "step-200000"
    assert int(done.stderr.split()[-1]) < 150
    assert seconds < 5  # the real figure, on a quiet machine, is in benchmarks/


@pytest.mark.slow
def test_ten_thousand_steps_open_with_few_elements_and_react_at_once(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    session = long_session(producer, 10_000)
    page = write_page(session, tmp_path / "page.html")

    reader.open(page, ready="document.querySelector('#frame img')?.naturalWidth > 0")

    assert "step 10000 of 10000" in reader.text("#chips")
    assert reader.count("*") < 500
    took = reader.js(
        "const t = performance.now();"
        "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));"
        "return performance.now() - t"
    )
    assert took < 250
    reader.js(
        "const f = document.getElementById('filter'); f.value = 'layer-77';"
        "f.dispatchEvent(new Event('input'))"
    )
    assert "111 match" in reader.text("#count")
    assert reader.count(".cell") < 40


@pytest.mark.slow
def test_a_page_says_when_it_shows_only_the_newest_steps(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    page = write_page(long_session(producer, 3_000), tmp_path / "page.html", limit=100)

    reader.open(page)

    assert "showing 100 of 3000 steps" in reader.text("#count")
    assert "step 3000 of 3000" in reader.text("#chips")


def test_twenty_thousand_artifacts_and_a_huge_one_do_not_make_a_huge_page(
    producer: Producer, tmp_path: Path
) -> None:
    rows = [
        {
            "artifact_id": f"a{n}",
            "role": "thumb",
            "kind": "image",
            "media_type": "image/png",
            "path": "artifacts/hero.png",
            "label": f"A {n}",
        }
        for n in range(20_000)
    ]
    folder = producer.bundle(
        artifacts=[
            *rows,
            {**rows[0], "artifact_id": "big", "kind": "json", "path": "artifacts/big.json"},
        ]
    )
    with (folder / "artifacts" / "big.json").open("wb") as stream:
        stream.truncate(300_000_000)

    page = write_page(folder, tmp_path / "page.html")

    assert page.stat().st_size < 8_000_000
