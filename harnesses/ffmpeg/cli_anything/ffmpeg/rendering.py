"""Turning a timeline into a file: draw, encode, verify, and only then give it its name."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps

from cli_anything.ffmpeg import ffmpeg, graph, lettering, values
from cli_anything.ffmpeg.ffmpeg import OnProgress
from cli_anything.ffmpeg.graph import Graph, Pictures
from cli_anything.ffmpeg.presets import Preset
from cli_anything.ffmpeg.timeline import Clip, Profile, SourceKind, Timeline
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.errors import UsageError
from cli_anything.kit.files import drafting
from cli_anything.kit.verify.checks import Verification
from cli_anything.kit.verify.media import (
    ExpectedAudio,
    ExpectedMedia,
    ExpectedVideo,
    verify_media,
)

_THREADS = "2"  # a fixed number, for some encoders cut their work by it
_GIF_RATE = Fraction(25)
_DARK_BELOW = 24
REPEATABLE = (
    "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
    "-map_metadata", "-1", "-map_chapters", "-1", "-threads", _THREADS,
)  # fmt: skip
_COLORS = (
    "-color_range", "tv", "-colorspace", "bt709", "-color_primaries", "bt709",
    "-color_trc", "bt709",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Allowance:
    """What verification lets pass because the caller says it is meant."""

    black: bool = False
    silence: bool = False


@dataclass(frozen=True, slots=True)
class Rendered:
    """A verified export."""

    output: Path
    preset: Preset
    timeline: Timeline
    verification: Verification
    seconds: float

    def as_document(self) -> dict[str, Any]:
        return {
            "output": str(self.output),
            "preset": self.preset.name,
            "bytes": self.output.stat().st_size,
            "duration_s": round(self.timeline.duration, 6),
            "frames": self.timeline.frames if self.preset.video else 0,
            "seconds": round(self.seconds, 3),
            "verification": self.verification.as_document(),
        }


def render(
    workspace: Workspace,
    output: Path,
    preset: Preset,
    *,
    overwrite: bool,
    allowed: Allowance = Allowance(),
    on_progress: OnProgress | None = None,
) -> Rendered:
    """Render the project into *output*; the same project gives the same bytes.

    Raises :class:`Conflict` when *output* exists, :class:`NotFound` for lost media,
    :class:`FfmpegFailed`, :class:`VerificationFailed` when the file is not what was asked for.
    """
    started = time.monotonic()
    timeline = workspace.timeline()
    preset.require_suffix(output)
    preset.require(ffmpeg.encoders())
    _require_content(timeline, preset)
    workspace.require_media(timeline)
    with drafting(output, overwrite=overwrite) as draft:
        encode(workspace, timeline, preset, draft, on_progress=on_progress)
        found = verify_media(draft, expected(timeline, preset, allowed), ffmpeg.require())
        found.require(name=output.name, hint=_hint(found))
    return Rendered(output, preset, timeline, found, time.monotonic() - started)


def encode(
    workspace: Workspace,
    timeline: Timeline,
    preset: Preset,
    output: Path,
    *,
    on_progress: OnProgress | None = None,
) -> None:
    """Run ffmpeg over the timeline; the result is not verified."""
    sound = timeline.has_sound and bool(preset.audio)
    with prepared(workspace, timeline, video=bool(preset.video), audio=sound) as built:
        text, video = _for_preset(built, preset, timeline)
        arguments: list[str | Path] = [*built.inputs]
        if preset.video:
            arguments += ["-map", f"[{video}]", *preset.video_options]
            arguments += ["-pix_fmt", preset.pixel_format] if preset.pixel_format else []
            arguments += _COLORS if preset.pixel_format else ()
        if sound:
            arguments += ["-map", f"[{built.audio}]", *preset.audio_options]
            arguments += ["-ar", str(graph.SAMPLE_RATE), "-ac", "2"]
        arguments += [*REPEATABLE, *_container_options(preset), "-y", output]
        ffmpeg.run(arguments, graph=text, on_progress=on_progress)


@contextmanager
def prepared(
    workspace: Workspace, timeline: Timeline, *, video: bool, audio: bool
) -> Iterator[Graph]:
    """The graph, with the pictures it needs drawn as long as the block lasts."""
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        pictures = draw_pictures(workspace, timeline, Path(folder))
        yield graph.build(timeline, workspace.media_path, pictures, video=video, audio=audio)


def draw_pictures(workspace: Workspace, timeline: Timeline, folder: Path) -> Pictures:
    """Draw gradients and texts, and copy stills, into *folder*."""
    texts, gradients, stills = {}, {}, {}
    for text in timeline.texts:
        lettered = lettering.draw(text, timeline.profile)
        path = folder / f"{text.id}.png"
        lettered.save(path)
        texts[text.id] = (path, lettered.x, lettered.y)
    for clip in timeline.clips:
        if clip.source.kind is SourceKind.GRADIENT:
            gradients[clip.id] = folder / f"{clip.id}.png"
            _gradient(clip, timeline.profile).save(gradients[clip.id], "PNG")
        elif clip.source.still:
            source = workspace.media_path(clip.source.path)
            stills[clip.id] = folder / f"{clip.id}{source.suffix.lower()}"
            shutil.copyfile(source, stills[clip.id])
    return Pictures(gradients, texts, stills)


def _gradient(clip: Clip, profile: Profile) -> Image.Image:
    """From the first color to the second, along the angle; 0 is left to right."""
    side = 2 * max(profile.width, profile.height)
    ramp = Image.linear_gradient("L").resize((side, side), Image.Resampling.BICUBIC)
    ramp = ramp.rotate(90 - clip.source.angle, Image.Resampling.BICUBIC)
    span = max(profile.width, profile.height)
    left, top = (side - span) // 2, (side - span) // 2
    mask = ramp.crop((left, top, left + span, top + span)).resize((profile.width, profile.height))
    mask = ImageOps.autocontrast(mask)
    first, second = (values.rgb(color) for color in clip.source.colors)
    size = (profile.width, profile.height)
    return Image.composite(Image.new("RGB", size, second), Image.new("RGB", size, first), mask)


def _for_preset(built: Graph, preset: Preset, timeline: Timeline) -> tuple[str, str]:
    """The graph's text and the label of its picture, as the preset's encoder wants it."""
    if preset.name != "gif":
        return built.text, built.video
    rate = _rate(timeline, preset)
    palette = (
        f"[{built.video}]fps={rate},split[gif_a][gif_b];\n"
        "[gif_a]palettegen=stats_mode=diff[gif_palette];\n"
        "[gif_b][gif_palette]paletteuse=dither=bayer:bayer_scale=4[gif]"
    )
    return f"{built.text};\n{palette}", "gif"


def _container_options(preset: Preset) -> tuple[str, ...]:
    return ("-movflags", "+faststart") if preset.container in ("mp4", "mov") else ()


def expected(timeline: Timeline, preset: Preset, allowed: Allowance) -> ExpectedMedia:
    """What a render of *timeline* with *preset* must be."""
    video = audio = None
    profile = timeline.profile
    if preset.video:
        rate = _rate(timeline, preset)
        video = ExpectedVideo(
            preset.video,
            profile.width,
            profile.height,
            rate,
            frames=round(timeline.frames / profile.rate * rate),
            black_allowed=allowed.black or _is_dark(timeline),
            exact_rate=preset.exact_rate,
        )
    if preset.audio and timeline.has_sound:
        tolerance = Fraction(1, 500) if preset.audio.startswith("pcm") else Fraction(1, 10)
        audio = ExpectedAudio(
            preset.audio,
            timeline.frames / profile.rate,
            tolerance + 1 / profile.rate,
            silence_allowed=allowed.silence,
        )
    return ExpectedMedia(preset.container, video, audio)


def _rate(timeline: Timeline, preset: Preset) -> Fraction:
    """A GIF counts time in hundredths of a second: faster than its own rate it stutters."""
    rate = timeline.profile.rate
    return min(rate, _GIF_RATE) if preset.name == "gif" else rate


def _is_dark(timeline: Timeline) -> bool:
    """Whether nothing on the timeline could be seen: black clips, no text."""
    colors = [
        color for clip in timeline.clips for color in (clip.source.colors or ("#ffffff",))
    ] + [color for text in timeline.texts for color in (text.color, text.box) if color]
    return all(_brightness(color) < _DARK_BELOW for color in colors)


def _brightness(color: str) -> float:
    return max(values.rgb(color))


def _require_content(timeline: Timeline, preset: Preset) -> None:
    if not timeline.clips:
        raise UsageError(
            "the timeline is empty", hint="add a clip: clip add FILE, clip add --color"
        )
    if not preset.video and not timeline.has_sound:
        raise UsageError(
            f"the timeline has no sound for the preset {preset.name}",
            hint="add some: audio add FILE, audio add --tone 440",
        )


def _hint(found: Verification) -> str:
    names: Sequence[str] = [check.name for check in found.failures]
    if names == ["picture"]:
        return "if it is meant to be black, add --allow-black"
    if names == ["sound"]:
        return "if it is meant to be silent, add --allow-silence"
    return "the file was not kept; this ffmpeg or a source may be damaged"
