"""Finding macro definitions in a folder.

A folder either lists its macros in ``manifest.yaml`` (``macros: [{name, path}]``) or is scanned for
``*.yaml`` and ``*.yml``. The hub reads only what it shows; the runtime validates the whole
definition. Nothing outside the folder is ever opened because a manifest or a link says so.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from cli_hub.errors import BadDocument, Conflict, NotFound

_SIZE_LIMIT = 1_000_000
_SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True, slots=True)
class Macro:
    """One definition. *parameters* and *agent_hints* are as written in the file.

    *harness* is whose it is: a harness's name, ``user`` or ``project``.
    """

    harness: str
    name: str
    description: str
    version: str
    path: Path
    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    agent_hints: Mapping[str, Any] = field(default_factory=dict)
    outputs: Sequence[Mapping[str, Any]] = ()

    @property
    def address(self) -> str:
        """``harness/name``, which is always unambiguous."""
        return f"{self.harness}/{self.name}"

    def secrets_among(self, given: Sequence[str]) -> list[str]:
        """The values in *given* (``key=value``) of parameters the macro declares secret."""
        pairs = (pair.partition("=") for pair in given)
        return [
            value
            for name, _, value in pairs
            if value and self.parameters.get(name, {}).get("secret") is True
        ]

    def as_document(self) -> dict[str, Any]:
        return {
            "address": self.address,
            "harness": self.harness,
            "name": self.name,
            "description": self.description,
            "version": self.version,
            "path": str(self.path),
            "parameters": {name: dict(spec) for name, spec in self.parameters.items()},
            "outputs": [dict(output) for output in self.outputs],
            "agent_hints": dict(self.agent_hints),
        }


@dataclass(frozen=True, slots=True)
class Found:
    """The readable macros of one folder, and a line for each that is not."""

    macros: tuple[Macro, ...] = ()
    warnings: tuple[str, ...] = ()


def read_folder(folder: Path, harness: str) -> Found:
    """All macros of *harness* in *folder*; one bad file never hides the others."""
    macros: list[Macro] = []
    warnings: list[str] = []
    for candidate in _candidates(folder, warnings):
        try:
            macro = read_definition(candidate, harness)
        except BadDocument as problem:
            warnings.append(problem.message)
            continue
        twin = next((other for other in macros if other.name == macro.name), None)
        if twin is not None:
            warnings.append(
                f"two macros of {harness} are called {macro.name}: {twin.path} and {macro.path}; "
                "neither runs until one is renamed"
            )
        macros.append(macro)
    return Found(tuple(macros), tuple(warnings))


def _candidates(folder: Path, warnings: list[str]) -> Iterator[Path]:
    manifest = folder / "manifest.yaml"
    if not manifest.is_file():
        for path in sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES):
            if path.resolve().is_relative_to(folder.resolve()):
                yield path
            else:
                warnings.append(f"{path} leads outside the folder and was not read")
        return
    try:
        listed = _load(manifest).get("macros") or []
    except BadDocument as problem:
        warnings.append(problem.message)
        return
    root = folder.resolve()
    for number, row in enumerate(listed):
        relative = row.get("path") if isinstance(row, dict) else row
        where = f"{manifest}: macros[{number}]"
        if not isinstance(relative, str):
            warnings.append(f"{where}: path is missing")
        elif not (path := (root / relative).resolve()).is_relative_to(root):
            warnings.append(f"{where}: {relative} is outside the folder and was not read")
        elif not path.is_file():
            warnings.append(f"{where}: {relative} does not exist")
        else:
            yield path


def read_definition(path: Path, harness: str) -> Macro:
    """The parts of one definition that the hub shows. Raises :class:`BadDocument`."""
    raw = _load(path)
    name = raw.get("name")
    if not isinstance(name, str) or not name:
        raise BadDocument(str(path), "is not a macro: it has no name")
    if "/" in name:
        raise BadDocument(str(path), f"{name!r} cannot name a macro: it reads like an address")
    if "steps" not in raw:
        raise BadDocument(str(path), "is not a macro: it has no steps")
    parameters = raw.get("parameters") or {}
    if not isinstance(parameters, dict) or not all(
        isinstance(spec, dict) for spec in parameters.values()
    ):
        raise BadDocument(str(path), "must map each name to its description", where="parameters")
    return Macro(
        harness,
        name,
        " ".join(str(raw.get("description", "")).split()),
        str(raw.get("version", "")),
        path,
        parameters,
        raw.get("agent_hints") or {},
        tuple(row for row in raw.get("outputs") or [] if isinstance(row, dict)),
    )


def choose(wanted: str, macros: Sequence[Macro]) -> Macro:
    """The macro with that name or ``harness/name``.

    Raises :class:`NotFound` with the nearest names, :class:`Conflict` when a bare name fits
    several, or two files of one harness have the name.
    """
    fits = [macro for macro in macros if wanted in (macro.name, macro.address)]
    if len(fits) == 1:
        return fits[0]
    twins = [macro for macro in fits if macro.address == fits[0].address]
    if len(twins) > 1:
        paths = " and ".join(str(macro.path) for macro in twins)
        raise Conflict(
            f"two macros are called {twins[0].address}: {paths}", hint="rename one of them"
        )
    if fits:
        addresses = ", ".join(macro.address for macro in fits)
        files = " and ".join(str(macro.path) for macro in fits)
        raise Conflict(
            f"{len(fits)} macros are called {wanted!r}: {files}", hint=f"say which: {addresses}"
        )
    known = [spelling for macro in macros for spelling in (macro.name, macro.address)]
    raise NotFound(
        f"there is no macro {wanted!r}",
        nearest=difflib.get_close_matches(wanted, known, n=3),
        hint="" if macros else "nothing here has macros; try: cli-hub install ffmpeg macrocli",
    )


def _load(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > _SIZE_LIMIT:
            raise BadDocument(str(path), f"is larger than {_SIZE_LIMIT} bytes")
        document = yaml.load(path.read_bytes(), Loader=_LOADER)  # noqa: S506 - a safe loader
    except OSError as problem:
        raise BadDocument(str(path), problem.strerror or str(problem)) from None
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        raise BadDocument(
            str(path),
            getattr(problem, "problem", None) or "is not YAML",
            where=f"line {mark.line + 1}, column {mark.column + 1}" if mark else "",
        ) from None
    if not isinstance(document, dict):
        raise BadDocument(str(path), "is not a mapping")
    return document


_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
