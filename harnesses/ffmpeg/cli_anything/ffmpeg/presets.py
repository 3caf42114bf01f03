"""What a render can become: container, codecs and their settings."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import ApplicationMissing, NotFound, UsageError


@dataclass(frozen=True, slots=True)
class Preset:
    """*container*, *video* and *audio* are what verification finds in a file of this preset."""

    name: str
    help: str
    suffix: str
    container: str
    video: str = ""
    audio: str = ""
    encoders: tuple[str, ...] = ()
    video_options: tuple[str, ...] = ()
    audio_options: tuple[str, ...] = ()
    pixel_format: str = "yuv420p"
    exact_rate: bool = True

    def missing(self, encoders: frozenset[str]) -> tuple[str, ...]:
        return tuple(name for name in self.encoders if name not in encoders)

    def require(self, encoders: frozenset[str]) -> None:
        """Raise :class:`ApplicationMissing` when this ffmpeg lacks an encoder."""
        lacking = self.missing(encoders)
        if lacking:
            raise ApplicationMissing(
                f"this ffmpeg has no encoder {lacking[0]}, which the preset {self.name} needs",
                hint="use another preset (export presets), or an ffmpeg that has it",
            )

    def require_suffix(self, output: Path) -> None:
        """Raise :class:`UsageError` when the name of *output* says another format."""
        if output.suffix.lower() != self.suffix:
            raise UsageError(
                f"the preset {self.name} makes {self.suffix} files, not {output.name}",
                hint=f"name it {output.stem}{self.suffix}, or choose another preset",
            )

    def as_document(self, encoders: frozenset[str]) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.help,
            "suffix": self.suffix,
            "container": self.container,
            "video_codec": self.video or None,
            "audio_codec": self.audio or None,
            "available": not self.missing(encoders),
        }


_ALL = (
    Preset(
        "mp4",
        "H.264 and AAC: plays everywhere",
        ".mp4",
        "mp4",
        "h264",
        "aac",
        ("libx264", "aac"),
        ("-c:v", "libx264", "-preset", "veryfast", "-crf", "18"),
        ("-c:a", "aac", "-b:a", "160k"),
    ),
    Preset(
        "draft",
        "H.264 and AAC, fast and small, for looking at",
        ".mp4",
        "mp4",
        "h264",
        "aac",
        ("libx264", "aac"),
        ("-c:v", "libx264", "-preset", "veryfast", "-crf", "28"),
        ("-c:a", "aac", "-b:a", "96k"),
    ),
    Preset(
        "webm",
        "VP9 and Opus: for the web",
        ".webm",
        "webm",
        "vp9",
        "opus",
        ("libvpx-vp9", "libopus"),
        ("-c:v", "libvpx-vp9", "-crf", "33", "-b:v", "0", "-deadline", "good", "-cpu-used", "4"),
        ("-c:a", "libopus", "-b:a", "128k"),
    ),
    Preset(
        "gif",
        "An animated picture, without sound",
        ".gif",
        "gif",
        "gif",
        "",
        ("gif",),
        ("-c:v", "gif", "-gifflags", "-transdiff-offsetting"),
        (),
        "",
        exact_rate=False,
    ),
    Preset(
        "prores",
        "ProRes 422 and PCM in MOV, for editing on",
        ".mov",
        "mov",
        "prores",
        "pcm_s16le",
        ("prores_ks", "pcm_s16le"),
        ("-c:v", "prores_ks", "-profile:v", "2", "-vendor", "apl0"),
        ("-c:a", "pcm_s16le"),
        "yuv422p10le",
    ),
    Preset(
        "wav",
        "Sound only, uncompressed",
        ".wav",
        "wav",
        "",
        "pcm_s16le",
        ("pcm_s16le",),
        (),
        ("-c:a", "pcm_s16le"),
    ),
    Preset(
        "mp3",
        "Sound only, compressed",
        ".mp3",
        "mp3",
        "",
        "mp3",
        ("libmp3lame",),
        (),
        ("-c:a", "libmp3lame", "-b:a", "192k", "-write_xing", "0"),
    ),
)

PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in _ALL}


def find(name: str) -> Preset:
    """Raises :class:`NotFound` with the nearest names."""
    if name in PRESETS:
        return PRESETS[name]
    raise NotFound(
        f"there is no preset {name!r}",
        nearest=difflib.get_close_matches(name, PRESETS, n=3) or list(PRESETS),
    )


def for_output(output: Path) -> Preset:
    """The preset that the suffix of *output* means. Raises :class:`UsageError`."""
    for preset in _ALL:
        if preset.suffix == output.suffix.lower():
            return preset
    suffixes = ", ".join(dict.fromkeys(preset.suffix for preset in _ALL))
    raise UsageError(
        f"{output.name} does not say which format to write", hint=f"end it with one of {suffixes}"
    )
