"""Reading previews beside the public hub: the same sessions, the same machine, one run.

    python benchmarks/preview_reading.py [--rounds N] [--public PROGRAM] [--json]

``inspect --json`` of a session of 7 steps and of one of 200,000 steps (50 MB), whole programs from
start to end; then what reading the long one costs inside a program that has started. The two
programs take turns and the best of the rounds counts. ``--public`` names an installed public hub;
without it one is installed for the occasion.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.hubs import PUBLIC_HUB, make_environment
from tests.previews.producer import Producer
from tests.previews.test_scale import long_session

STEPS = 200_000
WANTED = {"7 steps": 1.0, "200,000 steps": 10.0}
"""How many times faster than the public hub each has to be."""

MEASURE = r"""
import re, sys, time
from pathlib import Path
from cli_hub.previews.loading import load_session
def peak():
    return int(re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024
times = []
for _ in range(3):
    began = time.perf_counter()
    assert load_session(Path(sys.argv[1])).step_count == int(sys.argv[2])
    times.append(time.perf_counter() - began)
print(min(times), peak())
"""


def seconds(argv: Sequence[str], env: dict[str, str]) -> float:
    """How long one call of a program takes; it must succeed and answer a JSON document."""
    began = time.perf_counter()
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=True)
    took = time.perf_counter() - began
    json.loads(done.stdout)
    return took


def side_by_side(
    ours: str, public: str, session: Path, rounds: int, env: dict[str, str]
) -> dict[str, float]:
    """The best times of both programs for ``inspect`` of *session*."""
    line = ["previews", "inspect", str(session), "--json"]
    took: dict[str, list[float]] = {"ours": [], "public": []}
    for _ in range(rounds):
        took["ours"].append(seconds([ours, *line], env))
        took["public"].append(seconds([public, *line], env))
    best = {name: round(min(times), 3) for name, times in took.items()}
    return {**best, "faster": round(best["public"] / best["ours"], 2)}


def inside(session: Path) -> dict[str, float]:
    """Seconds to read the long session, and the most memory the process ever had, in MB."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(session), str(STEPS)],
        capture_output=True,
        text=True,
        check=True,
    )
    took, peak = done.stdout.split()
    size = (session / "trajectory.json").stat().st_size
    return {
        "seconds": round(float(took), 3),
        "peak MB": round(float(peak)),
        "file MB": size // 10**6,
    }


def measure(public: str | None, rounds: int) -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory(prefix="preview-reading-") as name:
        work = Path(name)
        if public is None:
            public = str(make_environment(work / "public", PUBLIC_HUB, seed=False) / "bin/cli-hub")
        ours = str(Path(sys.executable).with_name("cli-hub"))
        env = {**os.environ, "CLI_HUB_HOME": str(work / "home"), "HOME": str(work)}
        env |= {"PYTHONPYCACHEPREFIX": str(work / "bytecode")}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        short = Producer(work / "short").seven_steps()
        long = long_session(Producer(work / "long"), STEPS)
        for program in (ours, public):  # byte code is written once, as on installation
            seconds([program, "previews", "inspect", str(short), "--json"], env)
        return {
            "7 steps": side_by_side(ours, public, short, rounds, env),
            "200,000 steps": side_by_side(ours, public, long, max(2, rounds // 2), env),
            "reading 200,000 steps": inside(long),
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--public", help="the public hub's program, if it is installed")
    parser.add_argument("--json", action="store_true", help="print JSON only")
    asked = parser.parse_args()
    found = measure(asked.public, asked.rounds)
    if asked.json:
        print(json.dumps(found, indent=2))
    else:
        for title, row in found.items():
            print(f"{title:24}" + "  ".join(f"{name} {value:g}" for name, value in row.items()))
    missed = [title for title, least in WANTED.items() if found[title]["faster"] < least]
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
