"""The parts of a timeline as commands show them, in JSON and as text."""

from __future__ import annotations

from typing import Any

from cli_anything.ffmpeg import document
from cli_anything.ffmpeg.timeline import AudioTrack, Clip, FilterUse, Text, Timeline
from cli_anything.kit.cli import table


def clip_view(clip: Clip, timeline: Timeline) -> dict[str, Any]:
    """A clip as stored, with its place on the timeline (*position* from 1, times in seconds)."""
    profile = timeline.profile
    frames = timeline.clip_frames(clip)
    return {
        **document.clip_state(clip),
        "position": timeline.clips.index(clip) + 1,
        "start_s": round(profile.seconds(timeline.starts()[clip.id]), 6),
        "duration_s": round(profile.seconds(frames), 6),
        "frames": frames,
        "filters": [use.id for use in timeline.filters_of(clip.id)],
    }


def clips_table(timeline: Timeline) -> str:
    if not timeline.clips:
        return "no clips yet: clip add FILE, or clip add --color navy"
    rows = []
    for clip in timeline.clips:
        view = clip_view(clip, timeline)
        rows.append(
            (
                clip.id,
                f"{view['start_s']:.2f}",
                f"{view['duration_s']:.2f}",
                f"{clip.start:.2f}-{clip.end:.2f}",
                f"{clip.speed:g}x",
                clip.source.label,
            )
        )
    return table(rows, ("id", "starts", "lasts", "in-out", "speed", "source"))


def text_view(text: Text, timeline: Timeline) -> dict[str, Any]:
    """A text as stored, with the seconds it is really shown."""
    from cli_anything.ffmpeg.graph import text_frames

    first, end = text_frames(text, timeline)
    shown = timeline.profile.seconds(max(0, end - first))
    return {**document.text_state(text), "shown_s": round(shown, 6)}


def texts_table(timeline: Timeline) -> str:
    if not timeline.texts:
        return 'no texts yet: text add "Hello"'
    rows = [
        (
            text.id,
            f"{text.start:.2f}",
            "end" if text.end is None else f"{text.end:.2f}",
            text.anchor.value,
            text.size,
            " / ".join(text.text.split("\n")),
        )
        for text in timeline.texts
    ]
    return table(rows, ("id", "from", "to", "position", "size", "text"))


def track_view(track: AudioTrack) -> dict[str, Any]:
    return {**document.audio_state(track), "duration_s": round(track.end - track.start, 6)}


def tracks_table(timeline: Timeline) -> str:
    rows = [
        (
            track.id,
            f"{track.at:.2f}",
            f"{track.end - track.start:.2f}",
            f"{track.volume:g}",
            track.path or f"tone {track.tone:g} Hz",
        )
        for track in timeline.audio
    ]
    own = [
        (clip.id, f"{start / timeline.profile.rate:.2f}", "-", f"{clip.volume:g}", clip.source.path)
        for clip in timeline.clips
        if clip.source.audio
        for start in (float(timeline.starts()[clip.id]),)
    ]
    if not rows and not own:
        return "no sound yet: audio add FILE, or audio add --tone 440"
    return table([*rows, *own], ("id", "at", "lasts", "volume", "source"))


def filters_table(timeline: Timeline) -> str:
    if not timeline.filters:
        return "no filters yet: filter add NAME (filter list-available shows all)"
    return table(
        [(use.id, use.clip or "all", use.name, _values(use)) for use in timeline.filters],
        ("id", "clip", "filter", "values"),
    )


def _values(use: FilterUse) -> str:
    return " ".join(
        f"{name}={value:g}" if isinstance(value, float) else f"{name}={value}"
        for name, value in use.values
    )
