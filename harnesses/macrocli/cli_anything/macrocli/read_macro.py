"""Reads a macro file: everything that can be known from the file alone is checked here."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli_anything.kit.errors import NotFound
from cli_anything.macrocli import durations
from cli_anything.macrocli.conditions.reading import read_conditions
from cli_anything.macrocli.model import Danger, Hints, Macro, Output
from cli_anything.macrocli.nodes import Node, read_nodes
from cli_anything.macrocli.problems import BadMacro, Place, Problem, listed, refuse, suggestion
from cli_anything.macrocli.read_parameters import read_parameters
from cli_anything.macrocli.read_steps import read_steps
from cli_anything.macrocli.reference_check import check_references
from cli_anything.macrocli.report import Report
from cli_anything.macrocli.substitution import BadPlaceholder, Template, parse_text

KEYS = (
    "name", "version", "description", "tags", "parameters", "preconditions", "steps", "finally",
    "postconditions", "outputs", "agent_hints",
)  # fmt: skip
_HINT_KEYS = (
    "danger_level", "side_effects", "reversible", "estimated_duration_ms", "estimated_duration",
)  # fmt: skip
_OUTPUT_KEYS = ("name", "path", "value", "optional", "description")
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}\Z")


def load_macro(path: Path) -> Macro:
    """Read the macro in *path*.

    Raises :class:`NotFound` without the file and :class:`BadMacro` (or its ``UnknownInMacro``) with
    every problem of the file at once.
    """
    try:
        content = path.read_bytes()
    except IsADirectoryError:
        raise NotFound(f"{path} is a folder, not a macro file") from None
    except OSError as problem:
        raise NotFound(f"{path} cannot be read: {problem.strerror}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        place = Place(content[: problem.start].count(b"\n") + 1, 1)
        raise BadMacro(str(path), [Problem(place, "not UTF-8 text")]) from None
    return parse_macro(text, source=str(path), folder=path.absolute().parent)


def parse_macro(text: str, *, source: str, folder: Path) -> Macro:
    """Read a macro from its text; *source* names it in messages."""
    with _nothing_to_collect():
        return _parse_macro(text, source, folder)


@contextmanager
def _nothing_to_collect() -> Iterator[None]:
    """Reading makes many small objects and leaves no garbage: looking for some costs a quarter."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _parse_macro(text: str, source: str, folder: Path) -> Macro:
    node = read_nodes(text, source)
    report = Report(source)
    if not report.mapping(node, "", KEYS):
        refuse(source, report.problems)
    taken: set[str] = set()
    macro = Macro(
        name=_read_name(node, report),
        source=source,
        folder=folder,
        version=report.text(node.get("version"), "version"),
        description=report.text(node.get("description"), "description").strip(),
        tags=report.texts(node.get("tags"), "tags"),
        parameters=read_parameters(node.get("parameters"), report),
        preconditions=read_conditions(node.get("preconditions"), "preconditions", report),
        steps=read_steps(node.get("steps"), "steps", report, taken),
        cleanup=read_steps(node.get("finally"), "finally", report, taken),
        postconditions=read_conditions(node.get("postconditions"), "postconditions", report),
        outputs=_read_outputs(node.get("outputs"), report),
        hints=_read_hints(node.get("agent_hints"), report),
        warnings=tuple(report.warnings),
    )
    if not report.items(node.get("steps"), "steps"):
        report.add(node.place, "a macro needs steps", path="steps", found="none")
    check_references(macro, report, node.place)
    refuse(source, report.problems)
    return macro


def _read_name(node: Node, report: Report) -> str:
    found = node.get("name")
    name = report.text(found, "name")
    if not NAME.match(name):
        report.add(
            found.place if found else node.place,
            f"{name!r} cannot name a macro" if name else "a macro needs a name",
            path="name",
            found=name or "nothing",
            expected="letters, digits, _, - and .",
        )
    return name


def _read_outputs(node: Node | None, report: Report) -> tuple[Output, ...]:
    outputs: list[Output] = []
    for index, item in enumerate(report.items(node, "outputs")):
        path = f"outputs[{index}]"
        if not report.mapping(item, path, _OUTPUT_KEYS):
            continue
        name = report.text(item.get("name"), f"{path}.name")
        if not name or any(output.name == name for output in outputs):
            said = f"two outputs are called {name!r}" if name else "an output needs a name"
            report.add(item.place, said, path=f"{path}.name", found=name or "nothing")
        if (item.get("path") is None) is (item.get("value") is None):
            report.add(item.place, "an output has a path or a value", path=path)
        outputs.append(
            Output(
                name,
                path=_read_template(item.get("path"), f"{path}.path", report),
                value=_read_template(item.get("value"), f"{path}.value", report),
                optional=report.boolean(item.get("optional"), f"{path}.optional", default=False),
                description=report.text(item.get("description"), f"{path}.description").strip(),
            )
        )
    return tuple(outputs)


def _read_template(node: Node | None, path: str, report: Report) -> Template | None:
    if node is None:
        return None
    try:
        return parse_text(report.text(node, path))
    except BadPlaceholder as problem:
        report.add(node.place, str(problem), path=path, found=node.shown())
        return None


def _read_hints(node: Node | None, report: Report) -> Hints:
    if node is None or node.is_null or not report.mapping(node, "agent_hints", _HINT_KEYS):
        return Hints()
    reversible = node.get("reversible")
    return Hints(
        danger=_read_danger(node.get("danger_level"), report),
        side_effects=report.texts(node.get("side_effects"), "agent_hints.side_effects"),
        reversible=None
        if reversible is None
        else report.boolean(reversible, "agent_hints.reversible", default=False),
        estimated_seconds=_read_estimate(node, report),
    )


def _read_danger(node: Node | None, report: Report) -> Danger:
    if node is None:
        return Danger.SAFE
    legal = [danger.value for danger in Danger]
    word = report.text(node, "agent_hints.danger_level")
    if word not in legal:
        report.add(
            node.place,
            f"unknown danger_level {word!r}",
            path="agent_hints.danger_level",
            found=word,
            expected=listed(legal),
            hint=suggestion(word, legal),
        )
        return Danger.SAFE
    return Danger(word)


def _read_estimate(node: Node, report: Report) -> float | None:
    path = "agent_hints.estimated_duration"
    if worded := node.get("estimated_duration"):
        return report.scalar(
            worded, path, lambda found: durations.seconds(found.spelling), "a duration", 0.0
        )
    milliseconds = report.number(node.get("estimated_duration_ms"), f"{path}_ms")
    return None if milliseconds is None else milliseconds / 1000
