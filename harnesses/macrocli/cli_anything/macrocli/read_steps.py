"""Reads the steps of a macro file."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cli_anything.macrocli import durations
from cli_anything.macrocli.backends import BACKENDS, action_names, offering
from cli_anything.macrocli.conditions.reading import read_condition
from cli_anything.macrocli.fields import Arguments
from cli_anything.macrocli.model import DEFAULT_TIMEOUT, MacroCall, OnFailure, Step, Way
from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.problems import listed, suggestion
from cli_anything.macrocli.read_arguments import read_arguments
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.substitution import BadPlaceholder, Template, parse_node

_WAY_KEYS = ("backend", "action", "params")
_CALL_KEYS = ("macro", "with")
KEYS = (
    "id", *_WAY_KEYS, "alternatives", *_CALL_KEYS, "when", "timeout_ms", "timeout", "on_failure",
    "max_retries", "backoff_ms", "backoff", "description",
)  # fmt: skip

_ID = r"[A-Za-z_][A-Za-z0-9_-]*\Z"


def read_steps(node: Node | None, path: str, report: Report, taken: set[str]) -> tuple[Step, ...]:
    """Steps in order; *taken* are the ids used so far, and grows."""
    steps = []
    for index, item in enumerate(report.items(node, path)):
        step = read_step(item, f"{path}[{index}]", report, f"{path[:7]}_{index + 1}")
        if step is None:
            continue
        if step.id in taken:
            report.add(
                step.place,
                f"two steps are called {step.id!r}",
                path=f"{path}[{index}].id",
                found=step.id,
                expected="an id of its own",
            )
        taken.add(step.id)
        steps.append(step)
    return tuple(steps)


def read_step(node: Node, path: str, report: Report, fallback_id: str) -> Step | None:
    """One step, or None after its problems went to *report*."""
    if not report.mapping(node, path, KEYS):
        return None
    before = len(report.problems)
    call = _read_call(node, path, report)
    ways = () if node.get("macro") else _read_ways(node, path, report)
    when = node.get("when")
    step = Step(
        id=_read_id(node, path, report, fallback_id),
        place=node.place,
        ways=ways,
        call=call,
        when=read_condition(when, f"{path}.when", report) if when else None,
        timeout=read_timeout(node, path, report, DEFAULT_TIMEOUT),
        on_failure=_read_on_failure(node.get("on_failure"), f"{path}.on_failure", report),
        retries=report.count(node.get("max_retries"), f"{path}.max_retries", most=100),
        backoff=_read_backoff(node, path, report),
        description=report.text(node.get("description"), f"{path}.description").strip(),
    )
    return step if ways or call or len(report.problems) == before else None


def _read_id(node: Node, path: str, report: Report, fallback: str) -> str:
    found = node.get("id")
    if found is None:
        return fallback
    word = report.text(found, f"{path}.id")
    if not re.match(_ID, word):
        report.add(
            found.place,
            f"{word!r} cannot name a step",
            path=f"{path}.id",
            found=word,
            expected="letters, digits, _ and -, not starting with a digit",
        )
    return word


def _read_call(node: Node, path: str, report: Report) -> MacroCall | None:
    name = node.get("macro")
    if name is None:
        if extra := node.get("with"):
            report.add(extra.place, "with belongs to a step that runs a macro", path=path)
        return None
    for key in (*_WAY_KEYS, "alternatives"):
        if extra := node.get(key):
            report.add(extra.place, f"a step has macro or {key}, not both", path=f"{path}.{key}")
    values: dict[str, Template] = {}
    given = node.get("with")
    if given is not None and report.mapping(given, f"{path}.with"):
        for wanted, value in given.entries:
            try:
                values[wanted.spelling] = parse_node(value)
            except BadPlaceholder as problem:
                report.add(value.place, str(problem), path=f"{path}.with.{wanted.spelling}")
    return MacroCall(report.text(name, f"{path}.macro"), values)


def _read_ways(node: Node, path: str, report: Report) -> tuple[Way, ...]:
    """The step's own way and its alternatives; gaps are problems only when no way is left."""
    own = _read_way(node, path, report)
    ways = [] if own is None else [own]
    for index, item in enumerate(report.items(node.get("alternatives"), f"{path}.alternatives")):
        where = f"{path}.alternatives[{index}]"
        if report.mapping(item, where, _WAY_KEYS):
            way = _read_way(item, where, report)
            ways += [] if way is None else [way]
    if ways and all(way.gap for way in ways):
        for way in ways:
            word, legal = _gap_word(way)
            report.add(
                node.place,
                way.gap,
                path=f"{path}.{'action' if word == way.action else 'backend'}",
                found=word,
                expected=listed(legal),
                hint=suggestion(word, legal),
                gap=True,
            )
    return tuple(ways)


def _gap_word(way: Way) -> tuple[str, list[str]]:
    """The word nobody knows, and the legal ones in its place."""
    if way.backend and way.backend not in BACKENDS:
        return way.backend, list(BACKENDS)
    if way.backend and not offering(way.action):
        return way.action, _actions_of(way.backend)
    if way.backend:
        return way.backend, [backend.name for backend, _ in offering(way.action)]
    return way.action, action_names()


def _read_way(node: Node, path: str, report: Report) -> Way | None:
    action = report.text(node.get("action"), f"{path}.action")
    backend = report.text(node.get("backend"), f"{path}.backend")
    if not action:
        report.add(
            node.place,
            "a step needs an action (or a macro to run)",
            path=path,
            found="nothing",
            expected=listed(_actions_of(backend)),
        )
        return None
    gap = _gap(action, backend)
    arguments = {} if gap else _read_all_arguments(action, backend, node, path, report)
    return Way(action, backend, arguments, gap)


def _actions_of(backend: str) -> list[str]:
    """What the named backend can do, or everything when no backend is named."""
    if backend in BACKENDS:
        return [action.name for action in BACKENDS[backend].actions]
    return action_names()


def _gap(action: str, backend: str) -> str:
    if backend and backend not in BACKENDS:
        return f"there is no backend {backend!r}"
    offers = [offer.name for offer, _ in offering(action)]
    if not offers:
        return f"no backend has an action {action!r}"
    if backend and backend not in offers:
        return f"{backend} has no action {action!r}; {listed(offers)} has"
    return ""


def _read_all_arguments(
    action: str, backend: str, node: Node, path: str, report: Report
) -> Mapping[str, Arguments]:
    """The arguments for every backend they fit; problems are told for the one that is meant."""
    found: dict[str, Arguments] = {}
    told: Report | None = None
    for offer, declared in offering(action):
        trial = Report(report.source)
        read = read_arguments(
            declared.fields,
            node.get("params") or Node(Kind.MAP, node.line, node.column),
            f"{path}.params",
            trial,
            lambda item, where, trial=trial: read_step(item, where, trial, "nested"),  # type: ignore[misc]
        )
        if not trial.problems:
            found[offer.name] = read
            if declared.lint and (said := declared.lint(read)):
                trial.warn(node.place, said, path=f"{path}.params")
        if offer.name == backend or (not backend and told is None):
            told = trial
    if told is not None and (backend or not found):
        report.problems += told.problems
    if told is not None:
        report.warnings += told.warnings
    return found


def _read_on_failure(node: Node | None, path: str, report: Report) -> OnFailure:
    if node is None:
        return OnFailure.FAIL
    legal = [word.value for word in OnFailure]
    word = report.text(node, path)
    if word not in legal:
        report.add(
            node.place,
            f"unknown on_failure {word!r}",
            path=path,
            found=word,
            expected=listed(legal),
            hint=suggestion(word, legal),
        )
        return OnFailure.FAIL
    return OnFailure(word)


def read_timeout(node: Node, path: str, report: Report, default: float | None) -> float | None:
    """``timeout_ms: 500``, ``timeout: 1.5s`` or ``timeout: none``; in seconds."""
    exact, worded = node.get("timeout_ms"), node.get("timeout")
    if exact is not None and worded is not None:
        report.add(worded.place, "timeout and timeout_ms say the same; keep one", path=path)
    if exact is not None:
        return report.count(exact, f"{path}.timeout_ms", most=10**9) / 1000
    if worded is None:
        return default
    if worded.spelling == "none":
        return None
    return _read_duration(worded, f"{path}.timeout", report)


def _read_backoff(node: Node, path: str, report: Report) -> float:
    exact, worded = node.get("backoff_ms"), node.get("backoff")
    if exact is not None:
        return report.count(exact, f"{path}.backoff_ms", most=10**7) / 1000
    return 0.0 if worded is None else _read_duration(worded, f"{path}.backoff", report)


def _read_duration(node: Node, path: str, report: Report) -> float:
    expected = "a duration such as 500ms, 1.5s or 2m"
    return report.scalar(node, path, lambda found: durations.seconds(found.spelling), expected, 0.0)
