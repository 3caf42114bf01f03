"""Is this file the video or sound that was asked for?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cli_anything.kit import processes
from cli_anything.kit.errors import HarnessError
from cli_anything.kit.processes import Runner
from cli_anything.kit.verify.checks import Check, Verification, same, verification
from cli_anything.kit.verify.decoded import Decoded, decode
from cli_anything.kit.verify.packets import Media, Stream, read_media


@dataclass(frozen=True, slots=True)
class ExpectedVideo:
    """Frame size in pixels; *frames* at *rate* a second give the duration."""

    codec: str
    width: int
    height: int
    rate: Fraction
    frames: int
    black_allowed: bool = False
    exact_rate: bool = True
    """Off for formats that round the time of each frame, such as GIF."""


@dataclass(frozen=True, slots=True)
class ExpectedAudio:
    """*duration* in seconds; codecs pad it, so *tolerance* says by how much it may differ."""

    codec: str
    duration: Fraction
    tolerance: Fraction
    silence_allowed: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedMedia:
    """*container* is a word of :func:`container_of`. A missing part must not be in the file."""

    container: str
    video: ExpectedVideo | None = None
    audio: ExpectedAudio | None = None


def verify_media(
    path: Path, expected: ExpectedMedia, ffmpeg: str, run: Runner = processes.run
) -> Verification:
    """Check container, streams, frame size, rate, count and duration, and what is seen and heard.

    The file is decoded to its end, so a truncated one is found out.
    """
    return verification(path, _checks(path, expected, ffmpeg, run))


def _checks(path: Path, expected: ExpectedMedia, ffmpeg: str, run: Runner) -> Iterator[Check]:
    try:
        media = read_media(path, ffmpeg, run)
    except HarnessError as problem:
        yield Check("file", False, f"a readable {expected.container}", problem.message)
        return
    yield same("container", expected.container, media.container)
    decoded = decode(media, ffmpeg, run)
    yield Check(
        "decoding", not decoded.errors, "without errors to the end", decoded.errors or "no errors"
    )
    if expected.video is None:
        yield same("video streams", 0, _count(media, "video"))
    elif media.video is None:
        yield Check("video", False, expected.video.codec, "no video stream")
    else:
        yield from _video(media.video, expected.video, decoded)
    if expected.audio is None:
        yield same("audio streams", 0, _count(media, "audio"))
    elif media.audio is None:
        yield Check("audio", False, expected.audio.codec, "no audio stream")
    else:
        yield from _audio(media.audio, expected.audio, decoded)


def _count(media: Media, kind: str) -> int:
    return sum(stream.kind == kind for stream in media.streams)


def _video(found: Stream, wanted: ExpectedVideo, decoded: Decoded) -> Iterator[Check]:
    yield same("video codec", wanted.codec, found.codec)
    yield same("frame size", f"{wanted.width}x{wanted.height}", f"{found.width}x{found.height}")
    yield same("frames", wanted.frames, found.frames)
    yield Check(
        "decoded frames",
        abs(len(decoded.brightest) - wanted.frames) <= 1,
        wanted.frames,
        len(decoded.brightest),
    )
    duration = wanted.frames / wanted.rate
    yield Check(
        "duration",
        abs(found.duration - duration) < 1 / wanted.rate,
        f"{float(duration):.3f} s",
        f"{float(found.duration):.3f} s",
    )
    if wanted.exact_rate and wanted.frames > 1:
        close = abs(found.frame_rate - wanted.rate) * duration < 1
        yield Check("frame rate", close, _rate(wanted.rate), _rate(found.frame_rate))
    if not wanted.black_allowed:
        yield Check(
            "picture", not decoded.is_black, "visible", "black" if decoded.is_black else "visible"
        )


def _audio(found: Stream, wanted: ExpectedAudio, decoded: Decoded) -> Iterator[Check]:
    yield same("audio codec", wanted.codec, found.codec)
    yield Check(
        "audio duration",
        abs(found.duration - wanted.duration) <= wanted.tolerance,
        f"{float(wanted.duration):.3f} s",
        f"{float(found.duration):.3f} s",
    )
    if not wanted.silence_allowed:
        silent = decoded.is_silent
        yield Check("sound", not silent, "audible", "silent" if silent else "audible")


def _rate(rate: Fraction) -> str:
    return f"{float(rate):.3f}".rstrip("0").rstrip(".") + " frames/s"
