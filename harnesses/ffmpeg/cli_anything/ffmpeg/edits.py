"""Edits: a timeline in, a timeline out. Nothing here touches a file."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from cli_anything.ffmpeg import filters
from cli_anything.ffmpeg.filters import Span, Stage
from cli_anything.ffmpeg.timeline import (
    AudioTrack,
    Clip,
    FilterUse,
    Source,
    SourceKind,
    Text,
    Timeline,
)
from cli_anything.kit.errors import NotFound, UsageError

STILL_SECONDS = 3.0
"""How long a clip lasts that has no length of its own, unless told."""
SLOWEST, FASTEST = 0.1, 20.0
LOUDEST = 8.0


class _Named(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Named)


def find(items: Sequence[Item], wanted: str, what: str) -> Item:
    """The item of that id. Raises :class:`NotFound` with what there is."""
    for item in items:
        if item.id == wanted:
            return item
    known = [item.id for item in items]
    hint = f"there are {', '.join(known[:20])}" if known else f"there is no {what} yet"
    nearest = difflib.get_close_matches(wanted, known, n=3)
    raise NotFound(f"there is no {what} {wanted!r}", nearest=nearest, hint=hint)


def add_clip(
    timeline: Timeline,
    source: Source,
    *,
    start: float = 0.0,
    end: float | None = None,
    duration: float | None = None,
    speed: float = 1.0,
    volume: float = 1.0,
    position: int | None = None,
) -> tuple[Timeline, Clip]:
    """Add a clip, at the end or as the *position*-th (from 1)."""
    if end is not None and duration is not None:
        raise UsageError("give --out or --duration, not both")
    if end is None:
        natural = source.length or start + STILL_SECONDS
        end = natural if duration is None else start + duration * speed
    clip_id, timeline = timeline.issue("c")
    clip = Clip(clip_id, source, start, end, speed, volume)
    _check_clip(clip, timeline)
    clips = list(timeline.clips)
    clips.insert(_place(position, len(clips) + 1), clip)
    return replace(timeline, clips=tuple(clips)), clip


def trim_clip(
    timeline: Timeline,
    clip_id: str,
    *,
    start: float | None = None,
    end: float | None = None,
    duration: float | None = None,
) -> tuple[Timeline, Clip]:
    """Move the in and out points. *duration* is on the timeline, and sets the out point."""
    if end is not None and duration is not None:
        raise UsageError("give --out or --duration, not both")
    if start is None and end is None and duration is None:
        raise UsageError("nothing to trim", hint="give --in, --out or --duration")
    clip = find(timeline.clips, clip_id, "clip")
    begin = clip.start if start is None else start
    stop = begin + duration * clip.speed if duration is not None else end
    return _replace_clip(
        timeline, replace(clip, start=begin, end=clip.end if stop is None else stop)
    )


def set_speed(timeline: Timeline, clip_id: str, speed: float) -> tuple[Timeline, Clip]:
    """Play a clip faster or slower; sound keeps its pitch."""
    return _replace_clip(timeline, replace(find(timeline.clips, clip_id, "clip"), speed=speed))


def set_volume(timeline: Timeline, item_id: str, volume: float) -> Timeline:
    """Set the volume of a clip's own sound, or of an audio track."""
    _within("volume", volume, 0, LOUDEST)
    if any(track.id == item_id for track in timeline.audio):
        tracks = tuple(
            replace(track, volume=volume) if track.id == item_id else track
            for track in timeline.audio
        )
        return replace(timeline, audio=tracks)
    clip = find(timeline.clips, item_id, "clip or audio track")
    if not clip.source.audio:
        raise UsageError(f"{item_id} has no sound of its own")
    return _replace_clip(timeline, replace(clip, volume=volume))[0]


def move_clip(timeline: Timeline, clip_id: str, position: int) -> Timeline:
    """Make a clip the *position*-th, from 1."""
    clip = find(timeline.clips, clip_id, "clip")
    others = [other for other in timeline.clips if other is not clip]
    others.insert(_place(position, len(timeline.clips)), clip)
    return replace(timeline, clips=tuple(others))


def remove_clip(timeline: Timeline, clip_id: str) -> Timeline:
    """Take a clip away, and its filters with it."""
    gone = find(timeline.clips, clip_id, "clip")
    return replace(
        timeline,
        clips=tuple(clip for clip in timeline.clips if clip is not gone),
        filters=tuple(use for use in timeline.filters if use.clip != clip_id),
    )


def add_text(timeline: Timeline, text: Text) -> tuple[Timeline, Text]:
    """Add *text*, whose id is given to it here."""
    if text.end is not None and text.end <= text.start:
        raise UsageError("the text ends before it begins")
    text_id, timeline = timeline.issue("t")
    named = replace(text, id=text_id)
    return replace(timeline, texts=(*timeline.texts, named)), named


def remove_text(timeline: Timeline, text_id: str) -> Timeline:
    gone = find(timeline.texts, text_id, "text")
    return replace(timeline, texts=tuple(text for text in timeline.texts if text is not gone))


def add_track(timeline: Timeline, track: AudioTrack) -> tuple[Timeline, AudioTrack]:
    """Add an audio track, whose id is given to it here."""
    if track.end <= track.start:
        raise UsageError("the sound ends before it begins", hint="--out must be after --in")
    _within("volume", track.volume, 0, LOUDEST)
    track_id, timeline = timeline.issue("a")
    named = replace(track, id=track_id)
    return replace(timeline, audio=(*timeline.audio, named)), named


def remove_track(timeline: Timeline, track_id: str) -> Timeline:
    gone = find(timeline.audio, track_id, "audio track")
    return replace(timeline, audio=tuple(track for track in timeline.audio if track is not gone))


def add_filter(
    timeline: Timeline, name: str, given: dict[str, Any], clip_id: str | None
) -> tuple[Timeline, FilterUse]:
    """Add a filter to a clip, or to everything. Raises :class:`UsageError` for a bad value."""
    spec = filters.find(name)
    if clip_id is not None:
        find(timeline.clips, clip_id, "clip")
    elif spec.stage is Stage.SHAPE:
        raise UsageError(f"{name} works on one clip", hint="say which: --clip ID")
    checked = spec.check(given)
    spec.graph(dict(checked), Span(timeline.profile, 1.0))  # values that do not go together
    filter_id, timeline = timeline.issue("f")
    use = FilterUse(filter_id, name, checked, clip_id)
    return replace(timeline, filters=(*timeline.filters, use)), use


def remove_filter(timeline: Timeline, filter_id: str) -> Timeline:
    gone = find(timeline.filters, filter_id, "filter")
    return replace(timeline, filters=tuple(use for use in timeline.filters if use is not gone))


def _replace_clip(timeline: Timeline, changed: Clip) -> tuple[Timeline, Clip]:
    _check_clip(changed, timeline)
    clips = tuple(changed if clip.id == changed.id else clip for clip in timeline.clips)
    return replace(timeline, clips=clips), changed


def _check_clip(clip: Clip, timeline: Timeline) -> None:
    source = clip.source
    _within("speed", clip.speed, SLOWEST, FASTEST)
    _within("volume", clip.volume, 0, LOUDEST)
    frame = 1 / float(timeline.profile.rate)
    if clip.end - clip.start < frame / 2:
        raise UsageError(
            f"the clip would last {max(0.0, clip.end - clip.start):.3f} s, less than a frame",
            hint="the out point must come after the in point",
        )
    if source.length and clip.end > source.length + frame:
        raise UsageError(
            f"{source.path} lasts {source.length:.3f} s; the out point {clip.end:.3f} is past it",
            hint=f"use --out {source.length:.3f} or less",
        )
    if clip.speed != 1 and source.kind in (SourceKind.COLOR, SourceKind.GRADIENT):
        raise UsageError(f"a {source.kind} stands still: speed means nothing for it")


def _place(position: int | None, count: int) -> int:
    if position is None:
        return count - 1
    if not 1 <= position <= count:
        raise UsageError(f"there is no position {position}", hint=f"from 1 to {count}")
    return position - 1


def _within(name: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        raise UsageError(f"{name} cannot be {value:g}", hint=f"from {low:g} to {high:g}")
