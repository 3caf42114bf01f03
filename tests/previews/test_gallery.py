"""The index page over a folder of previews."""

from __future__ import annotations

from pathlib import Path

from cli_hub.previews.gallery import write_gallery
from tests.previews.conftest import Hub
from tests.previews.producer import Producer
from tests.support.page_reader import PageReader


def test_the_index_shows_every_session_once_and_leads_to_its_page(
    reader: PageReader, hub: Hub, tmp_path: Path
) -> None:
    for name in ("first", "second"):
        Producer(tmp_path / "gallery" / name, name=name).seven_steps()
    Producer(tmp_path / "gallery" / "alone").bundle("b0042_quick")

    answer = hub(
        "previews",
        "list",
        tmp_path / "gallery",
        "--page",
        tmp_path / "gallery" / "index.html",
        "--json",
    )
    (tmp_path / "gallery").rename(tmp_path / "moved")
    reader.open(tmp_path / "moved" / "index.html")

    assert answer.code == 0
    assert reader.count(".card") == 3
    assert reader.js("return [...document.images].every((i) => i.naturalWidth > 0)")
    assert reader.console() == []
    reader.click(".card a")
    reader.until("document.querySelector('#frame img')?.naturalWidth > 0")
    assert reader.console() == []


def test_the_same_previews_give_the_same_index(tmp_path: Path) -> None:
    Producer(tmp_path / "x").seven_steps()

    first = write_gallery(tmp_path / "x", tmp_path / "index.html").index.read_bytes()

    assert write_gallery(tmp_path / "x", tmp_path / "index.html").index.read_bytes() == first
