"""The installed program, driven from outside as its users drive it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

PROGRAM = Path(sys.executable).with_name("cli-anything-ffmpeg")


@dataclass(frozen=True, slots=True)
class Answer:
    """How one call ended."""

    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The inside of the error document."""
        assert set(self.document) == {"error"}, self.out
        return dict(self.document["error"])


class Harness:
    """``cli-anything-ffmpeg`` in a folder of its own, with a home that holds nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "HOME": str(folder / "home"), "NO_COLOR": "1"}
        (folder / "home").mkdir()

    def start(self, *words: str | Path) -> subprocess.Popen[bytes]:
        """Begin a call and do not wait for it."""
        return subprocess.Popen(
            [PROGRAM, *words],
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def call(self, *words: str | Path) -> Answer:
        """Call the program and wait for its end."""
        process = self.start(*words)
        out, err = process.communicate(timeout=120)
        return Answer(process.returncode, out.decode("utf-8"), err.decode("utf-8"))

    def ask(self, *words: str | Path) -> Any:
        """The document that a call which must succeed answers with."""
        answer = self.call("--json", *words)
        assert answer.exit_code == 0, answer.out + answer.err
        return answer.document

    def refused(self, *words: str | Path) -> Answer:
        """A call that must fail."""
        answer = self.call("--json", *words)
        assert answer.exit_code != 0, answer.out
        assert answer.error["message"]
        assert "Traceback" not in answer.err
        return answer


class Film:
    """A small project: 160x90, 10 frames a second."""

    def __init__(self, harness: Harness, name: str = "film.json") -> None:
        self.harness = harness
        self.path = harness.folder / name
        self.ask("project", "new", "--width", "160", "--height", "90", "--fps", "10")

    def ask(self, *words: str | Path) -> Any:
        return self.harness.ask("--project", self.path, *words)

    def refused(self, *words: str | Path) -> Answer:
        return self.harness.refused("--project", self.path, *words)

    def render(self, name: str, *more: str) -> Path:
        """An export of the film, which must succeed."""
        output = self.harness.folder / name
        self.ask("export", "render", "-o", output, *more)
        return output

    @property
    def frames(self) -> int:
        return int(self.ask("session", "status")["timeline"]["frames"])


@pytest.fixture
def harness(tmp_path: Path) -> Harness:
    return Harness(tmp_path)


@pytest.fixture
def film(harness: Harness) -> Film:
    return Film(harness)


@pytest.fixture(scope="session")
def ffmpeg() -> str:
    """The ffmpeg of the imageio-ffmpeg wheel, which the harness depends on."""
    import imageio_ffmpeg

    return str(imageio_ffmpeg.get_ffmpeg_exe())


@pytest.fixture(scope="session")
def footage(tmp_path_factory: pytest.TempPathFactory, ffmpeg: str) -> Path:
    """Two seconds of a test picture with a tone: 160x90, 10 frames a second."""
    path = tmp_path_factory.mktemp("footage") / "footage.mp4"
    subprocess.run(
        [
            ffmpeg, "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:r=10:d=2",
            "-f", "lavfi", "-i", "sine=f=440:r=48000:d=2", "-c:v", "libx264", "-preset",
            "ultrafast", "-pix_fmt", "yuv420p", path,
        ],
        check=True,
    )  # fmt: skip
    return path
