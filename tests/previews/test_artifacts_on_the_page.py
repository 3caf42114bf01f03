"""What the page makes of artifacts that are not pictures, and of diff bundles."""

from __future__ import annotations

import json
from pathlib import Path

from cli_hub.previews.page import write_page
from cli_hub.previews.watch import watching
from tests.previews.producer import Producer, png
from tests.support.page_reader import PageReader

SHOWN = "document.querySelector('#frame img')?.naturalWidth > 0"
GALLERY = Path(__file__).resolve().parents[2] / "previews"


def test_a_diff_bundle_opens_as_before_and_after_under_one_slider(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    files = {"before.png": png((1, 2, 3)), "after.png": png((200, 2, 3))}
    folder = producer.bundle(bundle_kind="diff", files=files)

    reader.open(write_page(folder, tmp_path / "page.html"))

    reader.until("document.querySelectorAll('.pair img').length === 2")
    assert reader.text("#caption") == "Before │ After"
    assert reader.js("return document.querySelector('.split').ariaLabel").startswith("Before and")


def test_the_scrubber_goes_to_any_step(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    reader.open(write_page(producer.seven_steps(), tmp_path / "page.html"), ready=SHOWN)

    reader.js(
        "const scrub = document.getElementById('scrub'); scrub.value = 2;"
        "scrub.dispatchEvent(new Event('input'))"
    )

    assert "step 3 of 7" in reader.text("#chips")
    assert reader.js("return document.getElementById('scrub').ariaValueText") == "step 3, ok"


def test_json_is_a_tree_that_opens_level_by_level(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    content = {"scene": {"objects": [{"name": "relay", "size": 2}, {"name": "dish"}]}, "frame": 1}
    folder = producer.bundle(files={"hero.png": png(), "scene.json": json.dumps(content).encode()})
    reader.open(write_page(folder, tmp_path / "page.html"), ready=SHOWN)

    reader.click("#tab-data")
    assert "relay" not in reader.js("return document.getElementById('panel').textContent")
    for _ in range(3):
        reader.js(
            "document.querySelectorAll('#panel details:not([open]) > summary')"
            ".forEach((summary) => summary.click())"
        )

    reader.until("document.getElementById('panel').textContent.includes('relay')")
    assert "2 items" in reader.text("#panel")


def test_a_clip_of_a_live_page_can_be_sought_without_loading_all_of_it(reader: PageReader) -> None:
    with watching(GALLERY / "first-light") as server:
        reader.open(server.url, ready=SHOWN)
        reader.click("#tab-clip")
        reader.until("document.querySelector('#panel video')?.readyState >= 1")

        reader.js("document.querySelector('#panel video').currentTime = 4")

        reader.until(
            "(() => { const v = document.querySelector('#panel video');"
            "return !v.seeking && Math.abs(v.currentTime - 4) < 0.1 && v.readyState >= 2 })()"
        )
        assert reader.js("return document.querySelector('#panel video').seekable.end(0)") > 5
        assert reader.console() == []


def test_a_stopped_session_and_a_cached_step_say_so_on_disk(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    producer.seven_steps()
    producer.write_session(status="stopped")

    reader.open(write_page(producer.session, tmp_path / "page.html"), ready=SHOWN)

    assert reader.text("#session-state") == "stopped"
    assert "unchanged, from cache" in reader.text("#moment")
    assert reader.count(".cell.error") == 1
    assert reader.count(".cell.partial") == 1
