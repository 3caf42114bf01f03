"""One macro over many parameter sets: bounded in parallel, resumable, one result line each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from cli_anything.kit.errors import HarnessError, Interrupted, UsageError
from cli_anything.kit.processes import Stop
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.plan import Planner
from cli_anything.macrocli.recorded import Recorder, run_recorded
from cli_anything.macrocli.secrecy import MASK


@dataclass(frozen=True, slots=True)
class ParameterSet:
    """One line of the input. *key* is the same for the same line of the same content."""

    line: int
    values: Mapping[str, Any]

    @property
    def key(self) -> str:
        text = json.dumps([self.line, self.values], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(slots=True)
class Summary:
    """How many sets there were and what became of them. *skipped* were done by an earlier run."""

    results: Path
    total: int = 0
    succeeded: int = 0
    failed: int = 0
    skipped: int = 0
    failures: list[dict[str, Any]] = field(default_factory=list)
    """The first failures, each ``{line, message}``."""

    def as_document(self) -> dict[str, Any]:
        return {
            "total": self.total,
            "succeeded": self.succeeded,
            "failed": self.failed,
            "skipped": self.skipped,
            "failures": self.failures,
            "results": str(self.results),
        }


SHOWN_FAILURES = 20


def read_sets(file: Path) -> list[ParameterSet]:
    """The parameter sets of a JSONL file; raises :class:`UsageError` naming the first bad line."""
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"{file} cannot be read: {problem}") from None
    sets = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
        except ValueError as problem:
            raise UsageError(f"{file}:{number}: not JSON: {problem}") from None
        if not isinstance(values, dict):
            raise UsageError(f"{file}:{number}: a line is one object of parameters")
        sets.append(ParameterSet(number, values))
    return sets


def run_map(
    macro: Macro,
    planner: Planner,
    sets: list[ParameterSet],
    recorder: Recorder,
    *,
    jobs: int,
    results: Path,
    resume: bool,
    consent: bool,
) -> Summary:
    """Run *macro* for every set, at most *jobs* at once, and append each result as it comes.

    With *resume* the sets that succeeded before, by *results*, are not run again. Ctrl-C ends what
    runs, writes down what became of it and raises :class:`Interrupted`.
    """
    summary = Summary(results, total=len(sets))
    done = _succeeded_before(results) if resume else set()
    left = [one for one in sets if one.key not in done]
    summary.skipped = len(sets) - len(left)
    with (
        closing(Stop()) as stop,
        _appending(results, fresh=not resume) as stream,
        ThreadPoolExecutor(jobs) as pool,
    ):

        def begin(one: ParameterSet) -> Future[dict[str, Any]]:
            return pool.submit(_run_one, macro, planner, one, recorder, consent, stop)

        try:
            for result in _bounded(map(begin, left), jobs, stop):
                stream.write(json.dumps(result, ensure_ascii=False) + "\n")
                stream.flush()
                _count(summary, result)
        except BaseException:
            stop.request()  # the pool waits for what runs
            raise
        if stop.requested:
            raise Interrupted(
                f"interrupted after {summary.succeeded} of {summary.total - summary.skipped}",
                hint="with --resume it goes on where it was",
                details=summary.as_document(),
            )
    return summary


def _bounded(
    futures: Iterator[Future[dict[str, Any]]], jobs: int, stop: Stop
) -> Iterator[dict[str, Any]]:
    """Results as they come, with never more than *jobs* begun: an interrupt loses little.

    After an interrupt nothing more is begun, and what runs is told to *stop*.
    """
    running: set[Future[dict[str, Any]]] = set()
    try:
        for future in futures:
            running.add(future)
            if len(running) >= jobs:
                ended, _ = wait(running, return_when=FIRST_COMPLETED)
                running -= ended
                yield from (one.result() for one in ended)
        wait(running)
    except KeyboardInterrupt:
        stop.request()
    for future in running:
        yield future.result()


def _run_one(
    macro: Macro,
    planner: Planner,
    one: ParameterSet,
    recorder: Recorder,
    consent: bool,
    stop: Stop,
) -> dict[str, Any]:
    shown = {
        name: MASK if name in macro.parameters and macro.parameters[name].secret else value
        for name, value in one.values.items()
    }
    line: dict[str, Any] = {"line": one.line, "key": one.key, "params": shown}
    try:
        result = run_recorded(macro, planner, one.values, recorder, consent=consent, stop=stop)
    except HarnessError as problem:
        refused = {"success": False, "status": "refused", "exit_code": problem.exit_code}
        error = {"code": problem.code, "message": problem.message, "hint": problem.hint}
        return {**line, **refused, "output": {}, "error": error, "run_id": None}
    document = result.as_document()
    return {
        **line,
        "success": result.success,
        "status": document["status"],
        "exit_code": result.exit_code,
        "output": document["output"],
        "error": document["error"],
        "run_id": result.run_id,
    }


def _count(summary: Summary, result: Mapping[str, Any]) -> None:
    if result["success"]:
        summary.succeeded += 1
        return
    summary.failed += 1
    if len(summary.failures) < SHOWN_FAILURES:
        error = result["error"] or {}
        summary.failures.append({"line": result["line"], "message": error.get("message", "")})


def _succeeded_before(results: Path) -> set[str]:
    """The keys of successful lines; a line that was cut off does not count."""
    if not results.exists():
        return set()
    keys = set()
    for line in results.read_text("utf-8", "replace").splitlines():
        try:
            result = json.loads(line)
        except ValueError:
            continue  # the run before was ended while it wrote this line
        if isinstance(result, dict) and result.get("success") is True:
            keys.add(str(result.get("key")))
    return keys


def _appending(results: Path, *, fresh: bool) -> IO[str]:
    try:
        cut_off = not fresh and results.exists() and results.read_bytes()[-1:] not in (b"", b"\n")
        stream = results.open("w" if fresh else "a", encoding="utf-8")
    except OSError as problem:
        raise UsageError(f"{results} cannot be written: {problem.strerror}") from None
    if cut_off:
        stream.write("\n")
    return stream
