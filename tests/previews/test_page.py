"""The page, in a real browser, from disk."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.previews.page import write_page
from tests.previews.conftest import Hub
from tests.previews.producer import Producer, png
from tests.support.page_reader import PageReader
from tests.support.requirements import require_corpus

READY = "return document.querySelector('#frame img')?.naturalWidth > 0"


@pytest.fixture
def page(producer: Producer, tmp_path: Path) -> Path:
    return write_page(producer.seven_steps(), tmp_path / "page.html")


def test_a_session_opens_from_disk_without_console_errors(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    assert reader.console() == []
    assert all(url.startswith("file://") for url in reader.requests())
    assert "poster.paint" in reader.text("h1")
    assert "step 7 of 7" in reader.text("#chips")
    assert reader.js("return document.querySelector('#frame img').naturalWidth") == 64
    assert "layer add l7" in reader.text("#moment")


def test_arrow_keys_step_and_the_address_follows(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    reader.press("\ue012")  # arrow left
    assert reader.js("return location.hash") == "#step-6"
    assert "failed" in reader.text("#chips")
    assert "This step failed" in reader.text("#notices")
    reader.press("\ue011")  # home
    assert "Layers" in reader.text("#facts")
    assert reader.js("return location.hash") == "#step-1"
    reader.press("\ue014")
    assert "Layers 1 → 2" in reader.text("#moment")


def test_a_link_to_a_step_opens_that_step(reader: PageReader, page: Path) -> None:
    reader.open(f"{page.as_uri()}#step-4", ready=READY)

    assert "step 4 of 7" in reader.text("#chips")
    assert "partial" in reader.text("#chips")
    assert "a light was added" in reader.text("#notices")


def test_steps_are_filtered_by_text_and_status(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    reader.js(
        "const f = document.getElementById('status'); f.value = 'error';"
        "f.dispatchEvent(new Event('change'))"
    )
    assert reader.count(".cell") == 1
    assert "1 match" in reader.text("#count")
    reader.js(
        "const f = document.getElementById('status'); f.value = '';"
        "f.dispatchEvent(new Event('change'));"
        "const t = document.getElementById('filter'); t.value = 'add l3';"
        "t.dispatchEvent(new Event('input'))"
    )
    assert reader.count(".cell") == 1


def test_before_and_after_share_one_slider(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    reader.press("c")
    reader.js(
        "const r = document.querySelector('.split'); r.value = 20;"
        "r.dispatchEvent(new Event('input'))"
    )
    assert "step 6 │ step 7" in reader.text("#caption")
    assert "20%" in reader.js("return document.querySelector('.pair .over').style.clipPath")
    reader.js(
        "const i = document.getElementById('against'); i.value = 2;"
        "i.dispatchEvent(new Event('change'))"
    )
    assert "step 2 │ step 7" in reader.text("#caption")


def test_the_gallery_enlarges_and_zooms_by_keyboard(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    reader.click(".thumb")
    assert reader.js("return document.getElementById('lightbox').open")
    reader.press("+", "+")
    assert "scale(1.96" in reader.js("return document.querySelector('.field img').style.transform")
    first = reader.text(".lightbox .bar span")
    reader.press("\ue014")
    assert reader.text(".lightbox .bar span") != first
    reader.press("\ue00c")
    assert not reader.js("return document.getElementById('lightbox').open")


def test_playing_goes_through_the_steps(reader: PageReader, page: Path) -> None:
    reader.open(f"{page.as_uri()}#step-1", ready=READY)

    reader.press(" ")
    reader.until("location.hash === '#step-2'", seconds=3)
    reader.press(" ")
    assert reader.js("return document.getElementById('play').title") == "Play"


def test_nothing_sticks_out_on_a_phone(reader: PageReader, page: Path) -> None:
    for dark in (False, True):
        reader.emulate(width=390, height=844, dark=dark).open(page, ready=READY)
        assert reader.js("return document.documentElement.scrollWidth") <= 390
    dark = reader.js("return getComputedStyle(document.body).backgroundColor")
    reader.emulate(dark=False)
    assert reader.js("return getComputedStyle(document.body).backgroundColor") != dark


def test_without_scripts_the_newest_state_is_still_readable(page: Path) -> None:
    plain = re.search(r"<noscript>(.*?)</noscript>", page.read_text(encoding="utf-8"), re.DOTALL)

    assert plain is not None
    assert "last 7 of 7 steps" in plain.group(1)
    assert "Poster as of b0005_quick" in plain.group(1)


def test_an_active_session_on_disk_never_claims_to_be_live(reader: PageReader, page: Path) -> None:
    reader.open(page, ready=READY)

    assert "snapshot of an active session" in reader.text("#session-state")


def test_the_page_is_written_outside_the_preview_and_says_where(
    hub: Hub, producer: Producer
) -> None:
    session = producer.seven_steps()
    before = sorted(producer.project.rglob("*"))

    answer = hub("previews", "html", session, "--json")

    jsonschema.validate(answer.document, schemas.load("preview-page"))
    written = Path(answer.document["path"])
    assert written.is_file()
    assert sorted(producer.project.rglob("*")) == before
    refused = hub("previews", "html", session, "-o", session / "live.html", "--json")
    assert refused.code == 1
    assert "lies inside the preview" in refused.document["error"]["message"]


def test_a_self_contained_page_needs_no_other_file_and_repeats_byte_for_byte(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    session = producer.seven_steps()
    first = write_page(session, tmp_path / "a" / "one.html", self_contained=True).read_bytes()
    second = write_page(session, tmp_path / "b" / "two.html", self_contained=True)
    assert second.read_bytes() == first

    producer.project.rename(tmp_path / "gone")
    reader.open(second, ready=READY)

    assert reader.requests() == [second.as_uri()]
    assert reader.js("return document.querySelector('#frame img').naturalWidth") == 64


def test_a_page_moved_with_its_previews_still_shows_them(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    producer.seven_steps()
    write_page(producer.session, producer.project / "page.html")
    producer.project.rename(tmp_path / "moved here")

    reader.open(tmp_path / "moved here" / "page.html", ready=READY)

    assert reader.console() == []


def test_a_bundle_alone_has_a_page_without_history(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    files = {
        "hero.png": png(),
        "data.json": b'{"rows": [1, {"deep": true}]}',
        "notes.txt": b"hello",
    }
    page = write_page(producer.bundle(files=files), tmp_path / "page.html")

    reader.open(page, ready=READY)

    assert not reader.js("return document.getElementById('history').checkVisibility()")
    reader.click("#tab-data")
    assert "rows" in reader.text("#panel")
    assert "hello" in reader.text("#panel")


@pytest.mark.parametrize("software", ["blender", "shotcut"])
def test_real_sessions_show_their_real_pictures(
    reader: PageReader, tmp_path: Path, software: str
) -> None:
    page = write_page(require_corpus() / "bundles" / software, tmp_path / "page.html")

    reader.open(page, ready=READY)

    assert reader.console() == []
    assert reader.count(".cell") == 7
    assert "stopped" in reader.text("#session-state")


def test_a_command_is_shown_without_folders_and_copied_as_it_ran(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    ran = "painter --project /home/ann/films/poster.paint layer add --from /etc/x 'a / b' http://h/a/b/c"
    producer.bundle()
    producer.publish("b0001_quick", command=ran)
    reader.open(write_page(producer.session, tmp_path / "page.html"))
    reader.js(
        "document.execCommand = () => (window.copied = document.activeElement.value) !== null;"
        "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
    )

    shown = reader.text("#moment code")
    reader.click("#moment .copy")

    assert shown.startswith("painter --project poster.paint layer add --from /etc/x 'a / b' http:")
    assert reader.js("return window.copied") == ran


def test_facts_that_say_nothing_are_left_out_and_the_rest_is_in_words(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    facts = {"filters": "", "tags": [], "object_count": 3, "duration_s": 2.5, "looped": False}
    producer.bundle(summary={"facts": facts}, metrics={})

    reader.open(write_page(producer.folder("b0001_quick"), tmp_path / "page.html"))

    assert reader.js(
        "return [...document.querySelectorAll('.facts dt')].map((e) => e.innerText)"
    ) == [
        "Objects",
        "Duration",
        "Looped",
    ]
    assert "2.5 s" in reader.text(".facts")


def test_the_facts_have_the_room_they_need_on_a_desk(
    reader: PageReader, producer: Producer, tmp_path: Path
) -> None:
    facts = {f"fact_{number}": "a value of some length" for number in range(8)}
    producer.bundle(
        files={"hero.png": png(width=640, height=200)},
        summary={"facts": facts, "next_actions": ["Look", "Go on"]},
    )

    reader.open(write_page(producer.folder("b0001_quick"), tmp_path / "page.html"))

    reader.until("document.querySelector('#facts').clientHeight > 400")
    assert reader.js(
        "const box = document.querySelector('#facts > div');"
        "return box.scrollHeight <= box.clientHeight"
    )
