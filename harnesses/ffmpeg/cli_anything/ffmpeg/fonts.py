"""Which font can draw a character.

First the font this package depends on (Latin, Greek, Cyrillic), then the one inside Pillow, then
the fonts of the system, which are only looked through for what those lack.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path

from PIL import ImageFont

from cli_anything.kit.errors import UsageError

Font = ImageFont.FreeTypeFont

_PREFERRED = ("notosanscjk", "notosans", "dejavusans", "arial unicode", "arial", "symbol", "emoji")
_NEVER_A_CHARACTER = "\uffff"
_PROBE_SIZE = 32
_REGULAR, _BOLD = 400.0, 700.0


class CannotDraw(UsageError):
    """No font here has a glyph for some character."""

    code = "no_glyph"


@dataclass(frozen=True, slots=True)
class Face:
    """A font file, or (no *path*) the font inside Pillow."""

    path: Path | None
    index: int = 0
    variable: bool = False

    def font(self, size: int, *, bold: bool = False) -> Font:
        if self.path is None:
            found = ImageFont.load_default(size)
            assert isinstance(found, ImageFont.FreeTypeFont)  # noqa: S101 - it is when given a size
            return found
        font = ImageFont.truetype(str(self.path), size, index=self.index)
        if self.variable:
            others = [float(axis["default"] or 0) for axis in font.get_variation_axes()[1:]]
            font.set_variation_by_axes([_BOLD if bold else _REGULAR, *others])
        return font


def face_for(char: str) -> Face:
    """The first face that draws *char*. Raises :class:`CannotDraw` naming the character."""
    for face in _faces():
        if draws(face, char):
            return face
    name = unicodedata.name(char, "unnamed")
    raise CannotDraw(
        f"no font here can draw {char!r} (U+{ord(char):04X} {name})",
        hint="write it another way, or install a font that has it, for example Noto",
        details={"character": char, "code_point": f"U+{ord(char):04X}"},
    )


@lru_cache(maxsize=4096)
def draws(face: Face, char: str) -> bool:
    """Whether *face* has its own glyph for *char*, not the box that stands for missing ones."""
    if char.isspace() or unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return True  # spaces show nothing; marks and joiners go with their neighbours
    font = _probe_font(face)
    drawn, missing = bytes(font.getmask(char)), _missing_glyph(face)
    return drawn != missing and any(drawn)


@cache
def _probe_font(face: Face) -> Font:
    return face.font(_PROBE_SIZE)


@cache
def _missing_glyph(face: Face) -> bytes:
    return bytes(_probe_font(face).getmask(_NEVER_A_CHARACTER))


def _faces() -> Iterator[Face]:
    yield from _own_faces()
    yield from _system_faces()


@cache
def _own_faces() -> tuple[Face, ...]:
    try:
        folder = Path(str(files("fontpkg_noto_sans") / "files"))
    except ModuleNotFoundError:
        return (Face(None),)
    upright = sorted(path for path in folder.glob("*.ttf") if "Italic" not in path.name)
    return (*(Face(path, variable="[" in path.name) for path in upright[:1]), Face(None))


@cache
def _system_faces() -> tuple[Face, ...]:
    """Usable fonts of the system, the widest first; always in the same order."""
    found = [
        path
        for folder in _font_folders()
        if folder.is_dir()
        for path in folder.rglob("*")
        if path.suffix.lower() in {".ttf", ".otf", ".ttc"}
    ]
    found.sort(key=lambda path: (_rank(path), "bold" in path.name.lower(), len(path.name), path))
    return tuple(face for path in found if (face := _opened(path)) is not None)


def _opened(path: Path) -> Face | None:
    try:
        ImageFont.truetype(str(path), _PROBE_SIZE).getmask("a")
    except OSError:
        return None  # a damaged font, or a bitmap font of other sizes
    return Face(path)


def _rank(path: Path) -> int:
    name = path.name.lower()
    return next((i for i, word in enumerate(_PREFERRED) if word in name), len(_PREFERRED))


def _font_folders() -> tuple[Path, ...]:
    home = Path.home()
    if sys.platform == "darwin":
        return (Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts")
    if os.name == "nt":
        return (Path("C:/Windows/Fonts"),)
    return (
        Path("/usr/share/fonts"),
        Path("/usr/local/share/fonts"),
        home / ".local/share/fonts",
        home / ".fonts",
    )
