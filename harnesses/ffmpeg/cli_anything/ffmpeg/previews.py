"""Preview recipes: what a bundle of this harness shows, and how it is made.

``quick`` renders the whole timeline once, small, into a clip, and takes its pictures from the same
pass: a hero frame, a filmstrip and a few frames of its own.
"""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from PIL import Image

from cli_anything.ffmpeg import ENTRY_POINT, SOFTWARE, __version__, ffmpeg, presets, rendering
from cli_anything.ffmpeg.ffmpeg import OnProgress
from cli_anything.ffmpeg.timeline import Anchor, Clip, Profile, Source, SourceKind, Text, Timeline
from cli_anything.ffmpeg.workspace import Workspace
from cli_anything.kit.errors import NotFound, UsageError
from cli_anything.kit.preview import ArtifactFile, Capture, Published, Publisher
from cli_anything.kit.verify.media import ExpectedMedia, ExpectedVideo, verify_media

_STRIP_FRAMES = 6
_STAND_IN_COLOR = "#5c2a2a"
_WARNING_PART = 12
"""A stand-in's text is this part of the frame's height."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One way to look at a project; *width* is that of its clip and hero, in pixels."""

    name: str
    help: str
    width: int

    def as_document(self) -> dict[str, object]:
        return {"name": self.name, "description": self.help, "width": self.width}


RECIPES: Mapping[str, Recipe] = {
    "quick": Recipe("quick", "A hero frame, a filmstrip, single frames and a small clip", 640),
}


def find_recipe(name: str) -> Recipe:
    """Raises :class:`NotFound` with the nearest names."""
    if name in RECIPES:
        return RECIPES[name]
    nearest = difflib.get_close_matches(name, RECIPES, n=3) or list(RECIPES)
    raise NotFound(f"there is no recipe {name!r}", nearest=nearest)


def publisher(workspace: Workspace) -> Publisher:
    """Who publishes the previews of this project, and where."""
    return Publisher(
        software=SOFTWARE,
        project=workspace.path,
        entry_point=ENTRY_POINT,
        harness_version=__version__,
    )


def capture(
    workspace: Workspace,
    recipe: Recipe,
    command: str,
    *,
    force: bool = False,
    on_progress: OnProgress | None = None,
) -> Published:
    """Publish a bundle of the project as it is now, or answer with the one there is.

    Lost media is stood in for and makes the bundle ``partial``. Raises :class:`UsageError` for an
    empty timeline, :class:`FfmpegFailed`, :class:`VerificationFailed`.
    """
    timeline = workspace.timeline()
    if not timeline.clips:
        raise UsageError("there is nothing to show: the timeline is empty", hint="clip add …")
    ffmpeg.require()

    def build(folder: Path) -> Capture:
        return _build(workspace, timeline, recipe, folder, on_progress)

    fingerprint = workspace.fingerprint(timeline, __version__, recipe.width)
    return publisher(workspace).capture(recipe.name, fingerprint, command, build, force=force)


def _build(
    workspace: Workspace,
    timeline: Timeline,
    recipe: Recipe,
    folder: Path,
    on_progress: OnProgress | None,
) -> Capture:
    missing = workspace.missing_media(timeline)
    shown = _with_stand_ins(timeline, missing)
    size = _small(timeline.profile, recipe.width)
    marks = _marks(shown)
    with tempfile.TemporaryDirectory(prefix="frames-") as drafts:
        clip = _encode(
            workspace, shown, folder / "clip.mp4", Path(drafts), marks, size, on_progress
        )
        frames = [
            _load(Path(drafts, f"frame-{number:02d}.png")) for number in range(1, len(marks) + 1)
        ]
    artifacts = _pictures(folder, frames, [timeline.profile.seconds(mark) for mark in marks])
    warnings = tuple(f"the media file {name} is gone; a sign stands in for it" for name in missing)
    sound = "with sound" if shown.has_sound else "silent"
    return Capture(
        status="partial" if missing else "ok",
        headline=f"{_count(len(timeline.clips), 'clip')}, {timeline.duration:.2f} s, {sound}",
        artifacts=(*artifacts[:-1], artifacts[-1], clip),
        facts=_facts(timeline),
        metrics={
            "clips": len(timeline.clips),
            "texts": len(timeline.texts),
            "frames": timeline.frames,
            "duration_s": round(timeline.duration, 3),
        },
        warnings=warnings,
        next_actions=_next_actions(workspace, missing),
    )


def _with_stand_ins(timeline: Timeline, missing: list[str]) -> Timeline:
    """Clips without their media show a sign; tracks without theirs are silent."""
    if not missing:
        return timeline
    starts = timeline.starts()
    profile = timeline.profile
    clips: list[Clip] = []
    signs: list[Text] = []
    for clip in timeline.clips:
        if clip.source.kind is not SourceKind.MEDIA or clip.source.path not in missing:
            clips.append(clip)
            continue
        sign = Source(SourceKind.COLOR, colors=(_STAND_IN_COLOR,))
        clips.append(replace(clip, source=sign, start=0.0, end=clip.duration, speed=1.0))
        begin = starts[clip.id]
        signs.append(
            Text(
                f"lost_{clip.id}",
                "media is missing",
                profile.seconds(begin),
                profile.seconds(begin + timeline.clip_frames(clip)),
                Anchor.CENTER,
                max(8, profile.height // _WARNING_PART),
                "#ffffff",
            )
        )
    tracks = tuple(track for track in timeline.audio if track.path not in missing)
    return replace(timeline, clips=tuple(clips), texts=(*timeline.texts, *signs), audio=tracks)


def _small(profile: Profile, width: int) -> tuple[int, int]:
    """The frame's size at most *width* wide, even in both directions."""
    if profile.width <= width:
        return profile.width, profile.height
    return width, max(2, round(profile.height * width / profile.width / 2) * 2)


def _marks(timeline: Timeline) -> list[int]:
    """Frames at even distances: the middles of equal parts."""
    count = min(_STRIP_FRAMES, timeline.frames)
    return [int(timeline.frames * (number + 0.5) / count) for number in range(count)]


def _encode(
    workspace: Workspace,
    timeline: Timeline,
    output: Path,
    frames: Path,
    marks: list[int],
    size: tuple[int, int],
    on_progress: OnProgress | None,
) -> ArtifactFile:
    preset = presets.find("draft")
    sound = timeline.has_sound
    with rendering.prepared(workspace, timeline, video=True, audio=sound) as built:
        chosen = "+".join(f"eq(n,{mark})" for mark in marks)
        rate = timeline.profile.rate
        text = (
            f"{built.text};\n[{built.video}]scale=w={size[0]}:h={size[1]},split[clip][all];\n"
            f"[all]select='{chosen}',settb=expr=1/25,setpts=N,fps=25[frames]"
        )
        audio = ["-map", f"[{built.audio}]", *preset.audio_options] if sound else []
        ffmpeg.run(
            [
                *built.inputs,
                "-map", "[clip]", *preset.video_options, "-pix_fmt", "yuv420p", *audio,
                *rendering.REPEATABLE, "-movflags", "+faststart", "-y", output,
                "-map", "[frames]", "-f", "image2", frames / "frame-%02d.png",
            ],
            graph=text,
            on_progress=on_progress,
        )  # fmt: skip
    wanted = rendering.expected(timeline, preset, rendering.Allowance(black=True, silence=True))
    video = ExpectedVideo("h264", *size, rate, timeline.frames, black_allowed=True)
    whole = ExpectedMedia("mp4", video, wanted.audio)
    verify_media(output, whole, ffmpeg.require()).require(name="the preview clip")
    extra = {"width": size[0], "height": size[1], "duration_s": round(timeline.duration, 3)}
    return ArtifactFile(
        "clip", "preview-clip", "clip", "video/mp4", output.name, "The whole timeline", extra
    )


def _load(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGB")


def _pictures(
    folder: Path, frames: list[Image.Image], times: list[float]
) -> tuple[ArtifactFile, ...]:
    middle = len(frames) // 2
    found = [
        _save(folder, "hero", "hero", frames[middle], f"The picture at {times[middle]:.2f} s"),
        _save(folder, "filmstrip", "gallery", _strip(frames), "From beginning to end"),
    ]
    for number, (frame, time) in enumerate(zip(frames, times, strict=True), 1):
        if number - 1 != middle:
            small = frame.resize((max(2, frame.width // 2), max(2, frame.height // 2)))
            found.append(_save(folder, f"frame-{number}", "gallery", small, f"{time:.2f} s"))
    return tuple(found)


def _strip(frames: list[Image.Image]) -> Image.Image:
    """All frames side by side in two rows, as wide as one frame."""
    columns = max(1, (len(frames) + 1) // 2)
    width = max(2, frames[0].width // columns)
    height = max(2, round(frames[0].height * width / frames[0].width))
    rows = (len(frames) + columns - 1) // columns
    strip = Image.new("RGB", (columns * width, rows * height))
    for number, frame in enumerate(frames):
        row, column = divmod(number, columns)
        small = frame.resize((width, height), Image.Resampling.LANCZOS)
        strip.paste(small, (column * width, row * height))
    return strip


def _save(folder: Path, name: str, role: str, picture: Image.Image, label: str) -> ArtifactFile:
    file = f"{name}.jpg"
    picture.save(folder / file, "JPEG", quality=85)
    extra = {"width": picture.width, "height": picture.height}
    return ArtifactFile(name, role, "image", "image/jpeg", file, label, extra)


def _facts(timeline: Timeline) -> dict[str, object]:
    profile = timeline.profile
    return {
        "frame": f"{profile.width}x{profile.height}",
        "fps": str(profile.rate),
        "duration_s": round(timeline.duration, 3),
        "clips": ", ".join(f"{clip.id}: {_name(clip.source)}" for clip in timeline.clips[:12]),
        "texts": ", ".join(f"{t.id}: {t.text.splitlines()[0][:60]}" for t in timeline.texts[:12]),
        "audio_tracks": len(timeline.audio),
        "filters": ", ".join(use.name for use in timeline.filters[:12]),
    }


def _name(source: Source) -> str:
    """The source without the folders of this machine."""
    return Path(source.path).name if source.kind is SourceKind.MEDIA else source.label


def _next_actions(workspace: Workspace, missing: list[str]) -> tuple[str, ...]:
    base = f"{ENTRY_POINT} --project {workspace.path.name}"
    if missing:
        return (f"put back {Path(missing[0]).name}, then: {base} preview capture",)
    return (f"{base} export render -o {workspace.path.stem}.mp4", f"{base} session undo")


def _count(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")
