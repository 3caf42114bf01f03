"""The catalogue of filters: typed values in, a piece of filtergraph out.

Only numbers within their bounds and words of a fixed list ever reach a graph, so no value can break
out of it.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from cli_anything.ffmpeg import values
from cli_anything.ffmpeg.timeline import Profile
from cli_anything.kit.errors import NotFound, UsageError

Values = Mapping[str, Any]


class Stage(StrEnum):
    """Where in the graph a filter works."""

    SHAPE = "shape"
    """On a clip's own picture, before it is fitted into the frame."""
    PICTURE = "picture"
    SOUND = "sound"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number within bounds, a color, or one of some words."""

    name: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return "choice" if self.choices else "color" if self.low is None else "number"

    def check(self, value: Any, owner: str) -> Any:
        """The value in its own type. Raises :class:`UsageError` saying what is allowed."""
        if self.kind == "color":
            return values.color(str(value))
        if self.kind == "choice":
            if str(value) in self.choices:
                return str(value)
            raise UsageError(
                f"{owner}: {self.name} cannot be {value!r}",
                hint=f"one of {', '.join(self.choices)}",
            )
        assert self.low is not None  # noqa: S101 - a number has both bounds
        assert self.high is not None  # noqa: S101
        try:
            number = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not self.low <= number <= self.high:
            raise UsageError(
                f"{owner}: {self.name} cannot be {value!r}",
                hint=f"a number from {self.low:g} to {self.high:g}",
            )
        return number

    def as_document(self) -> dict[str, Any]:
        bounds = {"min": self.low, "max": self.high} if self.kind == "number" else {}
        words = {"choices": list(self.choices)} if self.choices else {}
        return {
            "name": self.name,
            "type": self.kind,
            "default": self.default,
            **bounds,
            **words,
            "description": self.help,
        }


@dataclass(frozen=True, slots=True)
class Span:
    """What a filter is laid over."""

    profile: Profile
    seconds: float


@dataclass(frozen=True, slots=True)
class Filter:
    """One filter of the catalogue."""

    name: str
    help: str
    stage: Stage
    parameters: tuple[Parameter, ...]
    graph: Callable[[Values, Span], str]

    def check(self, given: Values) -> tuple[tuple[str, Any], ...]:
        """Every parameter with its value, in the catalogue's order. Raises :class:`UsageError`."""
        known = {parameter.name for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise UsageError(
                    f"{self.name} has no value called {name!r}",
                    hint=f"it takes {', '.join(sorted(known)) or 'none'}",
                )
        return tuple(
            (each.name, each.check(given.get(each.name, each.default), self.name))
            for each in self.parameters
        )

    def as_document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "description": self.help,
            "stage": self.stage.value,
            "parameters": [parameter.as_document() for parameter in self.parameters],
        }


def find(name: str) -> Filter:
    """Raises :class:`NotFound` with the nearest names."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    raise NotFound(
        f"there is no filter {name!r}",
        nearest=difflib.get_close_matches(name, CATALOGUE, n=3),
        hint=""
        if difflib.get_close_matches(name, CATALOGUE)
        else "filter list-available shows all",
    )


def _fade(direction: str) -> Callable[[Values, Span], str]:
    def graph(given: Values, span: Span) -> str:
        length = min(given["duration"], span.seconds)
        start = 0.0 if direction == "in" else span.seconds - length
        return f"fade=t={direction}:st={start:.6f}:d={length:.6f}:color=0x{given['color'][1:]}"

    return graph


def _sound_fade(direction: str) -> Callable[[Values, Span], str]:
    def graph(given: Values, span: Span) -> str:
        length = min(given["duration"], span.seconds)
        start = 0.0 if direction == "in" else span.seconds - length
        return f"afade=t={direction}:st={start:.6f}:d={length:.6f}"

    return graph


def _brightness(given: Values, _span: Span) -> str:
    # On RGB: eq= moves luma alone, which leaves the colours of a picture that should be black.
    shifted = f"'clip(val+({given['amount'] * 255:.2f}),minval,maxval)'"
    return f"lutrgb=r={shifted}:g={shifted}:b={shifted}"


def _tint(given: Values, _span: Span) -> str:
    red, green, blue = (part / 255 for part in values.rgb(given["color"]))
    keep = 1 - given["strength"]
    rows = []
    for part, letter in ((red, "r"), (green, "g"), (blue, "b")):
        weights = {"r": 0.299, "g": 0.587, "b": 0.114}
        mixed = {
            name: given["strength"] * part * weight + (keep if name == letter else 0)
            for name, weight in weights.items()
        }
        rows += [f"{letter}{name}={value:.5f}" for name, value in mixed.items()]
    return "colorchannelmixer=" + ":".join(rows)


def _crop(given: Values, _span: Span) -> str:
    left, right, top, bottom = (given[side] for side in ("left", "right", "top", "bottom"))
    width, height = 1 - left - right, 1 - top - bottom
    if width < 0.05 or height < 0.05:
        raise UsageError("crop leaves less than 5% of the picture", hint="take less from each side")
    return f"crop=w=iw*{width:.5f}:h=ih*{height:.5f}:x=iw*{left:.5f}:y=ih*{top:.5f}"


def _number(name: str, default: float, low: float, high: float, text: str) -> Parameter:
    return Parameter(name, default, text, low, high)


_TURNS = {"90": "transpose=clock", "180": "hflip,vflip", "270": "transpose=cclock"}
_FLIPS = {"horizontal": "hflip", "vertical": "vflip"}
_SIDES = tuple(
    _number(side, 0.0, 0.0, 0.9, f"part of the picture to cut off at the {side}")
    for side in ("left", "right", "top", "bottom")
)
_FADE_TIME = _number("duration", 1.0, 0.04, 60.0, "seconds")
_BLACK = Parameter("color", "#000000", "the color at the other end of the fade")

_ALL = (
    Filter(
        "brightness", "Lighten or darken", Stage.PICTURE,
        (_number("amount", 0.1, -1.0, 1.0, "-1 is black, 0 changes nothing"),),
        _brightness,
    ),
    Filter(
        "contrast", "More or less contrast", Stage.PICTURE,
        (_number("amount", 1.2, 0.0, 3.0, "1 changes nothing"),),
        lambda v, _: f"eq=contrast={v['amount']:.4f}",
    ),
    Filter(
        "saturation", "Stronger or paler colors", Stage.PICTURE,
        (_number("amount", 1.3, 0.0, 3.0, "0 is gray, 1 changes nothing"),),
        lambda v, _: f"eq=saturation={v['amount']:.4f}",
    ),
    Filter(
        "gamma", "Lighten or darken the middle tones", Stage.PICTURE,
        (_number("amount", 1.2, 0.1, 10.0, "1 changes nothing"),),
        lambda v, _: f"eq=gamma={v['amount']:.4f}",
    ),
    Filter(
        "hue", "Turn all colors around the wheel", Stage.PICTURE,
        (_number("degrees", 30.0, -360.0, 360.0, "degrees"),),
        lambda v, _: f"hue=h={v['degrees']:.3f}",
    ),
    Filter("grayscale", "Take the colors away", Stage.PICTURE, (), lambda _v, _s: "hue=s=0"),
    Filter(
        "tint", "Mix the picture with one color, sepia unless told otherwise", Stage.PICTURE,
        (
            Parameter("color", "#c8a878", "the color"),
            _number("strength", 0.7, 0.0, 1.0, "0 changes nothing, 1 leaves one color"),
        ),
        _tint,
    ),
    Filter("negative", "Invert all colors", Stage.PICTURE, (), lambda _v, _s: "negate"),
    Filter(
        "blur", "Soften", Stage.PICTURE,
        (_number("radius", 5.0, 0.1, 100.0, "pixels"),),
        lambda v, _: f"gblur=sigma={v['radius']:.3f}",
    ),
    Filter(
        "sharpen", "Sharpen", Stage.PICTURE,
        (_number("amount", 1.0, 0.0, 5.0, "strength"),),
        lambda v, _: f"unsharp=luma_amount={v['amount']:.3f}",
    ),
    Filter(
        "vignette", "Darken the corners", Stage.PICTURE,
        (_number("strength", 0.5, 0.0, 1.0, "how much"),),
        lambda v, _: f"vignette=angle={v['strength'] * math.pi / 3:.5f}",
    ),
    Filter(
        "noise", "Film grain", Stage.PICTURE,
        (_number("strength", 12.0, 0.0, 100.0, "how much"),),
        lambda v, _: f"noise=alls={round(v['strength'])}:allf=t:all_seed=1",
    ),
    Filter("fade-in", "Begin from a color", Stage.PICTURE, (_FADE_TIME, _BLACK), _fade("in")),
    Filter("fade-out", "End in a color", Stage.PICTURE, (_FADE_TIME, _BLACK), _fade("out")),
    Filter(
        "flip", "Mirror", Stage.PICTURE,
        (Parameter("direction", "horizontal", "which way", choices=tuple(_FLIPS)),),
        lambda v, _: _FLIPS[v["direction"]],
    ),
    Filter(
        "rotate", "Turn a clip clockwise", Stage.SHAPE,
        (Parameter("degrees", "90", "how far", choices=tuple(_TURNS)),),
        lambda v, _: _TURNS[v["degrees"]],
    ),
    Filter(
        "crop", "Cut off the sides of a clip; the rest fills the frame", Stage.SHAPE, _SIDES, _crop
    ),
    Filter("sound-fade-in", "Begin from silence", Stage.SOUND, (_FADE_TIME,), _sound_fade("in")),
    Filter("sound-fade-out", "End in silence", Stage.SOUND, (_FADE_TIME,), _sound_fade("out")),
    Filter(
        "low-pass", "Keep the low tones", Stage.SOUND,
        (_number("hertz", 3000.0, 20.0, 20_000.0, "where to cut"),),
        lambda v, _: f"lowpass=f={v['hertz']:.2f}",
    ),
    Filter(
        "high-pass", "Keep the high tones", Stage.SOUND,
        (_number("hertz", 200.0, 20.0, 20_000.0, "where to cut"),),
        lambda v, _: f"highpass=f={v['hertz']:.2f}",
    ),
)  # fmt: skip

CATALOGUE: Mapping[str, Filter] = {each.name: each for each in _ALL}
