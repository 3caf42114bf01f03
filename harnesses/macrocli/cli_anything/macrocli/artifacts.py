"""Gathers what a run hands back, and looks whether it is really there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cli_anything.macrocli.model import Output
from cli_anything.macrocli.substitution import Lookup, Unresolved, render


def collect_outputs(outputs: Sequence[Output], lookup: Lookup) -> dict[str, Any]:
    """Every declared output by name: ``{"value"}``, or ``{"path", "exists", "bytes", "sha256"}``.

    One that cannot be told has ``"missing"`` with the reason; a file that is not there too.
    """
    return {output.name: _collect(output, lookup) for output in outputs}


def missing_outputs(outputs: Sequence[Output], collected: Mapping[str, Any]) -> list[str]:
    """Why each output that is not optional is not there."""
    return [
        f"output {output.name}: {collected[output.name]['missing']}"
        for output in outputs
        if not output.optional and "missing" in collected[output.name]
    ]


def _collect(output: Output, lookup: Lookup) -> dict[str, Any]:
    template = output.path if output.path is not None else output.value
    if template is None:
        return {"missing": "it has neither a path nor a value"}
    try:
        value = render(template, lookup)
    except Unresolved as problem:
        return {"missing": str(problem)}
    if output.path is None:
        return {"value": value}
    if not str(value):
        return {"path": "", "exists": False, "missing": "its path is empty"}
    return describe_file(Path(str(value)).expanduser().absolute())


def describe_file(path: Path) -> dict[str, Any]:
    """What a file is right now."""
    import hashlib

    if path.is_dir():
        return {"path": str(path), "exists": True, "directory": True}
    if path.exists() and not path.is_file():
        return {"path": str(path), "exists": True}  # a device or a pipe has no content to hash
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        size = path.stat().st_size
    except FileNotFoundError:
        return {"path": str(path), "exists": False, "missing": f"there is no file {path}"}
    except OSError as problem:
        said = f"{path} cannot be read: {problem.strerror}"
        return {"path": str(path), "exists": True, "missing": said}
    return {"path": str(path), "exists": True, "bytes": size, "sha256": digest}
