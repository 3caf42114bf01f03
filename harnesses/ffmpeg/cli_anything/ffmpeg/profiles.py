"""Frame sizes and rates with names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from fractions import Fraction

from cli_anything.ffmpeg.timeline import Profile
from cli_anything.kit.errors import NotFound

_SIZES = {
    "360p": (640, 360),
    "480p": (854, 480),
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "2160p": (3840, 2160),
    "square": (1080, 1080),
    "vertical": (1080, 1920),
}
_RATES = {
    "24": Fraction(24),
    "25": Fraction(25),
    "30": Fraction(30),
    "60": Fraction(60),
    "ntsc": Fraction(30000, 1001),
}
DEFAULT = "720p-30"

PROFILES: Mapping[str, Profile] = {
    f"{size}-{rate}": Profile(width, height, frames)
    for size, (width, height) in _SIZES.items()
    for rate, frames in _RATES.items()
}


def find(name: str) -> Profile:
    """Raises :class:`NotFound` with the nearest names."""
    if name in PROFILES:
        return PROFILES[name]
    nearest = difflib.get_close_matches(name, PROFILES, n=3)
    hint = "" if nearest else "project profiles shows all"
    raise NotFound(f"there is no profile {name!r}", nearest=nearest, hint=hint)
