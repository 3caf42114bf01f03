"""Values as people write them: colours, times, frame rates. Each is checked once, here."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from cli_anything.kit.errors import UsageError

COLOR_NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "gray": "#808080",
    "red": "#e53935",
    "orange": "#fb8c00",
    "yellow": "#fdd835",
    "green": "#43a047",
    "teal": "#00897b",
    "blue": "#1e88e5",
    "navy": "#0d1b3d",
    "purple": "#8e24aa",
    "pink": "#d81b60",
}

_HEX = re.compile(r"#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})\Z")
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)\Z")
_RATE = re.compile(r"(\d+(?:\.\d+)?)(?:/(\d+))?\Z")
_LENGTH = re.compile(r"([+-]?\d+(?:\.\d+)?)(%?)\Z")
_BROADCAST = {"23.976": "24000/1001", "29.97": "30000/1001", "59.94": "60000/1001"}

LONGEST_SECONDS = 24 * 3600.0


def color(text: str) -> str:
    """``#rrggbb`` of a name, ``#rgb`` or ``#rrggbb``. Raises :class:`UsageError`."""
    named = COLOR_NAMES.get(text.strip().lower())
    if named:
        return named
    match = _HEX.match(text.strip())
    if not match:
        raise UsageError(
            f"{text!r} is not a color",
            hint=f"write #rrggbb or one of {', '.join(COLOR_NAMES)}",
        )
    digits = match[1].lower()
    return "#" + (digits if len(digits) == 6 else "".join(digit * 2 for digit in digits))


def rgb(text: str) -> tuple[int, int, int]:
    """The three parts of ``#rrggbb``."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


def seconds(text: str) -> float:
    """Seconds, or ``[h:]m:s`` with fractions. Raises :class:`UsageError`."""
    match = _CLOCK.match(text.strip())
    try:
        if match:
            value = int(match[1] or 0) * 3600 + int(match[2]) * 60 + float(match[3])
        else:
            value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= LONGEST_SECONDS:
        raise UsageError(
            f"{text!r} is not a time",
            hint="write seconds (2.5) or minutes:seconds (1:02.5), at most a day",
        )
    return value


@dataclass(frozen=True, slots=True)
class Length:
    """Pixels, or a part of the frame's height."""

    amount: float
    relative: bool

    def pixels(self, height: int) -> int:
        return round(self.amount * height / 100) if self.relative else round(self.amount)


def length(text: str) -> Length:
    """``40`` pixels or ``12%`` of the frame's height. Raises :class:`UsageError`."""
    match = _LENGTH.match(text.strip())
    if not match or abs(float(match[1])) > (100 if match[2] else 8192):
        raise UsageError(
            f"{text!r} is not a length", hint="write pixels (40) or a part of the height (12%)"
        )
    return Length(float(match[1]), relative=bool(match[2]))


def frame_rate(text: str) -> Fraction:
    """Frames a second: ``25``, ``29.97`` or ``30000/1001``. Raises :class:`UsageError`."""
    spelt = _BROADCAST.get(text.strip(), text.strip())
    match = _RATE.match(spelt)
    rate = Fraction(match[1]) / int(match[2] or 1) if match and match[2] != "0" else Fraction(0)
    if not 1 <= rate <= 240:
        raise UsageError(
            f"{text!r} is not a frame rate", hint="between 1 and 240, for example 25 or 30000/1001"
        )
    return rate


def frames(duration: float, rate: Fraction) -> int:
    """The whole number of frames nearest to *duration*."""
    return round(Fraction(duration) * rate)
