"""Where everything lives, and the only place that reads it from the environment.

``CLI_HUB_HOME`` moves all of it; without it the platform's own data directory is used.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cli_hub.errors import HubError
from cli_hub.values import dataclass

TOOL = "tool"
"""The folder of a generation below which ``uv tool`` makes its environment."""

_PACKAGE = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Paths:
    """The hub's own directories, all below *home*. Nothing is created by asking."""

    home: Path

    @property
    def config(self) -> Path:
        return self.home / "config.toml"

    @property
    def ledger(self) -> Path:
        return self.home / "ledger.sqlite3"

    @property
    def environments(self) -> Path:
        """``<environments>/<name>/<generation>/`` and the link ``<name>/current``."""
        return self.home / "envs"

    @property
    def bin(self) -> Path:
        return self.home / "bin"

    @property
    def locks(self) -> Path:
        return self.home / "locks"

    @property
    def cache(self) -> Path:
        return self.home / "cache"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def runs(self) -> Path:
        return self.home / "runs"

    @property
    def macros(self) -> Path:
        return self.home / "macros"

    @property
    def pages(self) -> Path:
        """Generated preview pages: bundles are immutable, so pages live outside them."""
        return self.home / "pages"


def from_environment() -> Paths:
    """``CLI_HUB_HOME``, else the platform's data directory for ``cli-hub``."""
    chosen = os.environ.get("CLI_HUB_HOME", "").strip()
    if chosen:
        return Paths(Path(chosen).expanduser().absolute())
    return Paths(_default_home())


def _default_home() -> Path:
    if sys.platform.startswith("linux"):
        # The XDG rule platformdirs applies here, without its import on every start.
        base = os.environ.get("XDG_DATA_HOME", "").strip()
        return (Path(base) if base else Path.home() / ".local" / "share") / "cli-hub"
    import platformdirs

    return Path(platformdirs.user_data_dir("cli-hub", appauthor=False))


def resource(relative: str) -> Path:
    """A file shipped with the hub: ``registry.json``, ``harnesses/ffmpeg`` and so on.

    An installed wheel carries them in ``cli_hub/_bundled``; a checkout has them beside the
    package. The current directory is never looked at.
    """
    for root in (_PACKAGE / "_bundled", _PACKAGE.parent):
        found = root / relative
        if found.exists():
            return found
    raise HubError(
        f"this installation of cli-hub lacks {relative}",
        hint="install cli-hub again: pip install --force-reinstall cli-hub",
    )
