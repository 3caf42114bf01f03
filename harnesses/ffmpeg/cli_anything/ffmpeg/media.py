"""What a media file is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from cli_anything.ffmpeg import ffmpeg
from cli_anything.ffmpeg.document import rate_text
from cli_anything.kit.verify.packets import Media, Stream, read_media

_USUAL_RATES = tuple(
    Fraction(rate)
    for rate in ("24000/1001", "24", "25", "30000/1001", "30", "50", "60000/1001", "60")
)


def read(path: Path) -> Media:
    """Raises :class:`NotFound`, :class:`NotMedia`, :class:`ApplicationMissing`."""
    return read_media(path, ffmpeg.require())


def as_document(media: Media) -> dict[str, Any]:
    """What ``media probe`` answers; durations in seconds, exact to the frame."""
    return {
        "path": str(media.path),
        "bytes": media.path.stat().st_size,
        "container": media.container,
        "still": media.is_still,
        "duration_s": 0.0 if media.is_still else _seconds(media.duration),
        "video": _video(media.video, still=media.is_still),
        "audio": _audio(media.audio),
        "streams": len(media.streams),
    }


def _video(stream: Stream | None, *, still: bool) -> dict[str, Any] | None:
    if stream is None:
        return None
    return {
        "codec": stream.codec,
        "width": stream.width,
        "height": stream.height,
        "fps": None if still else rate_text(usual_rate(stream.frame_rate)),
        "frames": stream.frames,
        "duration_s": 0.0 if still else _seconds(stream.duration),
    }


def _audio(stream: Stream | None) -> dict[str, Any] | None:
    if stream is None:
        return None
    return {
        "codec": stream.codec,
        "sample_rate": stream.sample_rate,
        "channels": stream.channels,
        "duration_s": _seconds(stream.duration),
    }


def usual_rate(rate: Fraction) -> Fraction:
    """The standard rate that *rate* means when its time stamps were rounded, else itself."""
    close = [usual for usual in _USUAL_RATES if abs(usual - rate) < usual / 4000]
    return close[0] if close else rate


def _seconds(value: Fraction) -> float:
    return round(float(value), 6)
