"""Where the application is, which version, whether that is enough, and how to get it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cli_anything.kit import processes
from cli_anything.kit.errors import ApplicationMissing, HarnessError

_PROBE_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place besides PATH where the application may be; *source* names it for people."""

    path: Path
    source: str


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found; *satisfied* when it is there and at least *minimum*."""

    name: str
    found: bool
    path: str
    version: str
    minimum: str
    satisfied: bool
    source: str
    hint: str

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Application:
    """How to recognise one application.

    *programs* are tried on PATH in order; *version_arguments* make it tell its version, which
    the first group of *version_pattern* finds; *hint* says how to install it.
    """

    name: str
    programs: tuple[str, ...]
    minimum: str
    version_arguments: tuple[str, ...]
    version_pattern: str
    hint: str

    def probe(
        self, candidates: Sequence[Candidate] = (), *, run: processes.Runner = processes.run
    ) -> Probe:
        """Look on PATH, then at *candidates*. The first that is new enough wins, else the first."""
        seen: Probe | None = None
        for place in (*self._on_path(), *candidates):
            probe = self._ask(place, run)
            if probe is not None and probe.satisfied:
                return probe
            seen = seen or probe
        return seen or Probe(self.name, False, "", "", self.minimum, False, "", self.hint)

    def require(
        self, candidates: Sequence[Candidate] = (), *, run: processes.Runner = processes.run
    ) -> Probe:
        """The same, raising :class:`ApplicationMissing` unless it is there and new enough."""
        probe = self.probe(candidates, run=run)
        if not probe.found:
            raise ApplicationMissing(
                f"{self.name} is not here", hint=self.hint, details=probe.as_dict()
            )
        if not probe.satisfied:
            raise ApplicationMissing(
                f"{probe.path} is {self.name} {probe.version or '(unknown version)'}, "
                f"{self.minimum} or newer is needed",
                hint=self.hint,
                details=probe.as_dict(),
            )
        return probe

    def _on_path(self) -> list[Candidate]:
        found = (shutil.which(program) for program in self.programs)
        return [Candidate(Path(path), "PATH") for path in found if path]

    def _ask(self, place: Candidate, run: processes.Runner) -> Probe | None:
        """The probe of one place, or ``None`` when there is no program that starts."""
        try:
            done = run(
                processes.command(place.path, *self.version_arguments), timeout=_PROBE_SECONDS
            )
        except HarnessError:
            return None
        match = re.search(self.version_pattern, done.output)
        if not match and not done.ok:
            return None
        version = match[1] if match else ""
        enough = not self.minimum or version_key(version) >= version_key(self.minimum)
        hint = "" if enough else self.hint
        return Probe(
            self.name, True, str(place.path), version, self.minimum, enough, place.source, hint
        )


def version_key(version: str) -> tuple[int, ...]:
    """The numbers of a version in order: enough to compare releases of applications."""
    return tuple(int(number) for number in re.findall(r"\d+", version)[:4])
