"""From a timeline to ffmpeg's inputs and filtergraph. Nothing here runs anything.

Texts and paths never enter the graph: texts are pictures, files are inputs of their own. What the
graph holds is numbers, checked words and colours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cli_anything.ffmpeg import filters
from cli_anything.ffmpeg.filters import Span, Stage
from cli_anything.ffmpeg.timeline import (
    AudioTrack,
    Clip,
    FilterUse,
    Pattern,
    Source,
    SourceKind,
    Text,
    Timeline,
)
from cli_anything.kit.verify.packets import file_url, only_files

SAMPLE_RATE = 48_000
_PATTERNS = {Pattern.TEST: "testsrc2", Pattern.BARS: "smptebars"}
_SOUND = (
    f"aresample={SAMPLE_RATE}:async=1:first_pts=0,aformat=sample_fmts=fltp:channel_layouts=stereo"
)
_SPARE_FRAMES = 3
"""How many frames a clip may fall short of by rounding; they repeat its last one."""


@dataclass(frozen=True, slots=True)
class Pictures:
    """Files drawn before rendering: gradients and texts with their place, by id."""

    gradients: dict[str, Path]
    texts: dict[str, tuple[Path, int, int]]
    stills: dict[str, Path]
    """Copies of stills under names that hold no pattern."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Input arguments, the filtergraph, and the labels its results carry (empty: none)."""

    inputs: tuple[str, ...]
    text: str
    video: str
    audio: str


@dataclass(slots=True)
class _Draft:
    """The graph while it grows."""

    timeline: Timeline
    media: Callable[[str], Path]
    pictures: Pictures
    inputs: list[str] = field(default_factory=list)
    count: int = 0
    chains: list[str] = field(default_factory=list)

    def input(self, *arguments: str) -> int:
        self.inputs += arguments
        self.count += 1
        return self.count - 1

    def chain(self, source: str, steps: Iterable[str], label: str) -> str:
        self.chains.append(f"{source}{','.join(step for step in steps if step)}[{label}]")
        return label


def build(
    timeline: Timeline,
    media: Callable[[str], Path],
    pictures: Pictures,
    *,
    video: bool,
    audio: bool,
) -> Graph:
    """The graph of the whole timeline; *media* turns a stored path into a real one."""
    draft = _Draft(timeline, media, pictures)
    joined: list[str] = []
    for clip in timeline.clips:
        source = _media_input(draft, clip)
        if video:
            joined.append(f"[{_clip_picture(draft, clip, source)}]")
        if audio:
            joined.append(f"[{_clip_sound(draft, clip, source)}]")
    count = len(timeline.clips)
    labels = "[video]" * video + "[sound]" * audio
    draft.chains.append(f"{''.join(joined)}concat=n={count}:v={int(video)}:a={int(audio)}{labels}")
    picture = _over_everything(draft) if video else ""
    mix = _mix(draft) if audio else ""
    return Graph(tuple(draft.inputs), ";\n".join(draft.chains), picture, mix)


def _media_input(draft: _Draft, clip: Clip) -> int:
    """The input that holds the clip's media, or -1 for what the graph draws itself."""
    source = clip.source
    if source.kind is SourceKind.GRADIENT:
        return draft.input(*_picture_file(draft.pictures.gradients[clip.id]))
    if source.kind is not SourceKind.MEDIA:
        return -1
    if source.still:
        return draft.input(*_picture_file(draft.pictures.stills[clip.id]))
    length = clip.end - clip.start + 1.0  # a second more than needed, for frames that straddle
    return draft.input(
        "-ss", f"{clip.start:.6f}", "-t", f"{length:.6f}", *only_files(),
        "-i", file_url(draft.media(source.path)),
    )  # fmt: skip


def _picture_file(path: Path) -> tuple[str, ...]:
    return ("-i", file_url(path))


def _clip_picture(draft: _Draft, clip: Clip, source: int) -> str:
    timeline = draft.timeline
    profile = timeline.profile
    frames = timeline.clip_frames(clip)
    span = Span(profile, profile.seconds(frames))
    width, height = profile.width, profile.height
    uses = timeline.filters_of(clip.id)
    fitted = (
        "scale=w=iw*sar:h=ih,setsar=1" if clip.source.kind is SourceKind.MEDIA else "",
        *_steps(uses, Stage.SHAPE, span),
        f"scale=w={width}:h={height}:force_original_aspect_ratio=decrease:flags=bicubic"
        ":out_color_matrix=bt709:out_range=tv",
        "format=yuv444p",
        f"pad=w={width}:h={height}:x=(ow-iw)/2:y=(oh-ih)/2:color=0x{profile.background[1:]}",
        "setsar=1",
    )
    timed = _frames_of(clip, profile.rate)
    steps = [
        *((*fitted, *timed) if _stands_still(clip.source) else (*timed, *fitted)),
        *_steps(uses, Stage.PICTURE, span),
        "format=yuv444p",
        f"tpad=stop_mode=clone:stop={_SPARE_FRAMES}",
        f"trim=end_frame={frames}",
        *_counted(profile.rate),
    ]
    return draft.chain(_picture_source(clip.source, source, draft), steps, f"picture_{clip.id}")


def _picture_source(source: Source, number: int, draft: _Draft) -> str:
    profile = draft.timeline.profile
    frame = f"s={profile.width}x{profile.height}:r={profile.rate}"
    if source.kind is SourceKind.COLOR:
        return f"color=c=0x{source.colors[0][1:]}:{frame},"
    if source.kind is SourceKind.PATTERN:
        return f"{_PATTERNS[source.pattern]}={frame},"
    return f"[{number}:v:0]"


def _stands_still(source: Source) -> bool:
    """One picture is enough: it is fitted once, and then repeated."""
    return source.still or source.kind is SourceKind.GRADIENT


def _frames_of(clip: Clip, rate: Fraction) -> tuple[str, ...]:
    """Frames at the project's rate, from the clip's first on."""
    if _stands_still(clip.source):
        return ("loop=loop=-1:size=1:start=0", *_counted(rate))
    if clip.source.kind is SourceKind.MEDIA:
        return (f"setpts=PTS/{clip.speed:.6f}", f"fps={rate}:start_time=0:round=near")
    begin = round(Fraction(clip.start) * rate)
    return (
        f"trim=start_frame={begin}" if begin else "",
        f"setpts=(PTS-STARTPTS)/{clip.speed:.6f}",
        f"fps={rate}:start_time=0",
    )


def _counted(rate: Fraction) -> tuple[str, ...]:
    """Number the frames from zero at *rate*."""
    return (f"settb=expr={rate.denominator}/{rate.numerator}", "setpts=N", f"fps={rate}")


def _clip_sound(draft: _Draft, clip: Clip, source: int) -> str:
    timeline = draft.timeline
    frames = timeline.clip_frames(clip)
    end = f"atrim=end_sample={samples(frames, timeline.profile.rate)}"
    label = f"sound_{clip.id}"
    if not clip.sounds:
        silence = f"anullsrc=r={SAMPLE_RATE}:cl=stereo,"
        return draft.chain(silence, ["aformat=sample_fmts=fltp", end, "asetpts=N/SR/TB"], label)
    span = Span(timeline.profile, timeline.profile.seconds(frames))
    steps = [
        _SOUND,
        *_tempo(clip.speed),
        f"volume={clip.volume:.4f}",
        "apad",
        end,
        "asetpts=N/SR/TB",
        *_steps(timeline.filters_of(clip.id), Stage.SOUND, span),
    ]
    return draft.chain(f"[{source}:a:0]", steps, label)


def _tempo(speed: float) -> list[str]:
    """Steps that change the tempo and keep the pitch; each may at most double or halve it."""
    steps = []
    while speed > 2.0:
        steps.append("atempo=2.0")
        speed /= 2
    while speed < 0.5:
        steps.append("atempo=0.5")
        speed *= 2
    return [*steps, f"atempo={speed:.6f}"] if abs(speed - 1) > 1e-9 else steps


def _over_everything(draft: _Draft) -> str:
    """Texts in their order, then the filters of the whole timeline."""
    timeline = draft.timeline
    label = "video"
    for text in timeline.texts:
        label = _lay_text(draft, text, label)
    steps = [
        *_steps(
            timeline.filters_of(None), Stage.PICTURE, Span(timeline.profile, timeline.duration)
        ),
        "format=yuv444p",
        "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709",
    ]
    return draft.chain(f"[{label}]", steps, "picture")


def text_frames(text: Text, timeline: Timeline) -> tuple[int, int]:
    """The first frame that shows *text*, and the first that does not any more."""
    end = timeline.frames if text.end is None else timeline.profile.frames(text.end)
    return timeline.profile.frames(text.start), min(end, timeline.frames)


def _lay_text(draft: _Draft, text: Text, below: str) -> str:
    timeline = draft.timeline
    rate = timeline.profile.rate
    first, end = text_frames(text, timeline)
    if end <= first:
        return below
    path, x, y = draft.pictures.texts[text.id]
    number = draft.input(*_picture_file(path))
    length = timeline.profile.seconds(end - first)
    fade = min(text.fade, length / 2)
    letters = draft.chain(
        f"[{number}:v:0]",
        [
            "scale=out_color_matrix=bt709:out_range=tv",
            "format=yuva444p",
            "loop=loop=-1:size=1:start=0",
            *_counted(rate),
            f"trim=end_frame={end - first}",
            f"fade=t=in:st=0:d={fade:.6f}:alpha=1" if fade else "",
            f"fade=t=out:st={length - fade:.6f}:d={fade:.6f}:alpha=1" if fade else "",
            f"setpts=PTS+{first}",
        ],
        f"letters_{text.id}",
    )
    over = (
        f"overlay=x={x}:y={y}:format=yuv444:eof_action=pass:enable='between(n,{first},{end - 1})'"
    )
    return draft.chain(f"[{below}][{letters}]", [over], f"with_{text.id}")


def _mix(draft: _Draft) -> str:
    """The clips' sound, the tracks under it, then the filters of the whole timeline."""
    timeline = draft.timeline
    total = samples(timeline.frames, timeline.profile.rate)
    tracks = [_track(draft, track, total) for track in timeline.audio if track.volume > 0]
    mixed = f"amix=inputs={len(tracks) + 1}:normalize=0:duration=first" if tracks else ""
    steps = [
        mixed,
        "alimiter=limit=0.98:level=0" if tracks else "",
        *_steps(timeline.filters_of(None), Stage.SOUND, Span(timeline.profile, timeline.duration)),
        f"atrim=end_sample={total}",
        "asetpts=N/SR/TB",
    ]
    labels = "".join(f"[{label}]" for label in ("sound", *tracks))
    return draft.chain(labels, steps, "mix")


def _track(draft: _Draft, track: AudioTrack, total: int) -> str:
    length = track.end - track.start
    if track.path:
        number = draft.input(
            "-ss", f"{track.start:.6f}", "-t", f"{length:.6f}", *only_files(),
            "-i", file_url(draft.media(track.path)),
        )  # fmt: skip
        source = f"[{number}:a:0]"
    else:
        source = f"sine=f={track.tone:.3f}:r={SAMPLE_RATE}:d={length:.6f},"
    fade = min(track.fade, length / 2)
    steps = [
        _SOUND,
        f"volume={track.volume:.4f}",
        f"afade=t=in:st=0:d={fade:.6f}" if fade else "",
        f"afade=t=out:st={length - fade:.6f}:d={fade:.6f}" if fade else "",
        f"adelay={round(track.at * SAMPLE_RATE)}S:all=1",
        "apad",
        f"atrim=end_sample={total}",
    ]
    return draft.chain(source, steps, f"track_{track.id}")


def samples(frames: int, rate: Fraction) -> int:
    """How many audio samples last as long as *frames*."""
    return round(frames / rate * SAMPLE_RATE)


def _steps(uses: Iterable[FilterUse], stage: Stage, span: Span) -> list[str]:
    specs = [(filters.find(use.name), dict(use.values)) for use in uses]
    return [spec.graph(values, span) for spec, values in specs if spec.stage is stage]
