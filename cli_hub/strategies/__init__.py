"""The seven ways to install, as frozen values that say what would run and never run it."""

from __future__ import annotations

from cli_hub.strategies.brew import Brew
from cli_hub.strategies.bundled import Bundled
from cli_hub.strategies.command import Command
from cli_hub.strategies.model import (
    Consent,
    Download,
    Kind,
    Scope,
    Strategy,
    Target,
    Uninstallable,
)
from cli_hub.strategies.npm import Npm
from cli_hub.strategies.parsing import parse_install
from cli_hub.strategies.pip import Pip
from cli_hub.strategies.script import Script
from cli_hub.strategies.uv import Uv

__all__ = [
    "STRATEGIES",
    "Brew",
    "Bundled",
    "Command",
    "Consent",
    "Download",
    "Kind",
    "Npm",
    "Pip",
    "Scope",
    "Script",
    "Strategy",
    "Target",
    "Uninstallable",
    "Uv",
    "parse_install",
]

STRATEGIES: dict[Kind, type[Strategy]] = {
    Kind.PIP: Pip,
    Kind.UV: Uv,
    Kind.NPM: Npm,
    Kind.BREW: Brew,
    Kind.SCRIPT: Script,
    Kind.COMMAND: Command,
    Kind.BUNDLED: Bundled,
}
