"""The timeline: what a project holds, as frozen values.

Clips follow each other in order, without gaps; their places in time follow from their lengths. A
length on the timeline is a whole number of frames. Times are seconds, sizes are pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import Any

from cli_anything.ffmpeg import values


@dataclass(frozen=True, slots=True)
class Profile:
    """Frame size and rate of everything the project renders."""

    width: int
    height: int
    rate: Fraction
    background: str = "#000000"
    """What shows beside a picture of another shape."""

    def frames(self, duration: float) -> int:
        return values.frames(duration, self.rate)

    def seconds(self, frames: int) -> float:
        return float(frames / self.rate)


class SourceKind(StrEnum):
    """Where a clip's picture comes from."""

    MEDIA = "media"
    COLOR = "color"
    GRADIENT = "gradient"
    PATTERN = "pattern"


class Pattern(StrEnum):
    """Test patterns ffmpeg draws."""

    TEST = "test"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Source:
    """*path* of media is as stored: relative to the project when below its folder."""

    kind: SourceKind
    path: str = ""
    colors: tuple[str, ...] = ()
    angle: float = 90.0
    """Of a gradient, in degrees: 0 runs left to right, 90 top to bottom."""
    pattern: Pattern = Pattern.TEST
    still: bool = False
    """The media is a picture, which lasts as long as it is told to."""
    audio: bool = False
    length: float = 0.0
    """Seconds of the media file; 0 for what has no end of its own."""

    @property
    def label(self) -> str:
        """A short name for people."""
        if self.kind is SourceKind.MEDIA:
            return self.path
        if self.kind is SourceKind.PATTERN:
            return f"pattern {self.pattern}"
        return f"{self.kind} {' '.join(self.colors)}"


@dataclass(frozen=True, slots=True)
class FilterUse:
    """A filter of the catalogue with its values, on one clip or (no *clip*) on everything."""

    id: str
    name: str
    values: tuple[tuple[str, Any], ...]
    clip: str | None = None


@dataclass(frozen=True, slots=True)
class Clip:
    """*start* and *end* are in and out points in the source, before the speed is applied."""

    id: str
    source: Source
    start: float
    end: float
    speed: float = 1.0
    volume: float = 1.0

    @property
    def duration(self) -> float:
        """Seconds on the timeline, before they are rounded to frames."""
        return (self.end - self.start) / self.speed

    @property
    def sounds(self) -> bool:
        return self.source.audio and self.volume > 0


class Anchor(StrEnum):
    """Where a text stands in the frame."""

    CENTER = "center"
    TOP = "top"
    BOTTOM = "bottom"
    LEFT = "left"
    RIGHT = "right"
    TOP_LEFT = "top-left"
    TOP_RIGHT = "top-right"
    BOTTOM_LEFT = "bottom-left"
    BOTTOM_RIGHT = "bottom-right"


@dataclass(frozen=True, slots=True)
class Text:
    """A text over the picture. *end* ``None`` means until the end of the timeline.

    *dx* and *dy* move it from its anchor, in pixels right and down.
    """

    id: str
    text: str
    start: float
    end: float | None
    anchor: Anchor
    size: int
    color: str
    dx: int = 0
    dy: int = 0
    bold: bool = False
    box: str | None = None
    """The colour of a box behind the text."""
    fade: float = 0.0
    """Seconds of fading in and out."""


@dataclass(frozen=True, slots=True)
class AudioTrack:
    """Sound laid under the clips: a file (*path*), or a tone of *tone* Hz.

    *at* is where it begins on the timeline; *start* and *end* are points in the file.
    """

    id: str
    path: str
    tone: float
    at: float
    start: float
    end: float
    volume: float = 1.0
    fade: float = 0.0


@dataclass(frozen=True, slots=True)
class Timeline:
    """Everything a render needs."""

    profile: Profile
    clips: tuple[Clip, ...] = ()
    texts: tuple[Text, ...] = ()
    audio: tuple[AudioTrack, ...] = ()
    filters: tuple[FilterUse, ...] = ()
    issued: tuple[tuple[str, int], ...] = field(default=())
    """The last number given to an id of each letter, so that no id is used twice."""

    def clip_frames(self, clip: Clip) -> int:
        return max(1, self.profile.frames(clip.duration))

    @property
    def frames(self) -> int:
        return sum(map(self.clip_frames, self.clips))

    @property
    def duration(self) -> float:
        return self.profile.seconds(self.frames)

    @property
    def has_sound(self) -> bool:
        return any(clip.sounds for clip in self.clips) or any(t.volume > 0 for t in self.audio)

    def starts(self) -> dict[str, int]:
        """The first frame of each clip on the timeline, by id."""
        found, now = {}, 0
        for clip in self.clips:
            found[clip.id] = now
            now += self.clip_frames(clip)
        return found

    def filters_of(self, clip: str | None) -> tuple[FilterUse, ...]:
        return tuple(use for use in self.filters if use.clip == clip)

    def issue(self, letter: str) -> tuple[str, Timeline]:
        """A new id such as ``c3``, and the timeline that remembers it."""
        issued = dict(self.issued)
        issued[letter] = issued.get(letter, 0) + 1
        return f"{letter}{issued[letter]}", replace(self, issued=tuple(issued.items()))
