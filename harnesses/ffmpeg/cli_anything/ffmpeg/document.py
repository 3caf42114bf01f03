"""The timeline as it is written in the project file, and read back.

Reading checks everything: a file edited by hand is fine as long as it still makes sense, and what
does not is named.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from cli_anything.ffmpeg import filters, values
from cli_anything.ffmpeg.timeline import (
    Anchor,
    AudioTrack,
    Clip,
    FilterUse,
    Pattern,
    Profile,
    Source,
    SourceKind,
    Text,
    Timeline,
)
from cli_anything.kit.errors import BadProject, HarnessError

FORMAT = "cli-anything-ffmpeg/project"
VERSION = 1


def to_state(timeline: Timeline) -> dict[str, Any]:
    """The ``state`` of the project file."""
    return {
        "profile": profile_document(timeline.profile),
        "clips": [clip_state(clip) for clip in timeline.clips],
        "texts": [text_state(text) for text in timeline.texts],
        "audio": [audio_state(track) for track in timeline.audio],
        "filters": [filter_state(use) for use in timeline.filters],
        "issued": dict(timeline.issued),
    }


def from_state(state: Mapping[str, Any], where: str) -> Timeline:
    """Raises :class:`BadProject` naming the field; *where* names the file."""
    place = ["profile"]
    try:
        profile = _profile(state["profile"])
        timeline = Timeline(
            profile,
            clips=tuple(_each(state, "clips", _clip, place)),
            texts=tuple(_each(state, "texts", _text, place)),
            audio=tuple(_each(state, "audio", _audio, place)),
            filters=tuple(_each(state, "filters", _filter, place)),
            issued=tuple((str(k), int(n)) for k, n in state.get("issued", {}).items()),
        )
    except KeyError as problem:
        raise _bad(where, place[0], f"{problem.args[0]} is missing") from None
    except HarnessError as problem:
        raise _bad(where, place[0], problem.message) from None
    except (TypeError, ValueError, AttributeError, ZeroDivisionError) as problem:
        raise _bad(where, place[0], str(problem)) from None
    ids = [item.id for row in (timeline.clips, timeline.texts, timeline.audio) for item in row]
    twice = next((name for name in ids if ids.count(name) > 1), None)
    if twice:
        raise _bad(where, twice, "the id is used twice")
    return timeline


def _bad(where: str, place: str, problem: str) -> BadProject:
    return BadProject(
        f"{where}: {place}: {problem}",
        hint="the file was not touched; mend that field, or go back with session undo",
    )


def _each(state: Mapping[str, Any], name: str, read: Any, place: list[str]) -> list[Any]:
    found = []
    for index, row in enumerate(state.get(name, ())):
        place[0] = f"{name}[{index}]"
        found.append(read(row))
    return found


def profile_document(profile: Profile) -> dict[str, Any]:
    return {
        "width": profile.width,
        "height": profile.height,
        "fps": str(profile.rate),
        "background": profile.background,
    }


def _profile(raw: Mapping[str, Any]) -> Profile:
    return Profile(
        _whole(raw["width"], "width", 2, 8192),
        _whole(raw["height"], "height", 2, 8192),
        values.frame_rate(str(raw["fps"])),
        values.color(raw.get("background", "#000000")),
    )


def clip_state(clip: Clip) -> dict[str, Any]:
    return {
        "id": clip.id,
        "source": _source_state(clip.source),
        "in": clip.start,
        "out": clip.end,
        "speed": clip.speed,
        "volume": clip.volume,
    }


def _clip(raw: Mapping[str, Any]) -> Clip:
    return Clip(
        str(raw["id"]),
        _source(raw["source"]),
        _number(raw["in"], "in", 0, values.LONGEST_SECONDS),
        _number(raw["out"], "out", 0, values.LONGEST_SECONDS),
        _number(raw.get("speed", 1.0), "speed", 0.01, 100),
        _number(raw.get("volume", 1.0), "volume", 0, 16),
    )


def _source_state(source: Source) -> dict[str, Any]:
    kind = source.kind
    found: dict[str, Any] = {"kind": kind.value}
    if kind is SourceKind.MEDIA:
        found |= {"path": source.path, "still": source.still, "audio": source.audio}
        found |= {} if source.still else {"length": source.length}
    elif kind is SourceKind.PATTERN:
        found |= {"pattern": source.pattern.value}
    else:
        found |= {"colors": list(source.colors)}
        found |= {"angle": source.angle} if kind is SourceKind.GRADIENT else {}
    return found


def _source(raw: Mapping[str, Any]) -> Source:
    kind = SourceKind(raw["kind"])
    colors = tuple(values.color(color) for color in raw.get("colors", ()))
    wanted = {SourceKind.COLOR: 1, SourceKind.GRADIENT: 2}.get(kind, 0)
    if len(colors) != wanted:
        raise ValueError(f"a {kind} source has {wanted} colors, not {len(colors)}")
    return Source(
        kind,
        path=str(raw["path"]) if kind is SourceKind.MEDIA else "",
        colors=colors,
        angle=_number(raw.get("angle", 90.0), "angle", -360, 360),
        pattern=Pattern(raw.get("pattern", Pattern.TEST)),
        still=bool(raw.get("still", False)),
        audio=bool(raw.get("audio", False)),
        length=_number(raw.get("length", 0.0), "length", 0, values.LONGEST_SECONDS),
    )


def text_state(text: Text) -> dict[str, Any]:
    return {
        "id": text.id,
        "text": text.text,
        "start": text.start,
        "end": text.end,
        "position": text.anchor.value,
        "dx": text.dx,
        "dy": text.dy,
        "size": text.size,
        "color": text.color,
        "bold": text.bold,
        "box": text.box,
        "fade": text.fade,
    }


def _text(raw: Mapping[str, Any]) -> Text:
    end = raw.get("end")
    return Text(
        str(raw["id"]),
        str(raw["text"]),
        _number(raw["start"], "start", 0, values.LONGEST_SECONDS),
        None if end is None else _number(end, "end", 0, values.LONGEST_SECONDS),
        Anchor(raw["position"]),
        _whole(raw["size"], "size", 4, 2000),
        values.color(raw["color"]),
        _whole(raw.get("dx", 0), "dx", -8192, 8192),
        _whole(raw.get("dy", 0), "dy", -8192, 8192),
        bool(raw.get("bold", False)),
        None if raw.get("box") is None else values.color(raw["box"]),
        _number(raw.get("fade", 0.0), "fade", 0, 60),
    )


def audio_state(track: AudioTrack) -> dict[str, Any]:
    return {
        "id": track.id,
        **({"path": track.path} if track.path else {"tone": track.tone}),
        "at": track.at,
        "in": track.start,
        "out": track.end,
        "volume": track.volume,
        "fade": track.fade,
    }


def _audio(raw: Mapping[str, Any]) -> AudioTrack:
    return AudioTrack(
        str(raw["id"]),
        str(raw.get("path", "")),
        _number(raw.get("tone", 0.0), "tone", 0, 20_000),
        _number(raw["at"], "at", 0, values.LONGEST_SECONDS),
        _number(raw["in"], "in", 0, values.LONGEST_SECONDS),
        _number(raw["out"], "out", 0, values.LONGEST_SECONDS),
        _number(raw.get("volume", 1.0), "volume", 0, 16),
        _number(raw.get("fade", 0.0), "fade", 0, 60),
    )


def filter_state(use: FilterUse) -> dict[str, Any]:
    return {"id": use.id, "name": use.name, "values": dict(use.values), "clip": use.clip}


def _filter(raw: Mapping[str, Any]) -> FilterUse:
    spec = filters.find(str(raw["name"]))
    clip = raw.get("clip")
    return FilterUse(
        str(raw["id"]),
        spec.name,
        spec.check(raw.get("values", {})),
        None if clip is None else str(clip),
    )


def _number(value: Any, name: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")
    return float(value)


def _whole(value: Any, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, not {value!r}")
    return value


def rate_text(rate: Fraction) -> float | int:
    """A frame rate for people and JSON: 25, 29.97."""
    return rate.numerator if rate.denominator == 1 else round(float(rate), 3)
