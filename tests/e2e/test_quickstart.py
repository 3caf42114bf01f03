"""The README's first command, as a newcomer runs it: a fresh clone, an empty home, no ffmpeg."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import jsonschema
import pytest

from cli_hub import schemas
from tests.support.installed_hub import REPOSITORY, InstalledHub
from tests.support.page_reader import PageReader, page_reader
from tests.support.requirements import require_program

pytestmark = [pytest.mark.slow, pytest.mark.network]

PROGRAMS = ("sh", "dirname", "rm", "env", "uname", "cat")
"""What the scripts may expect of a machine, besides Python."""


@dataclass(frozen=True)
class Newcomer:
    """A person with a fresh clone, an empty home, and a PATH that has no ffmpeg."""

    folder: Path

    @property
    def clone(self) -> Path:
        return self.folder / "clone"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def hub_home(self) -> Path:
        return self.home / ".local" / "share" / "cli-hub"

    @property
    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "UV_INDEX", "UV_DEFAULT", "HTTP", "LANG"))
        }
        return kept | {
            "HOME": str(self.home),
            "PATH": str(self.folder / "bin"),
            "PYTHON": sys.executable,
        }

    def prepare(self) -> None:
        for folder in (self.home, self.folder / "bin"):
            folder.mkdir(parents=True)
        for name in PROGRAMS:
            (self.folder / "bin" / name).symlink_to(require_program(name))
        git = require_program("git")
        run([git, "clone", "--quiet", str(REPOSITORY), str(self.clone)], {**os.environ})
        namesake = self.clone / "macros" / "title_clip.yaml"  # of the project one stands in
        namesake.parent.mkdir()
        namesake.write_text(
            "name: title_clip\nsteps: [{action: run_command, params: {command: ['false']}}]\n"
        )

    def quickstart(self, *options: str) -> subprocess.CompletedProcess[str]:
        return run([*readme_command(0).split(), *options], self.environment, self.clone)


def run(
    argv: list[str], environment: dict[str, str], cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        argv, cwd=cwd, env=environment, capture_output=True, text=True, timeout=600, check=False
    )


def readme_command(number: int) -> str:
    """The commands of the README's first block, without their remarks."""
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```sh\n(.*?)```", readme, re.DOTALL)
    assert block
    return block[1].splitlines()[number].split("#")[0].strip()


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Newcomer:
    made = Newcomer(tmp_path_factory.mktemp("newcomer"))
    made.prepare()
    return made


@pytest.fixture(scope="module")
def first_time(newcomer: Newcomer) -> dict[str, Any]:
    """What the first run answered."""
    done = newcomer.quickstart("--json")
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(document, schemas.load("quickstart"))
    return document


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageReader]:
    with page_reader(tmp_path_factory.mktemp("profile")) as reader:
        yield reader


def test_it_ends_with_a_video_that_is_what_was_asked_for(first_time: dict[str, Any]) -> None:
    video = first_time["artifact"]
    frames = imageio_ffmpeg.read_frames(video)
    facts = next(frames)
    first_picture = next(frames)
    frames.close()
    count, seconds = imageio_ffmpeg.count_frames_and_secs(video)

    assert (facts["codec"], facts["size"], facts["fps"]) == ("h264", (1280, 720), 30)
    assert (count, round(seconds, 2)) == (120, 4.0)
    assert len(set(first_picture)) > 16


def test_it_ends_with_a_page_that_shows_the_video(
    first_time: dict[str, Any], browser: PageReader, tmp_path: Path
) -> None:
    browser.open(Path(first_time["html"]))
    browser.until("[...document.images].some(i => i.complete && i.naturalWidth > 0)")

    broken = "return [...document.images].filter(i => i.complete && !i.naturalWidth).length"
    assert browser.js(broken) == 0
    assert browser.console() == []
    assert all(url.startswith("file:") for url in browser.requests())


def test_it_leaves_nothing_outside_its_own_places(
    first_time: dict[str, Any], newcomer: Newcomer
) -> None:
    assert first_time["html"].startswith(str(newcomer.clone / "quickstart-out"))
    left = {
        path.relative_to(newcomer.home).as_posix()
        for pattern in ("*", ".cache/*", ".local/*", ".local/share/*")
        for path in newcomer.home.glob(pattern)
    }
    # The first command makes the virtual environment, and pip keeps what it downloaded for that.
    assert left - {".cache", ".cache/pip"} == {".local", ".local/share", ".local/share/cli-hub"}


def test_every_stage_of_the_loop_is_told_with_its_time(first_time: dict[str, Any]) -> None:
    names = [stage["name"] for stage in first_time["stages"]]

    assert names == [
        "search",
        "install",
        "skill",
        "application",
        "macro",
        "verify",
        "preview",
        "page",
    ]
    application = first_time["stages"][3]["findings"][0]
    assert "imageio_ffmpeg" in application["path"]


def test_the_second_time_gives_the_same_video(
    first_time: dict[str, Any], newcomer: Newcomer
) -> None:
    before = Path(first_time["artifact"]).read_bytes()

    done = newcomer.quickstart()

    assert done.returncode == 0, done.stderr
    assert [line[:4] for line in done.stdout.splitlines()[:8]] == [f"{n}/8 " for n in range(1, 9)]
    assert Path(first_time["artifact"]).read_bytes() == before


def test_nothing_was_added_to_the_hubs_own_environment(
    first_time: dict[str, Any], newcomer: Newcomer
) -> None:
    packages = newcomer.clone / ".venv" / "lib"
    assert not list(packages.glob("python3*/site-packages/cli_anything*"))
    assert (newcomer.hub_home / "envs" / "ffmpeg" / "current").is_dir()


def test_a_registry_that_cannot_do_it_says_so(hub: InstalledHub, tmp_path: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.write_text('{"meta": {}, "clis": []}')
    elsewhere = InstalledHub(hub.program, hub.home, {"CLI_HUB_REGISTRY": str(empty)})

    said = elsewhere("quickstart", "-o", str(tmp_path / "out"), "--json")

    assert said.exit_code == 3
    assert said.document["error"]["code"] == "capability_gap"
    assert said.document["error"]["details"]["stage"] == "search"
