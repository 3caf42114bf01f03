"""The gallery that comes with the repository: three films, edited by the ffmpeg harness."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.previews.conftest import Hub
from tests.support.page_reader import PageReader

GALLERY = Path(__file__).resolve().parents[2] / "previews"
FILMS = sorted(path.name for path in GALLERY.iterdir() if path.is_dir())


def test_there_are_three_small_films() -> None:
    size = sum(path.stat().st_size for path in GALLERY.rglob("*") if path.is_file())

    assert len(FILMS) == 3
    assert size < 3_100_000


@pytest.mark.parametrize("film", FILMS)
def test_each_film_is_a_valid_session_wherever_it_lies(hub: Hub, tmp_path: Path, film: str) -> None:
    moved = tmp_path / "elsewhere"
    shutil.copytree(GALLERY / film, moved, symlinks=True)

    verdict = hub("previews", "validate", moved, "--json")

    assert verdict.code == 0, verdict.err
    assert verdict.document["problems"] == []
    assert verdict.document["steps"] >= 6


def test_no_document_of_the_gallery_knows_the_machine_it_was_made_on() -> None:
    for path in GALLERY.rglob("*.json"):
        told = json.loads(path.read_text(encoding="utf-8"))
        for text in _texts(told):
            assert not text.startswith(("/", "~")), f"{path.name}: {text}"
            assert "/home/" not in text, f"{path.name}: {text}"
            assert "/tmp/" not in text, f"{path.name}: {text}"


def test_the_index_and_every_page_load_with_all_their_pictures(reader: PageReader) -> None:
    reader.open(GALLERY / "index.html")
    pages = reader.js("return [...document.querySelectorAll('.card a')].map((a) => a.href)")
    seen = reader.js(
        "return Promise.all([...document.images].map((i) => { i.loading = 'eager';"
        "return i.decode().then(() => true, () => false); }))"
    )

    assert len(pages) == 3
    assert all(seen)
    assert reader.console() == []
    for page in pages:
        reader.open(page)
        reader.until("document.querySelector('#frame img')?.naturalWidth > 0")
        assert "stopped" in reader.text("#chips")
        assert reader.console() == []
        assert all(url.startswith(GALLERY.as_uri()) for url in reader.requests())


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return []
