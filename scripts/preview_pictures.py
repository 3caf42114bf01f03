"""Takes the pictures of the preview page that the documentation shows, from the gallery.

    .venv/bin/python -m scripts.preview_pictures

Writes ``docs/preview.png`` (1440 × 900, light), ``docs/preview-dark.png`` (the before-and-after
slider, dark) and ``docs/preview-phone.png``. Needs Chromium and chromedriver.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image

from tests.support.page_reader import PageReader, page_reader

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "previews"
DOCS = ROOT / "docs"


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="pictures-") as name,
        page_reader(Path(name) / "chromium") as reader,
    ):
        reader.emulate(width=1440, height=900)
        take(reader, film("first-light"), "preview.png")
        reader.emulate(width=1440, height=900, dark=True)
        take(reader, f"{film('first-light')}#step-5", "preview-dark.png", "[aria-pressed]")
        reader.emulate(width=390, height=844)
        take(reader, film("night-sky"), "preview-phone.png")
    return 0


def film(name: str) -> str:
    (page,) = GALLERY.glob(f"{name}-*.html")
    return page.as_uri()


def take(reader: PageReader, page: str, name: str, press: str = "") -> None:
    """Save what the window shows of *page* after a press on the element *press*."""
    reader.open(page, ready="document.querySelector('#frame img')?.naturalWidth > 0")
    if press:
        reader.click(press)
    reader.until("[...document.images].every((i) => i.complete || i.loading === 'lazy')")
    with tempfile.TemporaryDirectory() as folder:
        shot = reader.screenshot(Path(folder) / name).read_bytes()
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    picture.save(DOCS / name, optimize=True)
    print(f"docs/{name}: {(DOCS / name).stat().st_size // 1000} kB")


if __name__ == "__main__":
    raise SystemExit(main())
