"""Makes the gallery in ``previews/``: three short films, each edited step by step by the ffmpeg
harness, which publishes every step to a live session; then an index page over them.

    .venv/bin/python -m scripts.gallery [FOLDER]

Pictures and times differ a little from run to run and machine to machine; what is shown does not.
Takes some two minutes and needs ``cli-anything-ffmpeg``, ``cli-hub``, Pillow and numpy here.
"""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts import gallery_footage as footage

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
HARNESS = BIN / "cli-anything-ffmpeg"
HUB = BIN / "cli-hub"


@dataclass(frozen=True, slots=True)
class Film:
    """A project: its frame, what was shot for it, and the commands that edit it in order.

    A command that begins with ``lose`` or ``find`` takes a file of footage away or brings it back,
    as happens to people; the harness is then asked to publish what it makes of that.
    """

    name: str
    frame: tuple[int, int]
    shots: tuple[tuple[str, footage.Shot, float], ...]
    edits: tuple[str, ...]


FILMS = (
    Film(
        "first-light",
        (640, 360),
        (("ridge.mp4", footage.ridge, 3), ("lake.mp4", footage.lake, 3)),
        (
            "clip add ridge.mp4",
            "clip add lake.mp4",
            "text add 'First light' --size 15% --bold --start 0.5 --end 2.8 --fade 0.5",
            "text add 'a morning in two shots' --size 6% --position bottom --dy -7% --start 3",
            "filter add tint strength=0.6",
            "session undo",
            "filter add vignette strength=0.3",
            "filter add fade-out duration=0.8",
        ),
    ),
    Film(
        "night-sky",
        (270, 480),
        (("trails.mp4", footage.star_trails, 4),),
        (
            "clip add trails.mp4",
            "text add 'Four hours' --size 7% --bold --position top --dy 9% --fade 0.6",
            "lose trails.mp4",
            "find trails.mp4",
            "text add 'in four seconds' --size 4% --position top --dy 18% --start 1.6 --fade 0.6",
            "filter add saturation amount=1.5",
        ),
    ),
    Film(
        "square-wave",
        (640, 360),
        tuple((f"circles-{n}.mp4", footage.wave(n), 1.5) for n in (1, 2, 4, 16)),
        (
            "clip add circles-1.mp4",
            "text add 'one circle: a sine' --size 7% --position bottom --dy -5% --end 1.5",
            "clip add circles-2.mp4",
            "text add two --size 7% --position bottom --dy -5% --start 1.5 --end 3",
            "clip add circles-4.mp4",
            "clip add circles-16.mp4",
            "text add 'sixteen: nearly square' --size 7% --position bottom --dy -5% --start 4.5",
        ),
    ),
)


def main(arguments: Sequence[str]) -> int:
    target = Path(arguments[0] if arguments else ROOT / "previews").absolute()
    for film in FILMS:
        with tempfile.TemporaryDirectory(prefix="gallery-") as work:
            produce(film, Path(work))
            publish(Path(work), target / film.name)
        print(f"{film.name}: {len(film.edits)} edits")
    subprocess.run(
        [str(HUB), "previews", "list", str(target), "--page", str(target / "index.html")],
        check=True,
    )
    return 0


def produce(film: Film, work: Path) -> None:
    """Shoot and edit *film* in the folder *work*, every edit published to its live session."""
    for name, shot, seconds in film.shots:
        footage.film(shot, seconds, work / name, application())
    width, height = film.frame
    frame = ("--width", str(width), "--height", str(height), "--fps", str(footage.FPS))
    harness(work, film, "project", "new", *frame)
    harness(work, film, "preview", "live", "start")
    for edit in film.edits:
        words = shlex.split(edit)
        if words[0] in {"lose", "find"}:
            name = words[1]
            first, second = (name, f".{name}") if words[0] == "lose" else (f".{name}", name)
            (work / first).rename(work / second)
            harness(work, film, "preview", "live", "publish")
        else:
            harness(work, film, "--live", *words)
    harness(work, film, "preview", "live", "stop")


def publish(work: Path, target: Path) -> None:
    """Replace *target* by the previews of the project in *work*, without its footage."""
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(work / ".cli-anything", target / ".cli-anything", symlinks=True)


def harness(work: Path, film: Film, *words: str) -> None:
    line = [str(HARNESS), "--project", f"{film.name}.json", *words]
    subprocess.run(line, check=True, cwd=work, stdout=subprocess.DEVNULL)


def application() -> Path:
    """The ffmpeg that the harness uses."""
    answer = subprocess.run(
        [str(HARNESS), "application", "--json"], check=True, capture_output=True
    )
    return Path(json.loads(answer.stdout)["path"])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
