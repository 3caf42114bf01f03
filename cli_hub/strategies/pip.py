"""``pip``: a Python package in an environment of its own, built by uv."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any, ClassVar
from urllib.parse import unquote

from cli_hub.errors import UsageError
from cli_hub.paths import TOOL
from cli_hub.process import Command, command
from cli_hub.strategies.model import Consent, Download, Kind, Scope, Target
from cli_hub.values import dataclass

KIT = "harnesses/kit"
"""What the harnesses that come with the hub build on, and come with too."""


@dataclass(frozen=True, slots=True)
class Pip:
    """``{"strategy": "pip", "package": …}``.

    Exactly one of *package* alone (from an index), *path* (shipped with the hub) or *url* (git,
    an archive, or a file of this machine) says where it comes from; beside *path* and *url* the
    package name may be given and is then checked by the installer.
    """

    kind: ClassVar[Kind] = Kind.PIP

    package: str = ""
    version: str = ""
    extras: tuple[str, ...] = ()
    path: str = ""
    url: str = ""
    sha256: str = ""
    index: str = ""
    also: tuple[str, ...] = ()
    prerelease: bool = False

    @property
    def scope(self) -> Scope:
        return Scope.PRIVATE

    @property
    def needs(self) -> str:
        return "git" if self.url.startswith("git+") else ""  # uv comes with the hub

    @property
    def consent(self) -> Consent | None:
        return None

    @property
    def downloads(self) -> tuple[Download, ...]:
        return ()

    @property
    def files(self) -> Mapping[str, str]:
        """What has to be in the generation before the commands run, by relative path."""
        return {}

    def at_version(self, version: str) -> Pip:
        if self.path or self.url:
            place = self.url or f"{self.path}, which comes with the hub"
            raise UsageError(
                f"no version can be chosen: it is installed from {place}",
                hint="leave the version out",
            )
        return replace(self, version=f"=={version}")

    def with_extras(self, extras: Iterable[str]) -> Pip:
        """The same package with these optional parts of it too."""
        return replace(self, extras=tuple(sorted({*self.extras, *extras})))

    @property
    def requirement(self) -> str:
        """The package as an index is asked for it: name, extras and version."""
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        return f"{self.package}{extras}{_specifier(self.version)}"

    def requirements(self, target: Target) -> tuple[str, ...]:
        """What is asked of uv, shipped packages as paths so that no index can answer for them."""
        extras = f"[{','.join(self.extras)}]" if self.extras else ""
        if self.path:
            own, *beside = (str(place) for place in self.local_sources(target))
            return (f"{own}{extras}", *beside, *self.also)
        if self.url:
            fragment = f"#sha256={self.sha256}" if self.sha256 and "#" not in self.url else ""
            place = f"{self.url}{fragment}"
            named = f"{self.package}{extras} @ {place}" if self.package else f"{place}{extras}"
            return (named, *self.also)
        return (self.requirement, *self.also)

    def local_sources(self, target: Target) -> tuple[Path, ...]:
        """The folders and files of this machine that it is built from."""
        if self.path:
            return tuple(target.shipped(path) for path in self.shipped_paths())
        place = Path(unquote(self.url.partition("#")[0].removeprefix("file://")))
        return (place,) if place.is_absolute() else ()

    def shipped_paths(self) -> tuple[str, ...]:
        """What it is built from that comes with the hub; none when it comes from elsewhere."""
        if not self.path:
            return ()
        beside = PurePosixPath(self.path).parent == PurePosixPath(KIT).parent
        return (self.path, KIT) if beside and self.path != KIT else (self.path,)

    def commands(self, target: Target) -> tuple[Command, ...]:
        """One call of uv for one package of an index, which half of the time goes to otherwise.

        ``uv tool`` checks no hash of an address, and takes one package: the rest is installed into
        an environment made before.
        """
        options = ["--no-config"]
        if self.index:
            options += ["--default-index", self.index]
        if target.refresh:
            options.append("--refresh")
        if self.prerelease:
            options += ["--prerelease", "allow"]
        if self.package and not (self.path or self.url or self.also):
            return (self._tool(target, options),)
        install = [target.uv, "pip", "install", "--python", str(target.root), *options]
        return (self.environment(target), command(*install, *self.requirements(target)))

    def environment(self, target: Target) -> Command:
        """What makes the generation an empty environment."""
        return command(
            target.uv, "venv", "--no-project", "--no-config", "--python", target.python,
            str(target.root),
        )  # fmt: skip

    def _tool(self, target: Target, options: Iterable[str]) -> Command:
        """Make ``<root>/tool/<package>`` and link its programs; the root stands in the line, so
        that the process can be found by it when the hub was killed."""
        programs = target.root / ("Scripts" if os.name == "nt" else "bin")
        return command(
            target.uv, "--directory", str(target.root), "tool", "install", *options,
            "--python", target.python, self.requirement,
        ).with_env(
            {"UV_TOOL_DIR": str(target.root / TOOL), "UV_TOOL_BIN_DIR": str(programs)}
        )  # fmt: skip

    def update(self, target: Target) -> tuple[Command, ...]:
        return self.commands(target)

    def removal(self, target: Target) -> tuple[Command, ...]:
        del target  # the generation directory is all there is
        return ()

    def as_document(self) -> dict[str, Any]:
        document: dict[str, Any] = {"strategy": self.kind.value}
        for key in ("package", "version", "path", "url", "sha256", "index", "prerelease"):
            if value := getattr(self, key):
                document[key] = value
        for key in ("extras", "also"):
            if value := getattr(self, key):
                document[key] = list(value)
        return document


def _specifier(version: str) -> str:
    """``1.2`` means exactly that; ``>=1.2``, ``~=1.2`` and the like are taken as written."""
    if not version or version in ("latest", "*"):
        return ""
    return version if version[0] in "<>=!~" else f"=={version}"
