"""Entries and installers over a loopback index, for everything that needs installed harnesses."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.plan import Wish
from cli_hub.paths import Paths
from cli_hub.registry.entry import Entry
from tests.support.package_index import PackageIndex


def entry(name: str, *, source: str = "tests", **fields: Any) -> Entry:
    """A registry entry; without ``install`` it is the package *name* from the index."""
    record = {
        "name": name,
        "version": "latest",
        "description": f"the harness {name}",
        "category": "testing",
        "entry_point": name,
        **fields,
    }
    if not any(key in record for key in ("install", "install_cmd", "package_manager")):
        record["install"] = {"strategy": "pip", "package": name}
    return Entry.parse(record, source=source)


@dataclass
class Machine:
    """A fresh hub below one folder, over an index of its own."""

    paths: Paths
    index: PackageIndex
    warnings: list[str] = field(default_factory=list)

    def installer(self, **options: Any) -> Installer:
        return Installer(self.paths, warn=self.warnings.append, **options)

    def install(self, name: str, wish: Wish | None = None, **fields: Any) -> Installed:
        """Install *name* from the index, where it must be already."""
        installer = self.installer()
        return installer.install(installer.plan(entry(name, **fields), wish))

    def files(self) -> set[Path]:
        """Everything below the hub's home but caches, locks and logs."""
        left_out = (self.paths.cache, self.paths.locks, self.paths.logs)
        return {
            path
            for path in self.paths.home.rglob("*")
            if not any(path.is_relative_to(folder) for folder in left_out)
        }
