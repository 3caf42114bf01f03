"""A contact sheet: pictures of a video at even distances, in one image."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from cli_anything.ffmpeg import ffmpeg, fonts, media
from cli_anything.kit.errors import UsageError, VerificationFailed
from cli_anything.kit.files import drafting
from cli_anything.kit.verify.images import ExpectedImage, verify_image
from cli_anything.kit.verify.packets import file_url, only_files

_GAP = 8


@dataclass(frozen=True, slots=True)
class Sheet:
    """How a contact sheet is laid out; *width* is that of one picture."""

    columns: int
    rows: int
    width: int
    labels: bool = True


def contact_sheet(path: Path, output: Path, sheet: Sheet, *, overwrite: bool) -> dict[str, Any]:
    """Write a PNG of pictures taken at even distances, and verify it.

    Raises :class:`UsageError` when *path* has no moving picture, :class:`VerificationFailed`.
    """
    if output.suffix.lower() != ".png":
        raise UsageError(f"a contact sheet is a .png file, not {output.name}")
    found = media.read(path)
    if found.video is None or found.is_still:
        raise UsageError(f"{path.name} has no moving picture")
    count = sheet.columns * sheet.rows
    length = float(found.video.duration)
    times = [length * (number + 0.5) / count for number in range(count)]
    with drafting(output, overwrite=overwrite) as draft:
        size = _compose(path, times, sheet, draft)
        result = verify_image(draft, ExpectedImage("PNG", *size))
        result.require(name=output.name, hint="is the video black?")
    return {
        "output": str(output),
        "width": size[0],
        "height": size[1],
        "pictures": count,
        "times_s": [round(time, 3) for time in times],
        "verification": result.as_document(),
    }


def _compose(path: Path, times: list[float], sheet: Sheet, output: Path) -> tuple[int, int]:
    with tempfile.TemporaryDirectory(prefix="sheet-") as folder:
        pictures = [
            _picture_at(path, time, sheet.width, Path(folder, f"{number}.png"))
            for number, time in enumerate(times)
        ]
    width, height = pictures[0].size
    total = (
        sheet.columns * (width + _GAP) + _GAP,
        sheet.rows * (height + _GAP) + _GAP,
    )
    canvas = Image.new("RGB", total, (24, 24, 27))
    for number, (picture, time) in enumerate(zip(pictures, times, strict=True)):
        row, column = divmod(number, sheet.columns)
        if sheet.labels:
            _label(picture, time)
        canvas.paste(picture, (_GAP + column * (width + _GAP), _GAP + row * (height + _GAP)))
    canvas.save(output, "PNG")
    return total


def _picture_at(path: Path, time: float, width: int, target: Path) -> Image.Image:
    ffmpeg.run(
        [
            "-ss", f"{time:.6f}", *only_files(), "-i", file_url(path), "-map", "0:V:0",
            "-frames:v", "1", "-vf", f"scale=w={width}:h=-2", "-y", target,
        ],
        timeout=120,
    )  # fmt: skip
    if not target.exists():
        raise VerificationFailed(f"{path.name} has no picture at {time:.3f} s: is it cut short?")
    with Image.open(target) as picture:
        return picture.convert("RGB")


def _label(picture: Image.Image, time: float) -> None:
    text = f"{int(time // 60)}:{time % 60:05.2f}"
    size = max(9, picture.width // 18)
    font = fonts.face_for("0").font(size)
    pen = ImageDraw.Draw(picture)
    box = pen.textbbox((size // 2, picture.height - size // 2), text, font=font, anchor="ls")
    pen.rectangle((box[0] - 3, box[1] - 3, box[2] + 3, box[3] + 3), fill=(0, 0, 0))
    pen.text((size // 2, picture.height - size // 2), text, font=font, fill="white", anchor="ls")
