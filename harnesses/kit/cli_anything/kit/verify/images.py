"""Is this file the picture that was asked for?"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cli_anything.kit.verify.checks import Check, Verification, same, verification

_BLACK_BELOW = 16
"""A picture whose brightest pixel is darker than this (of 255) is black."""


@dataclass(frozen=True, slots=True)
class ExpectedImage:
    """*format* is Pillow's word (``PNG``, ``JPEG``). ``None`` leaves a property open."""

    format: str | None = None
    width: int | None = None
    height: int | None = None
    blank_allowed: bool = False


def verify_image(path: Path, expected: ExpectedImage) -> Verification:
    """Check format by content, size, that it decodes to its end, and that it shows something."""
    return verification(path, _checks(path, expected))


def _checks(path: Path, expected: ExpectedImage) -> Iterator[Check]:
    from PIL import Image  # heavy, and only verification needs it

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                yield from _looks(image, expected)
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError, Warning) as problem:
        yield Check("picture", False, "one that decodes to its end", str(problem))


def _looks(image: object, expected: ExpectedImage) -> Iterator[Check]:
    from PIL import Image

    assert isinstance(image, Image.Image)  # noqa: S101 - the type is only known after the import
    image.load()
    yield Check("picture", True, "one that decodes to its end", "decodes")
    if expected.format is not None:
        yield same("format", expected.format, image.format)
    if expected.width is not None:
        yield same("width", expected.width, image.width)
    if expected.height is not None:
        yield same("height", expected.height, image.height)
    if not expected.blank_allowed:
        yield _shows_something(image)


def _shows_something(image: object) -> Check:
    from PIL import Image

    assert isinstance(image, Image.Image)  # noqa: S101
    plain = image.convert("RGBA")
    if plain.getchannel("A").getextrema()[1] == 0:
        return Check("content", False, "something visible", "all transparent")
    bands = plain.convert("RGB").getextrema()
    brightest = max(high for _, high in bands)  # type: ignore[misc]
    if brightest < _BLACK_BELOW:
        return Check("content", False, "something visible", "all black")
    if all(low == high for low, high in bands):  # type: ignore[misc]
        return Check("content", False, "something visible", "one colour only")
    return Check("content", True, "something visible", "visible")
