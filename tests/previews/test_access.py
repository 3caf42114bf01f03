"""The page for everybody: keyboard only, less motion, and what axe finds."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cli_hub.previews.gallery import write_gallery
from cli_hub.previews.page import write_page
from tests.previews.producer import Producer, png
from tests.previews.shapes3d import stl_cube
from tests.support.page_reader import PageReader
from tests.support.requirements import lacking

READY = "document.querySelector('#frame img')?.naturalWidth > 0"


@pytest.fixture(scope="session")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The source of axe-core, from the npm registry."""
    npm = shutil.which("npm")
    if npm is None:
        raise lacking("npm", "apt-get install npm")
    folder = tmp_path_factory.mktemp("axe")
    line = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "axe-core@4"]
    try:
        subprocess.run(line, cwd=folder, check=True, capture_output=True, timeout=120)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired):
        raise lacking("axe-core", "the npm registry must be reachable") from None
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing_serious(
    reader: PageReader, producer: Producer, tmp_path: Path, axe: str, width: int, dark: bool
) -> None:
    producer.seven_steps()
    producer.bundle(
        "b0009_quick",
        files={
            "hero.png": png(),
            "part.stl": stl_cube(),
            "data.json": b'{"a": [1, {"b": 2}]}',
            "page.html": b"<p>x</p>",
        },
        summary={"warnings": ["a camera was added"]},
        status="partial",
    )
    producer.publish("b0009_quick", status="partial")
    producer.publish("nowhere", status="error")
    page = write_page(producer.session, tmp_path / "page.html")
    reader.emulate(width=width, dark=dark)

    found: list[tuple[str, str, Any]] = []
    for number in (8, 9):
        reader.open(f"{page.as_uri()}#step-{number}")
        reader.js(axe)
        for tab in ("gallery", "solid", "page", "data", "files"):
            reader.js("document.getElementById('tab-' + arguments[0])?.click()", tab)
            result = reader.js(
                "return axe.run(document, {iframes: false})"
                ".then((r) => r.violations.map((v) => [v.id, v.impact, v.nodes[0].html]))"
            )
            found += [tuple(v) for v in result if v[1] in {"serious", "critical"}]

    assert found == []


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing_serious_on_an_index(
    reader: PageReader, producer: Producer, tmp_path: Path, axe: str, dark: bool
) -> None:
    producer.seven_steps()
    reader.emulate(dark=dark).open(write_gallery(producer.project, tmp_path / "index.html").index)
    reader.js(axe)

    found = reader.js("return axe.run().then((r) => r.violations.map((v) => [v.id, v.impact]))")

    assert [each for each in found if each[1] in {"serious", "critical"}] == []


def test_everything_is_reached_by_tab_alone(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    reader.open(write_page(producer.seven_steps(), tmp_path / "page.html"), ready=READY)

    reached = set()
    for _ in range(40):
        reader.press("\ue004")
        reached.add(
            reader.js(
                "const e = document.activeElement;"
                "return e.id || e.getAttribute('aria-label') || e.textContent.trim()"
            )
        )

    wanted = {
        "Enlarge the picture",
        "compare",
        "copy",
        "Step back",
        "play",
        "Step forward",
        "scrub",
        "filter",
        "status",
        "strip",
        "tab-gallery",
        "panel",
    }
    assert wanted <= reached


def test_tabs_turn_by_arrow_keys_without_changing_the_step(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    reader.open(write_page(producer.seven_steps(), tmp_path / "page.html"), ready=READY)

    reader.js("document.getElementById('tab-gallery').focus()")
    reader.press("\ue014")

    assert reader.js("return document.activeElement.id") == "tab-data"
    assert "step 7 of 7" in reader.text("#chips")


def test_nothing_moves_for_those_who_want_less_motion(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    page = write_page(producer.seven_steps(), tmp_path / "page.html")

    def moving() -> Any:
        return reader.js(
            "return [...document.querySelectorAll('*')].filter((e) => {"
            "const s = getComputedStyle(e);"
            "return s.transitionDuration !== '0s' || s.animationName !== 'none'; }).length"
        )

    reader.emulate(reduced_motion=True).open(page, ready=READY)
    assert moving() == 0
    reader.emulate().open(page, ready=READY)
    assert moving() > 0


def test_what_changed_is_said_and_the_status_is_not_told_by_colour_alone(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    reader.open(write_page(producer.seven_steps(), tmp_path / "page.html"), ready=READY)

    labels = reader.js("return [...document.querySelectorAll('.cell')].map((c) => c.ariaLabel)")

    assert "Step 4, partial, 3.9 s" in labels
    assert "Step 6, failed, 3.9 s" in labels
    assert "Step 7, ok, 3.9 s, unchanged" in labels
