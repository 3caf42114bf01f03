"""Running a macro: the hub finds it, the macro runtime in its own environment carries it out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli_hub import config
from cli_hub.errors import CommandFailed, RequirementMissing
from cli_hub.install.installed import Installed
from cli_hub.macros.definitions import Macro, choose
from cli_hub.macros.folders import FOLDERS_VARIABLE, macro_folders, read_all, told_to_runtime
from cli_hub.paths import Paths
from cli_hub.process import OnOutput
from cli_hub.runs.dispatch import Dispatcher
from cli_hub.runs.record import RunRecord
from cli_hub.runs.secrets import Masker

ANSWER_LIMIT = 64_000_000
"""Bytes of an answer that are read; more than the record of the run keeps."""

RUNTIME = "macrocli"
"""Registry name of the harness that is the macro runtime."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the runtime said, and the record of the run that made it say so.

    *document* is, for a run, ``{success, status, output, error, steps, telemetry}``, for the other
    verbs what the schemas ``macro-validation``, ``macro-explanation`` and ``macro-map`` describe,
    and ``{"error": …}`` when nothing was begun.
    """

    document: Mapping[str, Any]
    record: RunRecord

    @property
    def exit_code(self) -> int:
        return self.record.exit_code


class MacroRunner:
    """Dispatches macros to the runtime among the *installed* harnesses.

    They are those of these harnesses, the user's own, and those in ``macros`` under *project*, the
    current folder.
    """

    def __init__(
        self,
        paths: Paths,
        installed: Mapping[str, Installed],
        dispatcher: Dispatcher,
        project: Path | None = None,
    ) -> None:
        self._paths = paths
        self._installed = installed
        self._dispatcher = dispatcher
        self._folders = macro_folders(installed.values(), paths, project or Path.cwd())
        self.found = read_all(self._folders)

    def ask(
        self,
        verb: str,
        name: str,
        parameters: Sequence[str] = (),
        *,
        options: Sequence[str] = (),
        cwd: Path | None = None,
        on_output: OnOutput | None = None,
    ) -> Answer:
        """Let the runtime ``run``, ``validate``, ``dry-run``, ``explain`` or ``map`` a macro.

        *parameters* are ``key=value``; values of parameters the macro calls secret are masked in
        the record. Raises :class:`NotFound` for an unknown macro, :class:`RequirementMissing`
        without a runtime, :class:`CommandFailed` when the runtime ended without an answer.
        """
        macro = choose(name, self.found.macros)
        runtime = self._installed.get(RUNTIME)
        if runtime is None:
            raise RequirementMissing(
                f"{macro.address} needs the macro runtime, which is not installed",
                hint=f"cli-hub install {RUNTIME}",
            )
        said = _Said(on_output)
        hidden = macro.secrets_among(parameters)
        record = self._dispatcher.run(
            runtime,
            runtime_arguments(verb, macro, parameters, options),
            env={
                "PATH": self._search_path(self._installed.get(macro.harness)),
                FOLDERS_VARIABLE: told_to_runtime(self._folders),
            },
            cwd=cwd,
            hidden=hidden,
            on_output=said,
        )
        whole = Masker([*config.secret_values(), *hidden]).text(said.text)
        return Answer(_document(record, whole), record)

    def _search_path(self, owner: Installed | None) -> str:
        """The programs of the macro's own harness come first, then the hub's, then the user's."""
        inherited = config.environment_value("PATH") or os.defpath
        own = () if owner is None else (str(owner.bin),)
        return os.pathsep.join((*own, str(self._paths.bin), inherited))


def runtime_arguments(
    verb: str, macro: Macro, parameters: Sequence[str], options: Sequence[str] = ()
) -> tuple[str, ...]:
    """What the runtime is told: ``macro run --macro-file … --param k=v … --json``."""
    given = (part for parameter in parameters for part in ("--param", parameter))
    return ("macro", verb, "--macro-file", str(macro.path), *given, *options, "--json")


@dataclass(slots=True)
class _Said:
    """Keeps the whole answer: a record keeps only the ends of a long one."""

    pass_on: OnOutput | None
    stdout: bytearray = field(default_factory=bytearray)

    def __call__(self, stream: str, chunk: bytes) -> None:
        if stream == "stdout" and len(self.stdout) < ANSWER_LIMIT:
            self.stdout += chunk
        if self.pass_on is not None:
            self.pass_on(stream, chunk)

    @property
    def text(self) -> str:
        return self.stdout.decode("utf-8", "replace")


def _document(record: RunRecord, said: str) -> Mapping[str, Any]:
    try:
        document = json.loads(said)
    except ValueError:
        document = None
    if not isinstance(document, dict):
        raise CommandFailed(
            " ".join(record.argv),
            exit_code=record.exit_code,
            output=record.stderr or record.stdout,
            hint=f"cli-hub runs show {record.id}",
        )
    return document
