"""A Python package with its whole dependency closure fixed: what a lock file installs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.process import Command, command
from cli_hub.strategies.model import Target
from cli_hub.strategies.pip import Pip
from cli_hub.values import dataclass

REQUIREMENTS = "locked-requirements.txt"
"""The file in the generation that the closure is installed from, hashes included."""


@dataclass(frozen=True, slots=True)
class LockedPython(Pip):
    """*lines* are requirements with hashes, *direct* addresses that carry their own identity, and
    *paths* what comes with the hub. What it is built from on this machine is its *url*; *tree* is
    the digest of such sources. No index is asked which version to take."""

    lines: tuple[str, ...] = ()
    direct: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    tree: str = ""

    @property
    def files(self) -> Mapping[str, str]:
        return {REQUIREMENTS: "".join(f"{line}\n" for line in self.lines)}

    def local_sources(self, target: Target) -> tuple[Path, ...]:
        shipped = tuple(target.shipped(path) for path in self.paths)
        return shipped or Pip.local_sources(self, target)

    def commands(self, target: Target) -> tuple[Command, ...]:
        make = self.environment(target)
        environment = command(*make.argv, "--allow-existing")  # beside the requirements file
        install = [target.uv, "pip", "install", "--python", str(target.root), "--no-config"]
        install += ["--no-deps", *(("--default-index", self.index) if self.index else ())]
        steps = [environment]
        if self.lines:
            file = str(target.root / REQUIREMENTS)
            steps.append(command(*install, "--require-hashes", "--requirements", file))
        beside = [*self.direct, *(str(target.shipped(path)) for path in self.paths)]
        if not self.paths and self.local_sources(target):
            install.append("--refresh")  # its digest was compared; a cache knows less
            beside.append(self.url)
        if beside:
            steps.append(command(*install, *beside))
        return tuple(steps)

    def as_document(self) -> dict[str, Any]:
        """What :class:`Pip` says, and a digest of everything that is fixed beside it."""
        fixed = "\n".join((*self.lines, *self.direct, *self.paths, self.tree))
        return {**Pip.as_document(self), "locked": sha256_of(fixed)}
