"""A picture on the screen of a test, and what the pointer did to it."""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from harnesses.macrocli.tests.desktop import Desktop, until
from harnesses.macrocli.tests.program import Program

SHOW = Path(__file__).parent / "picture_window.py"
BUTTON = (120, 80, 90, 40)
"""Where the button is in the picture: x, y, width, height."""


def draw() -> Image.Image:
    """Something like a dialog: rows of text, a button, a decoy."""
    picture = Image.new("RGB", (320, 200), "#e8e8e8")
    pen = ImageDraw.Draw(picture)
    font = ImageFont.load_default(16)
    for row in range(3):
        pen.text((12, 8 + 22 * row), f"line {row} of some text here", fill="black", font=font)
    for (x, y, width, height), label in ((BUTTON, "Save it"), ((220, 80, 90, 40), "Cancel")):
        pen.rounded_rectangle((x, y, x + width, y + height), 6, fill="#3a7bd5", outline="black")
        pen.text((x + 14, y + 9), label, fill="white", font=font)
    return picture


class Shown:
    """The picture on the screen, and what the pointer did to it."""

    def __init__(
        self, program: Program, screen: Desktop, scale: float, at: tuple[int, int]
    ) -> None:
        self.scale, self.at = scale, at
        picture = draw()
        size = (round(picture.width * scale), round(picture.height * scale))
        picture.resize(size, Image.Resampling.LANCZOS).save(program.folder / "shown.png")
        x, y, width, height = BUTTON
        picture.crop((x, y, x + width, y + height)).save(program.folder / "button.png")
        self.log = program.folder / "pointer.log"
        place = (str(at[0]), str(at[1]))
        self.process = screen.start(
            sys.executable, str(SHOW), str(program.folder / "shown.png"), *place, str(self.log)
        )
        until(lambda: self.log.read_text() if self.log.exists() else "")

    def events(self, count: int) -> list[tuple[str, int, float, float]]:
        """The first pointer events, with places in the unscaled picture."""

        def look() -> str:
            lines = [line for line in self.log.read_text().splitlines() if line != "shown"]
            return "\n".join(lines) if len(lines) >= count else ""

        found = []
        for line in until(look, 5).splitlines():
            kind, button, x, y = line.split()
            found.append((kind, int(button), int(x) / self.scale, int(y) / self.scale))
        return found
