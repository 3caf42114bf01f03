"""Validating registries: every fault at once, each with line and column."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cli_hub import schemas
from cli_hub.errors import BadDocument
from cli_hub.registry.catalogue_lints import Across
from cli_hub.registry.entry import Entry
from cli_hub.registry.entry_lints import lint_entry
from cli_hub.registry.faults import Fault, Finding, Level, error
from cli_hub.registry.fields import BadField
from cli_hub.registry.positions import place_of
from cli_hub.registry.reading import RegistryReader


def validate(
    documents: Iterable[tuple[str, bytes, Path | None]], *, beside: Iterable[str] = ()
) -> Iterator[Fault]:
    """Every fault of the registries *documents*: ``(name, content, folder)``, folder for files.

    They are also held against each other, and against the names *beside* for look-alikes. Nothing
    is fetched and nothing is started.
    """
    across, shape = Across(), _Shapes()
    for name in beside:
        across.remember(name)
    for name, content, folder in documents:
        reader = RegistryReader(io.BytesIO(content), name)
        try:
            for number, (record, line) in enumerate(reader):
                found = _record(record, folder, across, shape, f"{name}:{line}")
                for finding in found:
                    at = place_of(reader.record_text, finding.field, reader.place)
                    yield _placed(finding, name, at, _label(record, number))
        except BadDocument as problem:
            yield _broken(name, problem)


def _record(
    record: Any, folder: Path | None, across: Across, shape: _Shapes, place: str
) -> list[Finding]:
    problem: BadField | None = None
    try:
        entry = Entry.parse(record, base=folder)
    except BadField as found:
        problem = found
    findings = list(shape.check(record, parsed=problem is None))
    if problem is not None:
        where = "" if problem.where == "entry" else problem.where
        if not any(_covers(finding.field, where) for finding in findings):
            findings.append(error("bad-field", where, problem.problem))
        return findings
    install = entry.install
    findings += lint_entry(entry, install, folder=folder)
    findings += across.look(entry, install, place)
    return findings


class _Shapes:
    """The JSON Schema, asked once for entries that are built alike.

    Checking a schema is slow and registries are long. Two entries of one shape (the same keys, the
    same types, the same words where only certain words are allowed) get the same verdict as long
    as the parser, which checks the patterns, has taken them.
    """

    def __init__(self) -> None:
        import jsonschema  # 60 ms that only maintainers pay

        self._validator = jsonschema.Draft202012Validator(schemas.load("entry"))
        self._good: set[Any] = set()

    def check(self, record: Any, *, parsed: bool) -> Iterator[Finding]:
        shape = _shape(record) if parsed else None
        if shape is not None and shape in self._good:
            return
        found = False
        for problem in self._validator.iter_errors(record):
            found = True
            yield _from_schema(problem)
        if shape is not None and not found:
            self._good.add(shape)


_CERTAIN_WORDS = ("kind", "strategy", "platforms", "sha256")


def _shape(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return tuple((name, _shape(member, name)) for name, member in value.items())
    if isinstance(value, list):
        return (list, *dict.fromkeys(_shape(member, key) for member in value))
    if isinstance(value, str):
        return value if key in _CERTAIN_WORDS else (str, bool(value.strip()))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return (type(value), value < 0)
    return type(value)


def _from_schema(problem: Any) -> Finding:
    deepest = problem
    while deepest.context:  # anyOf: the branch that came furthest says most
        deepest = max(deepest.context, key=lambda one: len(one.absolute_path))
    field = ""
    for step in deepest.absolute_path:
        field += f"[{step}]" if isinstance(step, int) else f".{step}" if field else str(step)
    if deepest.validator == "required":
        missing = deepest.message.split("'")[1]
        return error("missing-field", field, f"{missing} is missing")
    return error("schema", field, _words(deepest))


def _words(problem: Any) -> str:
    if problem.validator == "type":
        wanted = problem.validator_value
        wanted = wanted if isinstance(wanted, list) else [wanted]
        return f"must be {' or '.join(wanted)}"
    if problem.validator == "enum":
        allowed = ", ".join(str(word) for word in problem.validator_value if word)
        return f"{problem.instance!r} is not one of {allowed}"
    if problem.validator == "pattern" and not str(problem.instance).strip():
        return "is empty"
    if problem.validator in ("pattern", "not"):
        return f"{problem.instance!r} is not written as this field must be"
    return str(problem.message)[:200]


def _covers(field: str, where: str) -> bool:
    return field == where or where.startswith((f"{field}.", f"{field}[")) or (not field)


def _placed(finding: Finding, name: str, at: tuple[int, int], entry: str) -> Fault:
    return Fault(
        name, at[0], at[1], finding.level, finding.code, finding.message, entry, finding.field
    )


def _broken(name: str, problem: BadDocument) -> Fault:
    where = problem.details["where"].split()  # "line 3, column 7"
    line = int(where[1].rstrip(",")) if where else 1
    column = int(where[3]) if where else 1
    return Fault(name, line, column, Level.ERROR, "not-a-registry", problem.details["problem"])


def _label(record: Any, number: int) -> str:
    name = record.get("name") if isinstance(record, dict) else None
    return name if isinstance(name, str) and name else f"clis[{number}]"
