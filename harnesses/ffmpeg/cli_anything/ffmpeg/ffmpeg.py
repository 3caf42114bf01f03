"""The application: which ffmpeg is used, what it can encode, and running it with progress."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from cli_anything.kit import processes
from cli_anything.kit.application import Application, Candidate, Probe, version_key
from cli_anything.kit.errors import ApplicationFailed, HarnessError, TimedOut
from cli_anything.kit.processes import command

MINIMUM = "4.4"

_APPLICATION = Application(
    name="ffmpeg",
    programs=("ffmpeg",),
    minimum=MINIMUM,
    version_arguments=("-version",),
    version_pattern=r"ffmpeg version n?(\d[\w.]*)",
    hint=f"install ffmpeg {MINIMUM} or newer, or the Python package imageio-ffmpeg, "
    "which brings one",
)

OnProgress = Callable[[int], None]
"""Called with the number of frames done so far, from a reader thread."""


@cache
def probe() -> Probe:
    """The ffmpeg on PATH when it is new enough, else the one of the imageio-ffmpeg package."""
    return _APPLICATION.probe(_bundled())


@cache
def require() -> str:
    """The path of a usable ffmpeg. Raises :class:`ApplicationMissing`."""
    return _APPLICATION.require(_bundled()).path


def _bundled() -> tuple[Candidate, ...]:
    """The package answers with ``IMAGEIO_FFMPEG_EXE`` when that is set, else with its own file."""
    try:
        import imageio_ffmpeg

        return (Candidate(Path(imageio_ffmpeg.get_ffmpeg_exe()), "imageio-ffmpeg"),)
    except (ImportError, RuntimeError):
        return ()  # not installed, or its wheel has no program for this machine


@cache
def encoders() -> frozenset[str]:
    """Names of the encoders this ffmpeg has."""
    done = processes.run(command(require(), "-hide_banner", "-encoders"), timeout=30)
    return frozenset(re.findall(r"^ [VAS][\w.]{5} (\S+)", done.stdout, re.MULTILINE))


def _graph_option() -> str:
    """How this ffmpeg takes a graph from a file: the old option is gone from version 8 on."""
    modern = version_key(probe().version) >= (7,)
    return "-/filter_complex" if modern else "-filter_complex_script"


class FfmpegFailed(ApplicationFailed):
    """ffmpeg ended badly; *details* hold its arguments and the end of what it said."""


def run(
    arguments: Sequence[str | os.PathLike[str]],
    *,
    graph: str = "",
    on_progress: OnProgress | None = None,
    timeout: float | None = None,
) -> None:
    """Run ffmpeg; *graph* goes through a file, so its length has no limit.

    Raises :class:`FfmpegFailed` when it does not succeed, :class:`TimedOut`.
    """
    with tempfile.TemporaryDirectory(prefix="ffmpeg-") as folder:
        extra: list[str] = []
        if graph:
            script = Path(folder, "graph.txt")
            script.write_text(graph, encoding="utf-8")
            extra = [_graph_option(), str(script)]
        listen = None
        if on_progress is not None:
            listen = _Progress(on_progress)
            extra += ["-progress", "pipe:1", "-stats_period", "0.5"]
        line = command(require(), "-hide_banner", "-v", "error", "-nostdin", *extra, *arguments)
        done = processes.run(line, timeout=timeout, on_output=listen)
    details = {"arguments": [*line.argv[1:]], "output": done.stderr[-4000:]}
    if done.timed_out:
        raise TimedOut(f"ffmpeg was ended after {timeout:g} s", details=details)
    if not done.ok:
        raise FfmpegFailed(f"ffmpeg failed: {_reason(done.stderr)}", details=details)


def _reason(said: str) -> str:
    """The first complaint; the rest usually follows from it."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return re.sub(r"^\[[^\]]*\]\s*", "", lines[0]) if lines else "it did not say why"


class _Progress:
    """Reads ``frame=123`` lines of ``-progress`` as they arrive in pieces."""

    def __init__(self, report: OnProgress) -> None:
        self._report = report
        self._rest = b""

    def __call__(self, stream: str, chunk: bytes) -> None:
        if stream != "stdout":
            return
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.partition(b"=")
            if name == b"frame" and value.strip().isdigit():
                self._report(int(value))


def failed_because(problem: HarnessError) -> str:
    """One line of *problem* for a record."""
    return problem.message.splitlines()[0]
