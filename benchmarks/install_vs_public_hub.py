"""Installing and launching beside the public hub: same wheels, same machine, one run.

    python benchmarks/install_vs_public_hub.py [--rounds N] [--json]

Both programs are installed into environments of their own, know the same harnesses from a registry
of their own format, and get the same wheels from one loopback index. "Warm" means that the wheels
are in the installer's cache. The public hub takes one name a call, so ten harnesses are ten calls.

What is installed is generated, and a second time a published harness with all it depends on. The
public hub installs into its own environment and leaves the dependencies there when it uninstalls,
so its warm install finds them; "dependencies too" is the same where they are removed in between.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.hubs import (
    PUBLIC_HUB,
    REPOSITORY,
    make_environment,
    public_hub_variables,
    tell_public_hub,
)
from benchmarks.install_workloads import (
    NAMES,
    PUBLISHED,
    entries,
    offer_generated,
    offer_published,
)
from tests.support.package_index import PackageIndex

TARGETS = {
    "warm install": 5.0,
    "published, warm install": 5.0,
    "ten at once": 8.0,
    "launch overhead": 2.0,
}
"""How many times faster than the public hub each has to be; the others are only reported."""


@dataclass(frozen=True)
class Program:
    """One of the two hubs in its environment."""

    argv: Sequence[str]
    env: dict[str, str]

    def __call__(self, *arguments: str) -> float:
        """Seconds that one call takes; it must succeed."""
        began = time.perf_counter()
        done = subprocess.run(
            [*self.argv, *arguments], env=self.env, capture_output=True, text=True, check=False
        )
        seconds = time.perf_counter() - began
        if done.returncode:
            raise SystemExit(f"{' '.join([*self.argv, *arguments])}\n{done.stdout}{done.stderr}")
        return seconds


def ours(folder: Path, index: PackageIndex) -> Program:
    programs = make_environment(folder / "ours", str(REPOSITORY))
    registry = folder / "registry.json"
    registry.write_text(json.dumps({"meta": {}, "clis": entries()}))
    return Program(
        [str(programs / "cli-hub")],
        {
            "PATH": os.defpath,
            "HOME": str(folder / "our-person"),
            "CLI_HUB_HOME": str(folder / "our-person" / "hub"),
            "CLI_HUB_REGISTRY": str(registry),
            "UV_DEFAULT_INDEX": index.address,
        },
    )


def theirs(folder: Path, index: PackageIndex) -> Program:
    programs = make_environment(folder / "theirs", PUBLIC_HUB, seed=True)
    home = folder / "their-person"
    tell_public_hub(home, entries())
    return Program(
        [str(programs / "cli-hub")],
        {
            **public_hub_variables(home),
            "PATH": f"{programs}{os.pathsep}{os.defpath}",
            "PIP_INDEX_URL": index.address,
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        },
    )


def in_turns(rounds: int, *measures: Callable[[], float]) -> tuple[float, ...]:
    """The median of each measure, taken in turns so that all share what else the machine does."""
    found = [[measure() for measure in measures] for _ in range(rounds)]
    return tuple(statistics.median(column) for column in zip(*found, strict=True))


def one(hub: Program, name: str) -> float:
    os.sync()  # what was removed before is not this one's to write
    seconds = hub("install", name)
    hub("uninstall", name)
    return seconds


class Pip:
    """The installer in the public hub's environment, which takes away what that leaves there."""

    def __init__(self, hub: Program) -> None:
        self._argv = [str(Path(hub.argv[0]).with_name("python")), "-m", "pip"]
        self._before = self._packages()

    def afresh(self, hub: Program, name: str) -> float:
        """Seconds of an installation that finds no dependency there but the hub's own."""
        if added := self._packages() - self._before:
            self._say("uninstall", "--yes", *sorted(added))
        return one(hub, name)

    def _packages(self) -> set[str]:
        return {row["name"] for row in json.loads(self._say("list", "--format", "json"))}

    def _say(self, *words: str) -> str:
        return subprocess.run(
            [*self._argv, *words], check=True, capture_output=True, text=True
        ).stdout


def alone(
    our: Program, their: Program, pip: Pip, name: str, rounds: int
) -> tuple[float, float, float]:
    """Seconds of ours, and of the public hub with and without the dependencies being there."""
    for hub in (our, their):
        one(hub, name)  # fills the caches
    mine, afresh, warm = in_turns(
        rounds,
        lambda: one(our, name),
        lambda: pip.afresh(their, name),
        lambda: one(their, name),  # finds what the one before has left
    )
    return mine, warm, afresh


def ten(hub: Program, *, at_once: bool) -> float:
    os.sync()
    seconds = hub("install", *NAMES) if at_once else sum(hub("install", name) for name in NAMES)
    for name in NAMES:
        hub("uninstall", name)
    return seconds


def direct(program: Path) -> float:
    began = time.perf_counter()
    subprocess.run([program, "x"], check=True, capture_output=True)
    return time.perf_counter() - began


def launch_overhead(hub: Program, program: Path, rounds: int) -> float:
    """What ``launch`` costs over starting the harness itself, alternating to share the noise."""
    pairs = [(hub("launch", NAMES[0], "x"), direct(program)) for _ in range(rounds)]
    return statistics.median(launched - bare for launched, bare in pairs)


def cost_on_disk(environment: Path) -> dict[str, int]:
    """Files and bytes of an installed harness, and those no other place shares (hard links)."""
    found = [path.lstat() for path in environment.rglob("*") if path.is_file()]
    own = [each for each in found if each.st_nlink == 1]
    return {
        "files": len(found),
        "bytes": sum(each.st_size for each in found),
        "own_files": len(own),
        "own_bytes": sum(each.st_size for each in own),
    }


def measure(folder: Path, rounds: int) -> tuple[dict[str, tuple[float, float]], dict[str, int]]:
    """Seconds (ours, theirs) by what was measured, and the cost of one harness on disk."""
    with PackageIndex(folder / "index", page_age=600) as index:
        offer_generated(index)
        our, their = ours(folder, index), theirs(folder, index)
        offer_published(index, Path(their.argv[0]).with_name("pip"))
        pip = Pip(their)
        found: dict[str, tuple[float, float]] = {}
        for kind, name in (("", NAMES[0]), ("published, ", PUBLISHED)):
            mine, warm, afresh = alone(our, their, pip, name, rounds)
            found |= {
                f"{kind}warm install": (mine, warm),
                f"{kind}dependencies too": (mine, afresh),
            }
        for hub in (our, their):
            ten(hub, at_once=hub is our)
        ours_at_once, theirs_one_by_one = in_turns(
            max(rounds // 3, 1),
            lambda: ten(our, at_once=True),
            lambda: ten(their, at_once=False),
        )
        found["ten at once"] = (ours_at_once, theirs_one_by_one)
        for hub in (our, their):
            hub("install", NAMES[0])
        our_bin = Path(our.env["CLI_HUB_HOME"]) / "bin" / NAMES[0]
        their_bin = Path(their.argv[0]).parent / NAMES[0]
        found["launch overhead"] = (
            launch_overhead(our, our_bin, rounds * 4),
            launch_overhead(their, their_bin, rounds * 4),
        )
        return found, cost_on_disk(our_bin.resolve().parents[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hub-benchmark-") as folder:
        found, disk = measure(Path(folder), options.rounds)
    rows = [
        {
            "what": what,
            "ours": round(our, 4),
            "public_hub": round(their, 4),
            "ratio": round(their / our, 2),
            "wanted": TARGETS.get(what),
            "reached": their / our >= TARGETS.get(what, 0),
        }
        for what, (our, their) in found.items()
    ]
    if options.json:
        print(json.dumps({"rows": rows, "disk": disk}, indent=2))
    else:
        for row in rows:
            print(
                f"{row['what']:28} {row['ours']:8.3f} s   public hub {row['public_hub']:8.3f} s   "
                f"{row['ratio']:5.1f} times"
                + (f" (wanted {row['wanted']})" if row["wanted"] else "")
            )
        print(
            f"on disk: {disk['files']} files, of which {disk['own_files']} are its own and not "
            f"shared; {disk['bytes']} bytes, of which {disk['own_bytes']}"
        )
    return 0 if all(row["reached"] for row in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
