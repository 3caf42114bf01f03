"""Texts drawn into transparent pictures.

Texts never pass through ffmpeg's own text filter: what is written cannot be taken for syntax, and
no font configuration of the system is needed.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path

from PIL import Image, ImageDraw

from cli_anything.ffmpeg import fonts, values
from cli_anything.ffmpeg.timeline import Anchor, Profile, Text
from cli_anything.kit.errors import UsageError

_MARGIN = 0.05
"""Part of the frame kept free at its sides."""
_LINE_SPACING = 1.25
_SMALLEST = 8


@dataclass(frozen=True, slots=True)
class Lettering:
    """A drawn text and where its upper left corner goes in the frame."""

    image: Image.Image
    x: int
    y: int

    def save(self, path: Path) -> None:
        self.image.save(path, "PNG")


def check_text(text: str) -> str:
    """*text* as it can be drawn. Raises :class:`UsageError` for nothing, or control characters."""
    text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\t", "    "))
    for char in text:
        if char != "\n" and unicodedata.category(char) in {"Cc", "Cs", "Co", "Cn"}:
            raise UsageError(f"the text has U+{ord(char):04X}, which cannot be drawn")
    if not text.strip():
        raise UsageError("the text is empty")
    return text


def draw(text: Text, profile: Profile) -> Lettering:
    """Draw *text* for the frame of *profile*, breaking lines that are too long.

    Raises :class:`CannotDraw` for a character no font has, :class:`UsageError` when it does not
    fit.
    """
    layout = _lay_out(text, profile)
    _require_fit(layout, text, profile)
    background = (*values.rgb(text.box), 255) if text.box else (*values.rgb(text.color), 0)
    image = Image.new("RGBA", layout.size, background)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(layout.lines):
        spare = layout.size[0] - 2 * layout.padding - line.width
        baseline = layout.padding + layout.line_height * number + text.size
        line.draw(
            pen, layout.padding + _aligned(text.anchor, spare), baseline, values.rgb(text.color)
        )
    x, y = _corner(text, layout.size, profile)
    return Lettering(image, x, y)


def shrunk(text: Text, profile: Profile, max_lines: int) -> Text:
    """*text* in the largest size, up to its own, at which it takes *max_lines* and fits."""
    while text.size > _SMALLEST:
        layout = _lay_out(text, profile)
        if len(layout.lines) <= max_lines and _fits(layout.size, profile):
            return text
        text = replace(text, size=max(_SMALLEST, int(text.size * 0.93)))
    return text


@dataclass(frozen=True, slots=True)
class _Layout:
    """Lines and the picture that holds them."""

    lines: tuple[_Line, ...]
    size: tuple[int, int]
    line_height: int
    padding: int


def _lay_out(text: Text, profile: Profile) -> _Layout:
    room = round(profile.width * (1 - 2 * _MARGIN))
    lines = tuple(
        _Line(tuple(_runs(words, text)))
        for line in text.text.split("\n")
        for words in _broken(line, text, room)
    )
    height = round(text.size * _LINE_SPACING)
    padding = round(text.size * (0.4 if text.box else 0.15))
    width = max(line.width for line in lines) + 2 * padding
    return _Layout(lines, (width, height * len(lines) + 2 * padding), height, padding)


@dataclass(frozen=True, slots=True)
class _Run:
    """Neighbouring characters of one font."""

    text: str
    font: fonts.Font

    @property
    def width(self) -> float:
        return self.font.getlength(self.text)


@dataclass(frozen=True, slots=True)
class _Line:
    runs: tuple[_Run, ...]

    @property
    def width(self) -> int:
        return round(sum(run.width for run in self.runs))

    def draw(
        self, pen: ImageDraw.ImageDraw, left: int, baseline: int, color: tuple[int, int, int]
    ) -> None:
        x = float(left)
        for run in self.runs:
            pen.text((x, baseline), run.text, font=run.font, fill=(*color, 255), anchor="ls")
            x += run.width


def _runs(line: str, text: Text) -> list[_Run]:
    faces: list[fonts.Face] = []
    for char in line:
        follows = faces and fonts.draws(faces[-1], char) and not char.isascii()
        faces.append(faces[-1] if follows else fonts.face_for(char))
    return [
        _Run("".join(char for _, char in group), face.font(text.size, bold=text.bold))
        for face, group in groupby(zip(faces, line, strict=True), key=lambda pair: pair[0])
    ]


def _broken(line: str, text: Text, room: int) -> list[str]:
    """*line* as lines that fit into *room*, broken between words where there are any."""
    found: list[str] = []
    current = ""
    for word in line.split(" "):
        longer = f"{current} {word}" if current else word
        if current and _Line(tuple(_runs(longer, text))).width > room:
            found.append(current)
            current = word
        else:
            current = longer
    return [*found, current]


def _fits(size: tuple[int, int], profile: Profile) -> bool:
    return size[0] <= profile.width and size[1] <= profile.height


def _require_fit(layout: _Layout, text: Text, profile: Profile) -> None:
    if _fits(layout.size, profile):
        return
    width, height = layout.size
    factor = min(profile.width / width, profile.height / height)
    raise UsageError(
        f"the text needs {width}x{height} pixels, the frame has {profile.width}x{profile.height}",
        hint=f"use --size {max(_SMALLEST, int(text.size * factor * 0.95))} or a shorter text",
    )


def _aligned(anchor: Anchor, spare: int) -> int:
    if anchor in (Anchor.LEFT, Anchor.TOP_LEFT, Anchor.BOTTOM_LEFT):
        return 0
    if anchor in (Anchor.RIGHT, Anchor.TOP_RIGHT, Anchor.BOTTOM_RIGHT):
        return spare
    return spare // 2


def _corner(text: Text, size: tuple[int, int], profile: Profile) -> tuple[int, int]:
    """Where the upper left corner goes, inside the frame whatever the offset."""
    words = text.anchor.value.split("-")
    edge_x, edge_y = round(profile.width * _MARGIN), round(profile.height * _MARGIN)
    spare_x, spare_y = profile.width - size[0], profile.height - size[1]
    x = edge_x if "left" in words else spare_x - edge_x if "right" in words else spare_x // 2
    y = edge_y if "top" in words else spare_y - edge_y if "bottom" in words else spare_y // 2
    return max(0, min(spare_x, x + text.dx)), max(0, min(spare_y, y + text.dy))
