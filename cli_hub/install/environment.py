"""The environment installers run in: the user's network settings, and nothing that would leak.

A ``PYTHONPATH``, an active virtual environment or the settings of a uv project in the user's shell
must not change what is installed or where. Index, certificate, proxy and login settings stay.
"""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from cli_hub import config
from cli_hub.fetch import system_certificates
from cli_hub.paths import Paths
from cli_hub.process import Command
from cli_hub.strategies import Kind, Scope, Strategy

_PYTHON = (
    "PYTHONPATH", "PYTHONHOME", "PYTHONSTARTUP", "PYTHONSAFEPATH", "PYTHONUSERBASE",
    "PYTHONNOUSERSITE", "PYTHONEXECUTABLE", "PYTHONPLATLIBDIR", "PYTHONWARNINGS",
    "__PYVENV_LAUNCHER__", "VIRTUAL_ENV", "CONDA_PREFIX",
)  # fmt: skip

_UV_KEPT = re.compile(
    r"UV_(INDEX.*|DEFAULT_INDEX|EXTRA_INDEX_URL|FIND_LINKS|NO_INDEX|KEYRING_PROVIDER|HTTP_.*"
    r"|REQUEST_TIMEOUT|NATIVE_TLS|SYSTEM_CERTS|INSECURE_HOST|CONCURRENT_.*|EXCLUDE_NEWER|OFFLINE"
    r"|LINK_MODE|CACHE_DIR|CREDENTIALS_DIR|GITHUB_TOKEN|CONFIG_FILE|LIBC)"
)


def python_command(
    command: Command, paths: Paths, *, offline: bool, names: Iterable[str] | None = None
) -> Command:
    """*command* (a uv call) as it should run; *names* are the variables that are set."""
    present = config.environment_names() if names is None else tuple(names)
    values = {
        "UV_PYTHON_DOWNLOADS": "never",
        "UV_NO_PROGRESS": "1",
        "NO_COLOR": "1",
    }
    if "UV_CACHE_DIR" not in present:
        values["UV_CACHE_DIR"] = str(paths.cache / "uv")
    if offline:
        values["UV_OFFLINE"] = "1"
    if not any(name in present for name in ("UV_DEFAULT_INDEX", "UV_INDEX_URL", "UV_CONFIG_FILE")):
        values |= _from_pip_settings()
    values |= _trust(present)
    unset = [
        name
        for name in present
        if name in _PYTHON or (name.startswith("UV_") and not _UV_KEPT.fullmatch(name))
    ]
    return command.with_env(values, unset=unset)


def installer_command(
    command: Command, strategy: Strategy, paths: Paths, *, offline: bool
) -> Command:
    """A command of *strategy* as it should run: its caches below the hub's home."""
    match strategy.kind:
        case Kind.PIP | Kind.UV:
            return python_command(command, paths, offline=offline)
        case Kind.NPM:
            values = {
                "npm_config_cache": str(paths.cache / "npm"),
                "npm_config_update_notifier": "false",
                "npm_config_progress": "false",
            }
            if offline:
                values["npm_config_offline"] = "true"
            return command.with_env(values)
        case Kind.COMMAND if strategy.needs == "cargo" and strategy.scope is Scope.PRIVATE:
            return _cargo_command(command, paths, offline=offline)
        case Kind.COMMAND if strategy.needs == "go" and strategy.scope is Scope.PRIVATE:
            caches = paths.cache / "go"
            return command.with_env(
                {"GOMODCACHE": str(caches / "modules"), "GOCACHE": str(caches / "build")}
            )
    return command


def _cargo_command(command: Command, paths: Paths, *, offline: bool) -> Command:
    values = {"CARGO_HOME": str(paths.cache / "cargo"), "CARGO_TERM_COLOR": "never"}
    if offline:
        values["CARGO_NET_OFFLINE"] = "true"
    users = Path(config.environment_value("CARGO_HOME") or Path.home() / ".cargo") / "config.toml"
    if users.is_file():  # the user's registry mirrors and proxies
        command = replace(command, argv=(*command.argv, "--config", str(users)))
    return command.with_env(values)


def program_command(command: Command) -> Command:
    """A harness started only to see that it starts: its own modules, and no others."""
    present = set(config.environment_names())
    return command.with_env({}, unset=[name for name in _PYTHON if name in present])


def _from_pip_settings() -> dict[str, str]:
    """Who set up pip for a mirror expects it to be used; uv reads only its own variables."""
    values = {}
    for pip, uv in (("PIP_INDEX_URL", "UV_DEFAULT_INDEX"), ("PIP_EXTRA_INDEX_URL", "UV_INDEX")):
        if value := config.environment_value(pip):
            values[uv] = value
    return values


def _trust(present: Iterable[str]) -> dict[str, str]:
    """Trust what the system trusts, as pip does: a company's own authority is known there only."""
    if {"SSL_CERT_FILE", "SSL_CERT_DIR", "UV_SYSTEM_CERTS", "UV_NATIVE_TLS"} & set(present):
        return {}
    if bundle := config.environment_value("PIP_CERT"):
        return {"SSL_CERT_FILE": bundle}
    if sys.platform in ("darwin", "win32"):
        return {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1"}  # the latter for uv before 0.11
    file, folder = system_certificates()  # naming them costs uv half of finding them
    named = {"SSL_CERT_FILE": file, "SSL_CERT_DIR": folder}
    return {name: str(place) for name, place in named.items() if place is not None}


_LOOKING = threading.Lock()
"""``sysconfig`` answers nothing to a second thread while the first one still fills it."""


def uv_program() -> str:
    """The uv that came with the hub."""
    beside = Path(sys.executable).with_name("uv.exe" if os.name == "nt" else "uv")
    if sys.prefix != sys.base_prefix and beside.is_file():
        return str(beside)  # the usual place, without a look at all the others
    import uv  # its location is all that is asked of it

    with _LOOKING:
        return str(uv.find_uv_bin())


def base_python() -> str:
    """The interpreter environments are built from: the one below the hub's own environment."""
    found = getattr(sys, "_base_executable", "") or sys.executable
    return found if Path(found).exists() else f"{sys.version_info.major}.{sys.version_info.minor}"
