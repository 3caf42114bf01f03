"""What the installation benchmark installs: generated harnesses, and a published one.

The published one and all it depends on are fetched once from the Python index that pip is set up
for; from then on both hubs get the same wheels from the loopback index.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tests.support.package_index import PROGRAM, PackageIndex

NAMES = [f"bench-{number}" for number in range(10)]
"""Ten harnesses of 200 modules each, over one library of 400."""

PUBLISHED = "libreoffice"
PUBLISHED_PACKAGE = "cli-anything-libreoffice"


def entries() -> list[dict[str, Any]]:
    """The registry records of everything that is installed."""
    packages = {name: name for name in NAMES} | {PUBLISHED: PUBLISHED_PACKAGE}
    return [
        {
            "name": name,
            "display_name": name,
            "version": "1.0",
            "description": "a harness to measure with",
            "category": "testing",
            "install_cmd": f"pip install {package}",
            "entry_point": package,
        }
        for name, package in packages.items()
    ]


def offer_generated(index: PackageIndex) -> None:
    modules = {f"bench_library/m{number}.py": f"VALUE = {number}\n" * 20 for number in range(400)}
    index.add("bench-library", files={**modules, "bench_library/__init__.py": ""})
    for name in NAMES:
        package = name.replace("-", "_")
        files = {f"{package}/m{number}.py": f"VALUE = {number}\n" * 20 for number in range(200)}
        index.add(
            name,
            scripts={name: PROGRAM},
            files={**files, f"{package}/__init__.py": ""},
            requires=["bench-library"],
        )


def offer_published(index: PackageIndex, pip: Path) -> None:
    """Fetch the wheels of the published harness with *pip*, for the Python that pip belongs to."""
    fetch = [pip, "download", "--quiet", "--only-binary", ":all:", "--dest", index.folder]
    subprocess.run([*fetch, PUBLISHED_PACKAGE], check=True, stderr=subprocess.DEVNULL)
