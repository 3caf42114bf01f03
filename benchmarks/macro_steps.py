"""What a macro costs beyond the programs it runs, as ratios measured in one run.

* 1,000 ``native_api`` steps against 1,000 bare ``subprocess.run`` calls that keep the output:
  at most 1.15;
* memory after 1,000 steps against memory after 100: flat;
* ``macro run`` of a no-op against ``python -c pass``, CPU time: at most 8;
* one look for a template on a 1920×1080 screen: under 100 ms.

The sides of a ratio take turns and the best of several rounds counts, so that a busy machine does
not decide. Bytecode lies beside the modules, as it does for an installed program.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cli_anything.macrocli.plan import Planner
from cli_anything.macrocli.read_macro import parse_macro
from cli_anything.macrocli.runner import run_plan

STEPS = 1000
ROUNDS = 5
PROGRAM = "/bin/true"


def macro_text(steps: int) -> str:
    step = f"  - {{action: run_command, params: {{command: [{PROGRAM}]}}}}\n"
    return "name: many\nsteps:\n" + step * steps


def run_macro(steps: int) -> None:
    """A whole run: read, plan, walk, and make the answer."""
    planner = Planner(_no_macros, dict(os.environ))
    macro = parse_macro(macro_text(steps), source="many.yaml", folder=Path("/"))
    result = run_plan(planner.plan(macro, {}), planner)
    assert result.success
    result.as_document()


def _no_macros(name: str) -> None:  # type: ignore[misc]
    raise AssertionError(name)


def run_bare(calls: int) -> None:
    for _ in range(calls):
        subprocess.run([PROGRAM], capture_output=True, check=True)


def seconds(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def cpu_of(argv: list[str], environment: dict[str, str]) -> float:
    """CPU seconds of a program and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_steps() -> dict[str, float]:
    macro, bare = [], []
    for _ in range(ROUNDS):
        bare.append(seconds(lambda: run_bare(STEPS)))
        macro.append(seconds(lambda: run_macro(STEPS)))
    return {"macro": min(macro), "bare": min(bare), "ratio": min(macro) / min(bare)}


def measure_memory() -> dict[str, float]:
    import psutil

    run_macro(100)
    small = psutil.Process().memory_info().rss
    run_macro(STEPS)
    large = psutil.Process().memory_info().rss
    return {"after_100": small, "after_1000": large, "ratio": large / small}


def measure_start() -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "noop.yaml"
        step = "{when: {always: false}, action: find_executable, params: {name: sh}}"
        file.write_text(f"name: noop\nsteps:\n  - {step}\n")
        environment = {**os.environ, "CLI_HUB_HOME": folder}
        for name in ("PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE"):
            environment.pop(name, None)
        argv = [sys.executable, "-m", "cli_anything.macrocli", "macro", "run"]
        argv += ["--macro-file", str(file), "--json"]
        cpu_of(argv, environment)
        macro = min(cpu_of(argv, environment) for _ in range(ROUNDS * 2))
        bare = min(cpu_of([sys.executable, "-c", "pass"], environment) for _ in range(ROUNDS * 2))
    return {"macro": macro, "bare": bare, "ratio": macro / bare}


def measure_template() -> dict[str, float]:
    try:
        import numpy

        from cli_anything.macrocli.desktop.vision import find
    except ImportError:
        return {}
    screen = numpy.random.default_rng(1).integers(0, 255, (1080, 1920, 3), dtype=numpy.uint8)
    template = screen[500:540, 900:990].copy()
    find(screen, template, 0.9)
    return {"seconds": min(seconds(lambda: find(screen, template, 0.9)) for _ in range(ROUNDS))}


LIMITS = {
    "1,000 steps beside 1,000 subprocess.run": 1.15,
    "memory after 1,000 steps beside 100": 1.1,
    "macro run of a no-op beside python -c pass (CPU)": 8.0,
    "one look at 1920×1080 (milliseconds)": 100.0,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    as_json = parser.parse_args().json
    report = {
        "steps": measure_steps(),
        "memory": measure_memory(),
        "start": measure_start(),
        "template": measure_template(),
    }
    if as_json:
        print(json.dumps(report, indent=2))
        return
    figures = (
        report["steps"]["ratio"],
        report["memory"]["ratio"],
        report["start"]["ratio"],
        report["template"].get("seconds", float("nan")) * 1000,
    )
    for (what, limit), figure in zip(LIMITS.items(), figures, strict=True):
        print(f"{what:50}  {figure:7.2f}  at most {limit:g}")


if __name__ == "__main__":
    main()
