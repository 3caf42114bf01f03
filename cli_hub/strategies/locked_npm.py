"""A Node package with its whole dependency closure fixed: what a lock file installs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from cli_hub.digests import sha256_of
from cli_hub.process import Command, command
from cli_hub.strategies.model import Target
from cli_hub.strategies.npm import QUIET, Npm
from cli_hub.values import dataclass

_PROJECT = "lib"
"""Where npm keeps what is global, and where the closure is installed as a project of its own."""


@dataclass(frozen=True, slots=True)
class LockedNpm(Npm):
    """*tree* is npm's own ``package-lock.json`` for a project that needs just this package."""

    tree: str = ""

    @property
    def files(self) -> Mapping[str, str]:
        return {
            f"{_PROJECT}/package.json": project(self.package, self.version),
            f"{_PROJECT}/package-lock.json": self.tree,
        }

    def commands(self, target: Target) -> tuple[Command, ...]:
        """``npm ci`` checks and installs, then only this package's programs are linked.

        The links that ``npm ci`` makes are not used: a dependency may have a program of the same
        name.
        """
        scripts = () if target.allow_scripts else ("--ignore-scripts",)
        return (
            command("npm", "ci", "--prefix", str(target.root / _PROJECT), *scripts, *QUIET),
            command(
                "npm", "rebuild", "--global", "--prefix", str(target.root), "--ignore-scripts",
                *QUIET, "--", self.package,
            ),
        )  # fmt: skip

    def as_document(self) -> dict[str, Any]:
        """What :class:`Npm` says, and a digest of everything that is fixed beside it."""
        return {**Npm.as_document(self), "locked": sha256_of(self.tree)}


def project(package: str, version: str) -> str:
    """The ``package.json`` of a project that needs just *package*."""
    return json.dumps({"private": True, "dependencies": {package: version}}, indent=1)


def package_lock(package: str, version: str, records: Mapping[str, Mapping[str, Any]]) -> str:
    """The ``package-lock.json`` of that project; *records* are npm's, by path, without its own."""
    packages = {"": {"dependencies": {package: version}}, **records}
    document = {"lockfileVersion": 3, "requires": True, "packages": packages}
    return json.dumps(document, indent=1, ensure_ascii=False)
