"""A program for tests: shows a picture in a window and writes what the pointer does to a file.

``picture_window.py PICTURE X Y LOG``: every button press and release becomes a line
``press|release BUTTON X Y`` with places relative to the picture.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from PIL import Image

os.environ.setdefault("XAUTHORITY", os.devnull)

from Xlib import X, display


def draw(window: Any, context: Any, image: Image.Image, depth: int) -> None:
    """Row by row: one request to the server is small."""
    for y in range(image.height):
        row = image.crop((0, y, image.width, y + 1)).tobytes("raw", "BGRX")
        window.put_image(context, 0, y, image.width, 1, X.ZPixmap, depth, 0, row)


def main(picture: str, x: str, y: str, log: str) -> None:
    image = Image.open(picture).convert("RGB")
    server = display.Display()
    screen = server.screen()
    window = screen.root.create_window(
        int(x), int(y), image.width, image.height, 0, screen.root_depth,
        background_pixel=screen.white_pixel,
        event_mask=X.ExposureMask | X.ButtonPressMask | X.ButtonReleaseMask,
    )  # fmt: skip
    window.set_wm_name("Picture")
    context = window.create_gc()
    window.map()
    with Path(log).open("a", buffering=1) as stream:
        while True:
            event = server.next_event()
            if event.type == X.Expose:
                draw(window, context, image, screen.root_depth)
                stream.write("shown\n")
            elif event.type in (X.ButtonPress, X.ButtonRelease):
                kind = "press" if event.type == X.ButtonPress else "release"
                stream.write(f"{kind} {event.detail} {event.event_x} {event.event_y}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
