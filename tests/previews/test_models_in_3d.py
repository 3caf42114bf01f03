"""3D artifacts: drawn, turned by keys, and honest about what cannot be drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_hub.previews.page import write_page
from cli_hub.previews.watch import watching
from tests.previews.producer import Producer
from tests.previews.shapes3d import glb_triangle, stl_cube
from tests.support.page_reader import PageReader

PIXELS = """
const canvas = document.querySelector('canvas.model');
const gl = canvas.getContext('webgl');
const pixels = new Uint8Array(canvas.width * canvas.height * 4);
gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
let [drawn, sum, red] = [0, 0, 0];
for (let i = 0; i < pixels.length; i += 4) {
  if (!pixels[i + 3]) continue;
  drawn += 1; sum += pixels[i] * (i % 8191); red += pixels[i] > 2 * pixels[i + 1] ? 1 : 0;
}
return [drawn, sum, red];
"""
DRAWN = "document.querySelector('figure.solid .quiet')?.innerText.includes('triangles')"


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(
    ("name", "content", "count"), [("part.stl", stl_cube(), 16), ("part.glb", glb_triangle(), 1)]
)
def test_a_model_is_drawn_and_turns_by_keyboard(
    reader: PageReader,
    producer: Producer,
    tmp_path: Path,
    name: str,
    content: bytes,
    count: int,
    live: bool,
) -> None:
    folder = producer.bundle(files={name: content})
    with watching(folder) as server:
        reader.open(server.url if live else write_page(folder, tmp_path / "page.html"))
        reader.js("document.getElementById('tab-solid').click()")
        reader.until(DRAWN)
        assert f"{count} triangles" in reader.text("figure.solid")
        drawn, before, red = reader.js(PIXELS)
        reader.js("document.querySelector('canvas.model').focus()")
        reader.press("\ue014", "\ue014", "+")
        after = reader.js(PIXELS)[1]

    assert drawn > 500
    assert before != after
    assert (red > 500) == name.endswith("glb")


@pytest.mark.parametrize("content", [b"", b"glTF", b"glTF\2\0\0\0" + bytes(40), b"solid nothing"])
def test_a_damaged_model_is_told_and_not_drawn(
    reader: PageReader, producer: Producer, tmp_path: Path, content: bytes
) -> None:
    page = write_page(producer.bundle(files={"part.stl": content}), tmp_path / "page.html")

    reader.open(page)
    reader.js("document.getElementById('tab-solid').click()")

    reader.until("document.querySelector('figure.solid')?.innerText.includes('cannot be shown')")
    assert reader.console() == []
