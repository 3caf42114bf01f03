"""What a media file looks and sounds like once decoded: brightness of frames, loudest sample."""

from __future__ import annotations

import sys
import tempfile
from array import array
from dataclasses import dataclass
from pathlib import Path

from cli_anything.kit import processes
from cli_anything.kit.processes import Runner, command
from cli_anything.kit.verify.packets import READ_SECONDS, Media, file_url, only_files

_WIDTH, _HEIGHT = 96, 54
_FRAME = _WIDTH * _HEIGHT * 3
_BLACK_BELOW = 32
_SILENT_BELOW = 33  # of 32768, about -60 dB


@dataclass(frozen=True, slots=True)
class Decoded:
    """*brightest* holds, a frame, its brightest area (about 1% of the frame's sides), 0-255.

    Of that area it is the strongest colour that counts: by luminance, a deep blue would be black.

    *errors* is what the decoder complained of; empty when the file is whole.
    """

    brightest: tuple[int, ...]
    loudest: int
    errors: str

    @property
    def is_black(self) -> bool:
        return all(value < _BLACK_BELOW for value in self.brightest)

    @property
    def is_silent(self) -> bool:
        return self.loudest < _SILENT_BELOW


def decode(media: Media, ffmpeg: str, run: Runner = processes.run) -> Decoded:
    """Decode the first video and audio stream of *media* to their ends."""
    with tempfile.TemporaryDirectory(prefix="decoded-") as folder:
        pictures, sound = Path(folder, "rgb"), Path(folder, "pcm")
        outputs: list[str] = []
        if media.video is not None:
            shrink = f"scale={_WIDTH}:{_HEIGHT}:flags=area,format=rgb24"
            outputs += ["-map", "0:V:0", "-vf", shrink, "-f", "rawvideo", str(pictures)]
        if media.audio is not None:
            outputs += ["-map", "0:a:0", "-ac", "1", "-ar", "16000", "-f", "s16le", str(sound)]
        done = run(
            command(
                ffmpeg, "-v", "error", "-nostdin", *only_files(),
                "-i", file_url(media.path), *outputs,
            ),
            timeout=READ_SECONDS,
        )  # fmt: skip
        errors = done.tail(3) or ("" if done.ok else f"exit {done.exit_code}")
        return Decoded(_brightest(pictures), _loudest(sound), errors)


def _brightest(pictures: Path) -> tuple[int, ...]:
    if not pictures.exists():
        return ()
    found = []
    with pictures.open("rb") as stream:
        while len(frame := stream.read(_FRAME)) == _FRAME:
            found.append(max(frame))
    return tuple(found)


def _loudest(sound: Path) -> int:
    if not sound.exists():
        return 0
    loudest = 0
    with sound.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            samples = array("h", chunk[: len(chunk) // 2 * 2])
            if sys.byteorder == "big":
                samples.byteswap()
            loudest = max(loudest, max(samples), -min(samples))
    return loudest
