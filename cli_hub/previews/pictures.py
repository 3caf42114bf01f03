"""Looking at pictures: what two have in common, and a picture's colours in a few words.

Pictures are foreign input: only raster formats are opened, and none above 50 million pixels.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

_FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
_PIXEL_LIMIT = 50_000_000
_MARK = (226, 45, 60)


class Unreadable(Exception):
    """The file is not a picture we can look at; the text says why."""


@dataclass(frozen=True, slots=True)
class PictureChange:
    """How two pictures differ. *box* is left, top, right, bottom in pixels, ``None`` if alike.

    Pictures of different size are compared on a canvas that holds both.
    """

    changed_pixels: int
    total_pixels: int
    box: tuple[int, int, int, int] | None
    size_before: tuple[int, int]
    size_after: tuple[int, int]

    @property
    def share(self) -> float:
        """The changed part of all pixels, 0 to 1."""
        return self.changed_pixels / self.total_pixels if self.total_pixels else 0.0


def compare(
    before: Path, after: Path, *, tolerance: int = 4, difference: Path | None = None
) -> PictureChange:
    """Compare two pictures; a pixel changed when a channel differs by more than *tolerance* of 255.

    With *difference* a PNG is written there: the old picture pale, what changed in red. Raises
    :class:`Unreadable`.
    """
    from PIL import ImageChops

    old, new = _open(before), _open(after)
    canvas = (max(old.width, new.width), max(old.height, new.height))
    first, second = _on_canvas(old, canvas), _on_canvas(new, canvas)
    worst, *others = ImageChops.difference(first, second).split()
    for channel in others:
        worst = ImageChops.lighter(worst, channel)
    mask = worst.point([255 if level > tolerance else 0 for level in range(256)])
    changed = mask.histogram()[255]
    if difference is not None:
        _draw_difference(first, mask, difference)
    return PictureChange(
        changed, canvas[0] * canvas[1], mask.getbbox(), (old.width, old.height), new.size
    )


def colours(path: Path) -> str:
    """The picture in a few words: ``dark, 62% #2b2b2d, 20% #c8732e``. Raises Unreadable."""
    small = _open(path)
    small.thumbnail((64, 64))
    counted = small.convert("RGB").quantize(6).convert("RGB").getcolors() or []
    total = sum(count for count, _ in counted) or 1
    biggest = sorted(
        ((count, colour) for count, colour in counted if isinstance(colour, tuple)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    light = sum(n * (0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2]) for n, c in biggest) / total
    tone = "dark" if light < 70 else "bright" if light > 185 else "mid-toned"
    if len(biggest) == 1 or biggest[0][0] / total > 0.995:
        return f"a single colour, #{_hex(biggest[0][1])}" if biggest else tone
    named = [f"{round(100 * n / total)}% #{_hex(c)}" for n, c in biggest[:3] if n / total > 0.02]
    return ", ".join([tone, *named])


def _hex(colour: tuple[int, ...]) -> str:
    return "".join(f"{level:02x}" for level in colour[:3])


def _open(path: Path) -> Image:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            # Pillow warns of large pictures; our own limit below is the one that counts.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(path, formats=_FORMATS) as picture:
                if picture.width * picture.height > _PIXEL_LIMIT:
                    raise Unreadable(f"{path.name} has more than {_PIXEL_LIMIT} pixels")
                return picture.convert("RGBA")
    except UnidentifiedImageError:
        raise Unreadable(f"{path.name} is not a PNG, JPEG, GIF, WebP or BMP picture") from None
    except Image.DecompressionBombError:
        raise Unreadable(f"{path.name} has more than {_PIXEL_LIMIT} pixels") from None
    except (OSError, ValueError, SyntaxError) as problem:  # what Pillow raises for damaged files
        raise Unreadable(f"{path.name} is damaged: {problem}") from None


def _on_canvas(picture: Image, size: tuple[int, int]) -> Image:
    from PIL import Image

    if picture.size == size:
        return picture
    canvas = Image.new("RGBA", size, (0, 0, 0, 0))
    canvas.paste(picture, (0, 0))
    return canvas


def _draw_difference(before: Image, mask: Image, target: Path) -> None:
    from PIL import Image

    pale = Image.blend(
        before.convert("L").convert("RGB"), Image.new("RGB", before.size, "white"), 0.6
    )
    pale.paste(Image.new("RGB", before.size, _MARK), mask=mask)
    target.parent.mkdir(parents=True, exist_ok=True)
    pale.save(target, format="PNG")
