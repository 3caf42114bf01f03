"""The streams of a media file, read packet by packet with ffmpeg's ``framecrc`` output.

``framecrc`` is made for machines: header lines ``#codec_id 0: h264``, then one line a packet,
``stream, dts, pts, duration, size, checksum``, in units of the stream's ``#tb``. Unlike what
ffmpeg logs it is exact, it is stable across versions, and it needs no ffprobe.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from cli_anything.kit import processes
from cli_anything.kit.errors import BadProject, NotFound
from cli_anything.kit.processes import Runner, command
from cli_anything.kit.verify.containers import container_of

READ_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream; times in seconds. *frames* counts packets: pictures of a video stream."""

    kind: str
    codec: str
    start: Fraction
    end: Fraction
    frames: int
    width: int = 0
    height: int = 0
    sample_rate: int = 0
    channels: str = ""
    usual_gap: Fraction = Fraction(0)
    """The commonest time between two packets, which is the length of a frame."""

    @property
    def duration(self) -> Fraction:
        return self.end - max(self.start, Fraction(0))

    @property
    def frame_rate(self) -> Fraction:
        """Frames a second, exact for a constant rate."""
        if self.frames > 1 and self.duration:
            return Fraction(self.frames) / self.duration
        return 1 / self.usual_gap if self.usual_gap else Fraction(0)


@dataclass(frozen=True, slots=True)
class Media:
    """What a file holds. A still picture is a video stream of one frame."""

    path: Path
    container: str
    streams: tuple[Stream, ...]

    @property
    def video(self) -> Stream | None:
        return next((s for s in self.streams if s.kind == "video"), None)

    @property
    def audio(self) -> Stream | None:
        return next((s for s in self.streams if s.kind == "audio"), None)

    @property
    def is_still(self) -> bool:
        return self.container in ("png", "jpeg", "webp") or (
            self.video is not None and self.video.frames == 1 and self.audio is None
        )

    @property
    def duration(self) -> Fraction:
        return max((s.end for s in self.streams), default=Fraction(0))


class NotMedia(BadProject):
    """A file has no picture and no sound that ffmpeg can read."""

    code = "not_media"


def read_media(path: Path, ffmpeg: str, run: Runner = processes.run) -> Media:
    """Read the packets of *path*, without decoding them.

    Raises :class:`NotFound` without the file, :class:`NotMedia` when ffmpeg finds nothing in it.
    """
    if not path.is_file():
        raise NotFound(f"there is no file {path}")
    with tempfile.TemporaryDirectory(prefix="packets-") as folder:
        listing = Path(folder, "packets")
        done = run(
            command(
                ffmpeg, "-v", "error", "-nostdin", *only_files(), "-i", file_url(path),
                "-map", "0:V?", "-map", "0:a?", "-c", "copy", "-f", "framecrc", str(listing),
            ),
            timeout=READ_SECONDS,
        )  # fmt: skip
        if not listing.exists() or not listing.stat().st_size:
            raise NotMedia(
                f"{path.name} holds no picture and no sound that can be read",
                hint=done.tail(3) or "is it the right file?",
            )
        with listing.open(encoding="utf-8", errors="replace") as lines:
            streams = parse(lines)
    if not streams:
        raise NotMedia(f"{path.name} holds no picture and no sound that can be read")
    return Media(path, container_of(path), streams)


def file_url(path: Path) -> str:
    """*path* so that ffmpeg takes it for a file, whatever colons or dashes are in it."""
    return f"file:{path.absolute()}"


def only_files() -> tuple[str, ...]:
    """Input options that keep a playlist or a crafted file from opening the network."""
    return ("-protocol_whitelist", "file,crypto,data")


@dataclass(slots=True)
class _Packets:
    """What is gathered of one stream while reading."""

    header: dict[str, str] = field(default_factory=dict)
    first: int | None = None
    end: int = 0
    count: int = 0
    gaps: dict[int, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, pts: int, duration: int) -> None:
        self.first = pts if self.first is None else min(self.first, pts)
        self.end = max(self.end, pts + duration)
        self.count += 1
        self.gaps[duration] += 1

    def stream(self) -> Stream:
        unit = Fraction(self.header.get("tb", "1/1"))
        width, _, height = self.header.get("dimensions", "0x0").partition("x")
        gap = max(self.gaps, key=lambda length: self.gaps[length], default=0)
        return Stream(
            kind=self.header.get("media_type", ""),
            codec=self.header.get("codec_id", ""),
            start=(self.first or 0) * unit,
            end=self.end * unit,
            frames=self.count,
            width=int(width),
            height=int(height),
            sample_rate=int(self.header.get("sample_rate", 0)),
            channels=self.header.get("channel_layout_name", ""),
            usual_gap=gap * unit,
        )


def parse(lines: Iterable[str]) -> tuple[Stream, ...]:
    """The streams of a ``framecrc`` listing."""
    found: dict[int, _Packets] = defaultdict(_Packets)
    for line in lines:
        if line.startswith("#"):
            name, _, value = line[1:].partition(":")
            word, _, index = name.partition(" ")
            if index.isdigit():
                found[int(index)].header[word] = value.strip()
            continue
        fields = line.split(",")
        if len(fields) >= 5:
            found[int(fields[0])].add(int(fields[2]), int(fields[3]))
    return tuple(found[index].stream() for index in sorted(found) if found[index].count)
