"""Times as people write them: ``1.5s``, ``250ms``, ``2m``, ``1h``."""

from __future__ import annotations

import re

_DURATION = r"\s*([0-9]+(?:\.[0-9]+)?)\s*(ms|s|m|h)\s*\Z"
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(text: str) -> float:
    """Read a duration with its unit; raises :class:`ValueError` when it is not one."""
    match = re.match(_DURATION, text)
    if match is None:
        raise ValueError(f"{text!r} is not a duration such as 500ms, 1.5s, 2m or 1h")
    return float(match[1]) * _SECONDS[match[2]]


def shown(amount: float) -> str:
    """A duration for people: ``340 ms``, ``2.1 s``, ``3 min 5 s``."""
    if amount < 1:
        return f"{amount * 1000:.0f} ms"
    if amount < 60:
        return f"{amount:.1f} s"
    return f"{int(amount // 60)} min {amount % 60:.0f} s"
