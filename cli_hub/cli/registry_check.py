"""``cli-hub registry validate``, ``fmt``, ``diff`` and ``stats``: what maintainers review with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from cli_hub import fetch
from cli_hub.cli.app import surface
from cli_hub.cli.surface import Surface
from cli_hub.config import Settings
from cli_hub.errors import BadDocument, NotFound
from cli_hub.files import write_atomically
from cli_hub.paths import resource
from cli_hub.registry import canonical, open_catalogue, sources
from cli_hub.registry.comparing import Comparison, compare, records
from cli_hub.registry.faults import Fault, Level
from cli_hub.registry.statistics import Statistics, count
from cli_hub.registry.syncing import Access, hold
from cli_hub.registry.validating import validate as find_faults

Files = Annotated[
    list[str] | None, typer.Argument(metavar="[FILE|URL]…", help="The sources in force without it.")
]


class Format(StrEnum):
    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


def validate(
    ctx: typer.Context,
    files: Files = None,
    format_: Annotated[
        Format, typer.Option("--format", help="github: shown beside the lines of a pull request.")
    ] = Format.TEXT,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
) -> int:
    """Check registries: every fault at once, with line and column.

    Exits 1 when there is an error. Example: cli-hub registry validate registry.json
    """
    out = surface(ctx)
    documents = [_document(place) for place in files] if files else _in_force(out)
    beside = _embedded_names() if files else ()
    size = sum(len(content) for _name, content, _folder in documents)
    with out.working(f"checking {size / 1e6:.1f} MB"):
        faults = sorted(find_faults(documents, beside=beside))
    errors = sum(fault.level is Level.ERROR for fault in faults)
    out.json = out.json or format_ is Format.JSON
    failed = bool(errors or (strict and faults))
    document = {
        "files": [name for name, _content, _folder in documents],
        "errors": errors,
        "warnings": len(faults) - errors,
        "valid": not failed,
        "faults": [fault.as_document() for fault in faults],
    }
    out.show(document, lambda: _print_faults(out, faults, format_, errors))
    return 1 if failed else 0


def fmt(
    ctx: typer.Context,
    files: Annotated[list[Path], typer.Argument(metavar="FILE…")],
    check: Annotated[
        bool, typer.Option("--check", help="Change nothing; exit 1 when something would change.")
    ] = False,
) -> int:
    """Bring registry files into canonical form, where one entry is one block of lines.

    Example: cli-hub registry fmt registry.json
    """
    out = surface(ctx)
    changed = []
    for file in files:
        before = _read(file)
        after = canonical.text(_parsed(file, before)).encode()
        if after != before:
            changed.append(str(file))
            if not check:
                write_atomically(file, after)
    verb = "is not canonical" if check else "rewritten"
    document = {"files": [str(file) for file in files], "changed": changed, "written": not check}
    out.show(
        document,
        lambda: out.line("\n".join(f"{name} {verb}" for name in changed) or "nothing to change"),
    )
    return 1 if check and changed else 0


def diff(
    ctx: typer.Context,
    before: Annotated[Path, typer.Argument(metavar="A")],
    after: Annotated[Path, typer.Argument(metavar="B")],
) -> int:
    """Say what changed from registry A to registry B, by entry and field.

    Exits 1 when something did. Example: cli-hub registry diff old.json new.json
    """
    out = surface(ctx)
    for file in (before, after):
        _read(file)
    found = compare(records(before), records(after))
    out.show(found.as_document(), lambda: _print_comparison(out, found))
    return 0 if found.same else 1


def stats(
    ctx: typer.Context,
    files: Files = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Two tables for a page.")] = False,
    top: Annotated[int, typer.Option(min=1, help="Categories in the second table.")] = 10,
) -> None:
    """Count entries, categories, strategies, skills, previews and proofs.

    Example: cli-hub registry stats --markdown
    """
    out = surface(ctx)
    settings = Settings(registries=tuple(files)) if files else out.settings
    catalogue = open_catalogue(out.paths, settings)
    for warning in catalogue.warnings:
        out.warn(warning)
    found = count(catalogue.entries)
    show = (
        (lambda: out.line(found.as_markdown(top=top)))
        if markdown
        else (lambda: _print_statistics(out, found, top))
    )
    out.show(found.as_document(), show)


def _document(place: str) -> tuple[str, bytes, Path | None]:
    if place.startswith(("http://", "https://")):
        return place, fetch.fetch(place).body, None
    file = Path(place.removeprefix("file://")).expanduser()
    return place, _read(file), file.absolute().parent


def _in_force(out: Surface) -> list[tuple[str, bytes, Path | None]]:
    access = Access(out.paths, offline=out.settings.offline)
    held = [hold(source, access) for source in sources.active(out.paths, out.settings)]
    return [
        (str(file), file.read_bytes(), file.parent if file in one.source.files else None)
        for one in held
        for file in one.files
    ]


def _embedded_names() -> list[str]:
    files = (resource("registry.json"), resource("public_registry.json"))
    return [name for file in files for name in records(file)]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"there is no file {file}", hint="name a registry file") from None
    except OSError as problem:
        raise NotFound(f"{file} cannot be read: {problem.strerror}") from problem


def _parsed(file: Path, content: bytes) -> dict[str, Any]:
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except ValueError as problem:
        raise BadDocument(str(file), str(problem)) from None
    if not isinstance(document, dict):
        raise BadDocument(str(file), "a registry is an object with 'clis'")
    return document


def _print_faults(out: Surface, faults: Sequence[Fault], format_: Format, errors: int) -> None:
    for fault in faults:
        if format_ is Format.GITHUB:
            out.line(fault.as_github())
        else:
            out.line(fault.as_text(), "bad" if fault.level is Level.ERROR else "warn")
    if format_ is Format.TEXT:
        warnings = len(faults) - errors
        out.line(f"{errors} errors, {warnings} warnings", "bad" if errors else "good")


def _print_comparison(out: Surface, found: Comparison) -> None:
    for name in found.added:
        out.line(f"+ {name}", "good")
    for name in found.removed:
        out.line(f"- {name}", "bad")
    for name, changes in found.changed.items():
        out.line(f"~ {name}", "strong")
        for change in changes:
            out.line(f"    {change.field}: {_short(change.before)} → {_short(change.after)}")
    if found.same:
        out.line("no difference")


def _short(value: Any) -> str:
    return "(absent)" if value is None else json.dumps(value, ensure_ascii=False)


def _print_statistics(out: Surface, found: Statistics, top: int) -> None:
    kinds = list(found.by_kind)
    out.table(
        [
            ("entries", str(found.entries)),
            *((f"  {kind}", str(number)) for kind, number in found.by_kind.items()),
            ("categories", str(len(found.by_category))),
            *((f"strategy {name}", str(number)) for name, number in found.by_strategy.items()),
            ("with a skill", str(found.with_skill)),
            ("preview-capable", str(found.with_previews)),
            ("with macros", str(found.with_macros)),
            ("verified", str(found.verified)),
        ]
    )
    out.line()
    out.table(
        [
            (category, *(str(counts[kind]) for kind in kinds), str(sum(counts.values())))
            for category, counts in list(found.by_category.items())[:top]
        ],
        headers=("CATEGORY", *(kind.upper() for kind in kinds), "TOTAL"),
    )
