"""Paints the footage of the gallery's films: every frame is computed, nothing is downloaded.

A shot is a function from a time between 0 and 1 to a frame, an array of height × width × 3 bytes.
"""

from __future__ import annotations

import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

Frame = npt.NDArray[np.uint8]
Picture = npt.NDArray[np.float64]
Shot = Callable[[float], Frame]
Colour = tuple[int, int, int]

FPS = 24


def film(shot: Shot, seconds: float, output: Path, ffmpeg: Path) -> None:
    """Write *shot* as a video of that length, without visible loss."""
    count = round(seconds * FPS)
    frames = [shot(number / max(1, count - 1)) for number in range(count)]
    height, width, _ = frames[0].shape
    subprocess.run(
        [
            str(ffmpeg), "-loglevel", "error", "-y",
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}", "-r", str(FPS),
            "-i", "-", "-c:v", "libx264", "-crf", "12", "-pix_fmt", "yuv420p", str(output),
        ],
        input=b"".join(frame.tobytes() for frame in frames),
        check=True,
    )  # fmt: skip


def ridge(time: float) -> Frame:
    """The sun comes up behind five ridges in the haze."""
    return _bytes(_land(time, 640, 360, horizon=300))


def lake(time: float) -> Frame:
    """The same morning over still water: the land again, upside down and moved by ripples."""
    shore = 214
    land = _land(0.55 + 0.45 * time, 640, shore, horizon=shore)
    depth = np.arange(360 - shore)
    rows = np.clip(shore - 1 - depth * 1.35, 0, shore - 1).astype(int)
    near = (depth + 4) / (360 - shore)
    ripple = (np.sin(depth**0.8 * 2.1 - time * 26) * 5 * near).astype(int)
    columns = np.arange(640)
    water = np.stack(
        [np.roll(land[row], move, axis=0) for row, move in zip(rows, ripple, strict=True)]
    )
    glint = 0.78 - 0.28 * near + 0.06 * np.sin(depth**0.8 * 2.1 - time * 26)
    water = water * glint[:, None, None] * np.array([0.88, 0.94, 1.05])
    bank = np.exp(-(((np.arange(360) - shore) / 2.2) ** 2))[:, None, None]
    whole = np.concatenate([land, water])
    reeds = 0.75 + 0.25 * np.sin(columns / 23.0)
    return _bytes(whole * (1 - 0.75 * bank * reeds[None, :, None]))


def _land(time: float, width: int, height: int, *, horizon: int) -> Picture:
    y, x = np.mgrid[0:height, 0:width].astype(float)
    up = np.clip(y / horizon, 0, 1)[..., None]
    zenith = _mix((14, 20, 54), (86, 140, 201), time)
    middle = _mix((72, 42, 96), (238, 178, 150), time)
    low = _mix((196, 84, 74), (255, 226, 170), time)
    sky = np.where(
        up < 0.6,
        zenith + (middle - zenith) * (up / 0.6),
        middle + (low - middle) * (up - 0.6) / 0.4,
    )
    sun_x, sun_y = width * 0.64, horizon * (0.98 - 0.5 * time)
    distance = np.hypot(x - sun_x, y - sun_y)[..., None]
    glow = np.array([255.0, 196.0, 120.0])
    sky = sky + glow * (0.55 * np.exp(-distance / 150) + 0.25 * np.exp(-distance / 48))
    disc = np.clip(17 - distance, 0, 1)
    picture = sky * (1 - disc) + np.array([255.0, 255.0, 250.0]) * disc
    for layer in range(5):
        nearness = (layer + 1) / 5
        along = x[0] + time * 14 * nearness**2 + layer * 371
        crest = horizon * (0.62 + 0.088 * layer) - horizon * 0.10 * (
            np.sin(along / (118 - 12 * layer))
            + 0.45 * np.sin(along / 47 + layer * 2.3)
            + 0.16 * np.sin(along / 17 + layer)
            + 0.05 * np.sin(along / 5.3)
        )
        haze = low * 0.82 * (1 - nearness) + _mix((18, 16, 44), (26, 44, 66), time) * nearness
        mist = (
            np.clip((y - crest[None, :]) / (horizon * 0.4), 0, 1)[..., None] * (1 - nearness) * 0.55
        )
        colour = haze * (1 - mist) + low * mist
        cover = np.clip(y - crest[None, :] + 0.5, 0, 1)[..., None]
        picture = picture * (1 - cover) + colour * cover
    land: Picture = picture
    return land


def star_trails(time: float) -> Frame:
    """The night turns around the pole star over a row of firs, in an upright frame."""
    width, height, scale = 270, 480, 2
    chance = np.random.default_rng(11)
    pole = (0.52 * width * scale, 0.44 * height * scale)
    y = np.linspace(0, 1, height * scale)[:, None, None]
    sky = np.array([7.0, 11.0, 32.0]) * (1 - y) + np.array([42.0, 58.0, 104.0]) * y**1.6
    canvas = np.broadcast_to(sky, (height * scale, width * scale, 3))
    image = Image.fromarray(_bytes(canvas))
    draw = ImageDraw.Draw(image)
    turned = 4 + 62 * time
    for _ in range(220):
        radius = 20 + chance.random() ** 0.7 * 760
        begin = chance.random() * 360
        light = 0.3 + 0.7 * chance.random() ** 2
        tint = np.array([[255, 214, 170], [214, 226, 255], [255, 250, 240]][chance.integers(3)])
        colour = (tint * light + np.array([20, 28, 60]) * (1 - light)).astype(int)
        box = (pole[0] - radius, pole[1] - radius, pole[0] + radius, pole[1] + radius)
        draw.arc(
            box, begin, begin + turned, fill=tuple(map(int, colour)), width=2 + int(light > 0.8)
        )
    draw.ellipse((pole[0] - 4, pole[1] - 4, pole[0] + 4, pole[1] + 4), fill=(255, 252, 240))
    for number in range(26):
        _fir(draw, (number - 0.5) * width * scale / 24, height * scale, chance.random())
    return np.asarray(image.resize((width, height), Image.Resampling.LANCZOS))


def _fir(draw: ImageDraw.ImageDraw, x: float, ground: int, chance: float) -> None:
    tall = 100 + 160 * chance
    for part in range(6):
        top = ground - tall + part * tall / 8
        half = 10 + part * (7 + 4 * chance)
        draw.polygon([(x, top), (x - half, top + tall / 4), (x + half, top + tall / 4)], (5, 8, 18))
    draw.rectangle((x - 20, ground - tall / 3, x + 20, ground), (5, 8, 18))


def wave(circles: int) -> Shot:
    """*circles* turning circles, each on the last one's rim, draw their sum to the right."""

    def shot(time: float) -> Frame:
        width, height, scale = 640, 360, 2
        image = Image.new("RGB", (width * scale, height * scale), (16, 20, 31))
        draw = ImageDraw.Draw(image)
        left, middle, right = 150.0 * scale, 168.0 * scale, 300.0 * scale
        for row in range(-2, 3):
            at = middle + row * 54 * scale
            draw.line((0, at, width * scale, at), (27, 33, 48), 1)
        turn = 2 * math.pi * 1.5 * time + 0.35
        x, y, reach = left, middle, 92.0 * scale
        for circle in range(circles):
            odd = 2 * circle + 1
            radius = reach / odd
            tone = _shade(circle, circles)
            draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=tone, width=3)
            after = (x + radius * math.cos(odd * turn), y - radius * math.sin(odd * turn))
            draw.line((x, y, *after), (214, 221, 235), 4)
            x, y = after
        points = [
            (right + step * scale, middle - reach * _partial_sum(turn - step / 62, circles))
            for step in range(330)
        ]
        draw.line((x, y, *points[0]), (92, 104, 130), 3)
        draw.line(points, (255, 190, 92), 6, joint="curve")
        draw.ellipse((x - 8, y - 8, x + 8, y + 8), fill=(255, 236, 200))
        draw.ellipse((points[0][0] - 8, y - 8, points[0][0] + 8, y + 8), fill=(255, 236, 200))
        return np.asarray(image.resize((width, height), Image.Resampling.LANCZOS))

    return shot


def _partial_sum(turn: float, circles: int) -> float:
    return sum(math.sin((2 * n + 1) * turn) / (2 * n + 1) for n in range(circles))


def _shade(number: int, count: int) -> Colour:
    part = number / max(1, count - 1)
    return int(84 + 110 * part), int(150 - 40 * part), int(226 - 20 * part)


def _mix(first: Colour, second: Colour, part: float) -> Picture:
    mixed: Picture = (
        np.array(first, dtype=float) * (1 - part) + np.array(second, dtype=float) * part
    )
    return mixed


def _bytes(picture: Picture) -> Frame:
    return np.clip(picture, 0, 255).astype(np.uint8)
