"""``cli-hub registry add``: a new entry, checked before it is written."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from cli_hub.cli.app import surface
from cli_hub.cli.surface import Surface
from cli_hub.errors import BadDocument, InvalidEntry, NotFound, UsageError
from cli_hub.files import write_atomically
from cli_hub.install.drafting import draft
from cli_hub.registry import canonical
from cli_hub.registry.entry import Entry
from cli_hub.registry.faults import Fault, Level
from cli_hub.registry.fields import BadField
from cli_hub.registry.validating import validate
from cli_hub.registry.vocabulary import CATEGORIES

_ASKED = ("name", "description", "category", "entry_point")
"""What an entry must have; the rest can be added by hand."""


def add(
    ctx: typer.Context,
    entry_file: Annotated[
        Path | None,
        typer.Argument(metavar="[ENTRY.json]", help="An entry written before."),
    ] = None,
    place: Annotated[
        str, typer.Option("--from", help="pip:NAME, npm:NAME or path:DIR: draft it from there.")
    ] = "",
    into: Annotated[Path, typer.Option("--into", help="The registry file to write.")] = Path(
        "registry.json"
    ),
    fields: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="FIELD=VALUE", help="A field; a value may be JSON."),
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="The name may be taken.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it, write nothing.")] = False,
) -> None:
    """Add an entry to a registry file: drafted, completed, checked, written in canonical form.

    At a terminal what is missing is asked for. Nothing is written when the entry has an error.

    Example: cli-hub registry add --from pip:httpie --set category=web
    """
    out = surface(ctx)
    if (entry_file is None) == (not place):
        raise UsageError(
            "one place to take the entry from is wanted", hint="name ENTRY.json, or --from PLACE"
        )
    record = _read(entry_file) if entry_file else draft(place, out.paths, beside=into.parent)
    record |= dict(map(_field, fields or ()))
    record |= _missing(out, record)
    document = _registry(into)
    taken = _taken(document, str(record["name"]))
    if taken and not replace:
        raise UsageError(
            f"{into} has an entry called {record['name']!r}", hint="--replace takes its place"
        )
    changed, found = _checked(document, record, into)
    if not dry_run:
        write_atomically(into, changed.encode())
    answer = {
        "file": str(into),
        "entry": canonical.entry(record),
        "replaced": taken,
        "written": not dry_run,
        "warnings": [fault.as_document() for fault in found],
    }
    out.show(answer, lambda: _print(out, answer, found))


def _read(file: Path) -> dict[str, Any]:
    try:
        record = json.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise NotFound(f"there is no file {file}", hint="name a file with one entry") from None
    except (OSError, ValueError) as problem:
        raise BadDocument(str(file), str(problem)) from None
    if not isinstance(record, dict):
        raise BadDocument(str(file), "an entry is an object")
    return record


def _registry(file: Path) -> dict[str, Any]:
    return _read(file) if file.exists() else {"meta": {}, "clis": []}


def _field(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise UsageError(
            f"--set {text}: a field and its value are wanted", hint="--set category=web"
        )
    if value.startswith(("[", "{")):
        try:
            return name, json.loads(value)
        except ValueError as problem:
            raise UsageError(f"--set {name}: {problem}") from None
    return name, value


def _missing(out: Surface, record: Mapping[str, Any]) -> dict[str, str]:
    wanting = [field for field in _ASKED if not record.get(field)]
    if wanting and (out.json or not sys.stdin.isatty()):
        told = " ".join(f"--set {field}=…" for field in wanting)
        raise UsageError(
            f"the entry lacks {', '.join(wanting)}", hint=told, details={"missing": wanting}
        )
    if "category" in wanting:
        out.note(f"categories: {', '.join(sorted(CATEGORIES))}")
    return {
        field: typer.prompt(field.replace("_", " "), err=True, value_proc=_ANSWERS.get(field, str))
        for field in wanting
    }


def _category(text: str) -> str:
    """An answer that names a category; any other is asked for again."""
    if text.strip() not in CATEGORIES:
        raise typer.BadParameter(f"{text!r} is not one of the categories")
    return text.strip()


_ANSWERS: Mapping[str, Callable[[str], str]] = {"category": _category}


def _taken(document: Mapping[str, Any], name: str) -> bool:
    entries = document.get("clis", [])
    return any(isinstance(one, dict) and one.get("name") == name for one in entries)


def _checked(
    document: Mapping[str, Any], record: Mapping[str, Any], file: Path
) -> tuple[str, list[Fault]]:
    """The new text of the registry, and the warnings about its new entry."""
    try:
        name = Entry.parse(dict(record), base=file.absolute().parent).name
        changed = canonical.text(canonical.add(document, record))
    except BadField as problem:
        raise InvalidEntry(str(record["name"]), [str(problem)]) from None
    folder = file.absolute().parent
    found = [
        fault
        for fault in sorted(validate([(str(file), changed.encode(), folder)]))
        if fault.entry == name
    ]
    errors = [fault for fault in found if fault.level is Level.ERROR]
    if errors:
        raise InvalidEntry(name, [f"{fault.field}: {fault.message}" for fault in errors])
    return changed, found


def _print(out: Surface, answer: Mapping[str, Any], found: Sequence[Fault]) -> None:
    out.line(canonical.as_text(answer["entry"]).rstrip())
    for fault in found:
        out.line(fault.as_text(), "warn")
    if answer["written"]:
        verb = "replaced in" if answer["replaced"] else "added to"
        out.line(f"{answer['entry']['name']} {verb} {answer['file']}", "good")
