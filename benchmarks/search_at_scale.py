"""Searching, indexing, validating and installing from registries of 100 to 100,000 entries.

    python benchmarks/search_at_scale.py [--rounds N] [--json]

Search is measured as a whole process with a warm index, in processor time, in turns: the sizes
against each other, and the smallest beside the public hub, which has its registry cached.
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
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import generated_registry
from benchmarks.hubs import (
    PUBLIC_HUB,
    REPOSITORY,
    make_environment,
    public_hub_variables,
    tell_public_hub,
)

SIZES = (100, 10_000, 100_000)
QUERY = "render video subtitles"
COMMON = "video"
"""A word that half of the entries have."""
GENERATOR = Path(generated_registry.__file__)


@dataclass(frozen=True)
class Cost:
    """What one process cost: processor and wall seconds, and its largest size in MB."""

    processor: float
    wall: float
    memory: float
    code: int


def cost(argv: Sequence[str], env: dict[str, str]) -> Cost:
    """Run a program to its end, its output thrown away."""
    null = os.open(os.devnull, os.O_RDWR)
    began = time.perf_counter()
    pid = os.posix_spawn(
        argv[0], argv, env, file_actions=[(os.POSIX_SPAWN_DUP2, null, end) for end in range(3)]
    )
    _, status, used = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    os.close(null)
    code = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, code)


def ours(folder: Path, size: int) -> dict[str, str]:
    registry = folder / f"registry-{size}.json"
    # In a process of its own: a child counts the memory of the one that started it as its own.
    subprocess.run(
        [sys.executable, GENERATOR, str(size), registry], check=True, stdout=subprocess.DEVNULL
    )
    home = folder / f"person-{size}"
    return {
        "PATH": os.defpath,
        "HOME": str(home),
        "CLI_HUB_HOME": str(home / "hub"),
        "CLI_HUB_REGISTRY": str(registry),
    }


def succeeded(found: Cost, what: str) -> Cost:
    if found.code:
        raise SystemExit(f"{what} ended with exit code {found.code}")
    return found


def measure(folder: Path, rounds: int) -> list[dict[str, object]]:
    our = str(make_environment(folder / "ours", str(REPOSITORY)) / "cli-hub")
    their = str(make_environment(folder / "theirs", PUBLIC_HUB, seed=True) / "cli-hub")
    variables = {size: ours(folder, size) for size in SIZES}
    person = folder / "their-person"
    tell_public_hub(person, list(generated_registry.entries(SIZES[0])))

    search = (our, "search", QUERY, "--json")
    common = (our, "search", COMMON, "--json")
    name = next(generated_registry.entries(1))["name"]
    plan = (our, "install", "--dry-run", name, "--json")
    build = {size: succeeded(cost(search, variables[size]), "search") for size in SIZES}
    ends = (SIZES[0], SIZES[-1])
    others: dict[tuple[str, ...], dict[int, list[float]]] = {
        line: {size: [] for size in ends} for line in (common, plan)
    }
    times: dict[object, list[float]] = {who: [] for who in (*SIZES, "public hub")}
    for _ in range(rounds):
        for size in SIZES:
            times[size].append(succeeded(cost(search, variables[size]), "search").processor)
        for line, costs in others.items():
            for size in ends:
                found = succeeded(cost(line, variables[size]), line[1])
                costs[size].append(found.processor)
        found = cost((their, "search", QUERY, "--json"), public_hub_variables(person))
        times["public hub"].append(succeeded(found, "the public hub").processor)
    middle = {who: statistics.median(found) for who, found in times.items()}
    grown = {
        line: statistics.median(costs[ends[1]]) / statistics.median(costs[ends[0]])
        for line, costs in others.items()
    }
    validate = cost(
        (our, "registry", "validate", str(folder / f"registry-{SIZES[-1]}.json"), "--json"),
        variables[SIZES[-1]],
    )
    if validate.code not in (0, 1):  # generated entries have faults, which is what is looked for
        raise SystemExit(f"validate ended with exit code {validate.code}")
    small, large = SIZES[0], SIZES[-1]
    return [
        row(f"search, {large:,} beside {small}", middle[large] / middle[small], 1.5, "times"),
        row("the same for a common word", grown[common], 1.5, "times"),
        row(f"install --dry-run, {large:,} beside {small}", grown[plan], 1.5, "times"),
        row(f"search, {SIZES[1]:,} beside {small}", middle[SIZES[1]] / middle[small], 1.5, "times"),
        row(
            "search of 100 beside the public hub",
            middle[small] / middle["public hub"],
            0.55,
            "times",
        ),
        row(f"index of {large:,}", build[large].wall, 10.0, "s"),
        row(f"index of {large:,}", build[large].memory, 300.0, "MB"),
        row(f"validate {large:,}", validate.wall, 20.0, "s"),
        row(f"validate {large:,}", validate.memory, None, "MB"),
        row("search of 100", middle[small], None, "s of processor"),
        row("the public hub's", middle["public hub"], None, "s of processor"),
    ]


def row(what: str, found: float, wanted: float | None, unit: str) -> dict[str, object]:
    reached = wanted is None or found <= wanted
    return {"what": what, "found": round(found, 3), "unit": unit, "at_most": wanted, "ok": reached}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="search-benchmark-") as folder:
        rows = measure(Path(folder), options.rounds)
    if options.json:
        print(json.dumps(rows, indent=2))
    else:
        for each in rows:
            wanted = "" if each["at_most"] is None else f"(at most {each['at_most']})"
            print(f"{each['what']:38} {each['found']:10.3f} {each['unit']} {wanted}")
    return 0 if all(each["ok"] for each in rows) else 1


if __name__ == "__main__":
    raise SystemExit(main())
