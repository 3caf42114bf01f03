"""Looks at the screen and finds pictures on it, with OpenCV's template matching."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import cv2
import mss
import numpy

from cli_anything.macrocli.desktop.display import NO_DISPLAY, DesktopUnavailable, display_problem

Pixels: TypeAlias = Any
"""Rows of blue, green, red; OpenCV's own order."""

LEAST, MOST = 0.5, 2.0
"""The sizes a picture is looked for, relative to the template."""

_RATIO = 1.07
"""From one size to the next; matching forgives a few per cent."""

_GRABS = 4
_MANY = 100
_CANDIDATES = 3
"""Places of the coarse search that are looked at closely."""

_NEAR = 4
"""Pixels by which a place found in half the resolution may be off."""

_IDENTICAL = 0.98

_PLAIN = 2.0
"""Standard deviation of grey below which a picture has nothing to be found by."""


@dataclass(frozen=True, slots=True)
class Match:
    """Where a picture is on the screen; *confidence* is 1 for a perfect one."""

    x: int
    y: int
    width: int
    height: int
    confidence: float
    scale: float

    @property
    def middle(self) -> tuple[int, int]:
        return self.x + self.width // 2, self.y + self.height // 2


class BadTemplate(ValueError):
    """A picture that cannot be looked for."""


def grab(environment: Mapping[str, str], region: tuple[int, int, int, int] | None = None) -> Pixels:
    """The screen, or ``(x, y, width, height)`` of it; raises :class:`DesktopUnavailable`."""
    problem = display_problem(environment)
    if problem:
        raise DesktopUnavailable(problem, hint=NO_DISPLAY)
    for attempt in range(1, _GRABS + 1):
        try:
            return _grab_once(environment, region)
        except mss.ScreenShotError as failure:
            # An X server without clients starts over, and refuses connections while it does.
            if attempt == _GRABS:
                raise DesktopUnavailable(f"the screen cannot be read: {failure}") from None
            time.sleep(0.1)
    raise AssertionError("the last attempt returns or raises")


def _grab_once(environment: Mapping[str, str], region: tuple[int, int, int, int] | None) -> Pixels:
    options: dict[str, Any] = (
        {"display": environment["DISPLAY"]} if environment.get("DISPLAY") else {}
    )
    with mss.MSS(**options) as screen:
        wanted = screen.monitors[0]
        if region is not None:
            wanted = dict(zip(("left", "top", "width", "height"), region, strict=True))
        return numpy.asarray(screen.grab(wanted))[:, :, :3].copy()


def load_template(path: Path) -> Pixels:
    """A picture to look for; raises :class:`BadTemplate`."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise BadTemplate(f"{path} cannot be read: {problem.strerror}") from None
    picture = cv2.imdecode(numpy.frombuffer(content, numpy.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise BadTemplate(f"{path} is not a picture")
    if is_plain(picture):
        raise BadTemplate(f"{path} is of one colour: there is nothing to find it by")
    return picture


def is_plain(picture: Pixels) -> bool:
    """Whether a picture is of one colour, so that it has nothing to be found by."""
    return float(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).std()) < _PLAIN


def encode_png(pixels: Pixels) -> bytes:
    """A picture as PNG."""
    done, content = cv2.imencode(".png", pixels)
    if not done:
        raise BadTemplate("the picture cannot be written as PNG")
    encoded: bytes = content.tobytes()
    return encoded


def save_png(pixels: Pixels, path: Path) -> None:
    """Write a picture; raises :class:`OSError` when it cannot be written."""
    path.write_bytes(encode_png(pixels))


def find(
    screen: Pixels, template: Pixels, confidence: float, scales: Sequence[float] = ()
) -> tuple[Match | None, float]:
    """The best place of *template* at least so confident, and the best confidence seen.

    Without *scales* its own size is tried first, which is the common case and fast; then sizes from
    half to double, and finely around the best of them.
    """
    grey = cv2.cvtColor(screen, cv2.COLOR_BGR2GRAY)
    wanted = cv2.cvtColor(template, cv2.COLOR_BGR2GRAY)
    same = None if scales else _the_very_same(grey, wanted)
    if same is not None and same.confidence >= confidence:
        return same, same.confidence
    best = _best(grey, wanted, scales or [1.0])
    if not scales and (best is None or best.confidence < confidence):
        best = _best_of_any_size(grey, wanted)
    if best is None:
        return None, 0.0
    return (best if best.confidence >= confidence else None), best.confidence


def _the_very_same(grey: Pixels, template: Pixels) -> Match | None:
    """The template as it is, looked for in half the resolution first; None if it is not there.

    A quarter of the work for what is nearly always asked; whatever is only similar is left to the
    whole search.
    """
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coarse = _at_scale(half, template, 0.5)
    if coarse is None:
        return None
    height, width = template.shape[:2]
    left, top = max(0, coarse.x * 2 - _NEAR), max(0, coarse.y * 2 - _NEAR)
    around = grey[top : top + height + 2 * _NEAR, left : left + width + 2 * _NEAR]
    found = _at_scale(around, template, 1.0)
    if found is None or found.confidence < _IDENTICAL:
        return None
    return replace(found, x=found.x + left, y=found.y + top)


def _best_of_any_size(grey: Pixels, template: Pixels) -> Match | None:
    """Coarsely in half the resolution, then finely where that looked best."""
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    coarse = [found for size in _sizes() if (found := _at_scale(half, template, size / 2))]
    coarse.sort(key=lambda match: -match.confidence)
    fine = [_refine(grey, template, match) for match in coarse[:_CANDIDATES]]
    return max(filter(None, fine), key=lambda match: match.confidence, default=None)


def _refine(grey: Pixels, template: Pixels, coarse: Match) -> Match | None:
    margin = 8 + max(coarse.width, coarse.height) // 5
    left, top = max(0, coarse.x * 2 - margin), max(0, coarse.y * 2 - margin)
    right = coarse.x * 2 + coarse.width * 2 + margin
    bottom = coarse.y * 2 + coarse.height * 2 + margin
    sizes = [coarse.scale * 2 * (1 + step / 200) for step in range(-8, 9)]
    found = _best(grey[top:bottom, left:right], template, sizes)
    return None if found is None else replace(found, x=found.x + left, y=found.y + top)


def _sizes() -> list[float]:
    sizes = [LEAST]
    while sizes[-1] * _RATIO < MOST:
        sizes.append(sizes[-1] * _RATIO)
    return [*sizes, MOST]


def _best(grey: Pixels, template: Pixels, scales: Sequence[float]) -> Match | None:
    matches = [match for scale in scales if (match := _at_scale(grey, template, scale))]
    return max(matches, key=lambda match: match.confidence, default=None)


def _at_scale(grey: Pixels, template: Pixels, scale: float) -> Match | None:
    height, width = (max(1, round(side * scale)) for side in template.shape[:2])
    if height > grey.shape[0] or width > grey.shape[1] or min(height, width) < 4:
        return None
    if scale != 1.0:
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
        template = cv2.resize(template, (width, height), interpolation=how)
    found = cv2.matchTemplate(grey, template, cv2.TM_CCOEFF_NORMED)
    _, confidence, _, (x, y) = cv2.minMaxLoc(found)
    if not numpy.isfinite(confidence):
        return None
    return Match(x, y, width, height, float(confidence), scale)


def count_places(screen: Pixels, template: Pixels, confidence: float) -> int:
    """At how many places the picture is on the screen, in its own size."""
    grey = cv2.cvtColor(screen, cv2.COLOR_BGR2GRAY)
    small = cv2.cvtColor(template, cv2.COLOR_BGR2GRAY)
    found = cv2.matchTemplate(grey, small, cv2.TM_CCOEFF_NORMED)
    height, width = small.shape
    places = 0
    while places < _MANY:
        _, best, _, (x, y) = cv2.minMaxLoc(found)
        if best < confidence:
            break
        places += 1
        left, top = max(0, x - width // 2), max(0, y - height // 2)
        found[top : y + height // 2 + 1, left : x + width // 2 + 1] = -1
    return places
