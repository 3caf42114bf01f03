"""What the user decided: the environment's switches and ``config.toml``.

The only module besides :mod:`cli_hub.paths` that reads environment variables. Names of variables
may be passed in (a requirement that asks for an API key, say); their values never leave here
except through :func:`environment_value`.
"""

from __future__ import annotations

import os
import re
from typing import Any

from cli_hub.errors import BadDocument
from cli_hub.paths import Paths
from cli_hub.values import dataclass

_SENSITIVE_NAME = (
    r"(TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIALS?)(_|$|\d)"
)
_SHORTEST_SECRET = 6


@dataclass(frozen=True, slots=True)
class Settings:
    """*registries* replaces every configured source when it is not empty."""

    registries: tuple[str, ...] = ()
    offline: bool = False
    colour: bool = True
    """Whether a terminal would want colour (no-color.org, and terminals that cannot)."""


def load() -> Settings:
    """Read the switches: ``CLI_HUB_REGISTRY``, ``CLI_HUB_OFFLINE``, ``NO_COLOR`` and ``TERM``."""
    return Settings(
        registries=tuple(os.environ.get("CLI_HUB_REGISTRY", "").split()),
        offline=_truthy(os.environ.get("CLI_HUB_OFFLINE", "")),
        colour=not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
    )


def read_config_file(paths: Paths) -> dict[str, Any]:
    """``config.toml`` as a table, empty when there is none. Raises :class:`BadDocument`."""
    try:
        content = paths.config.read_bytes()
    except FileNotFoundError:
        return {}
    import tomllib  # 6 ms, for who has one

    try:
        return tomllib.loads(content.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BadDocument(
            str(paths.config), str(problem), hint="mend the file, or move it away"
        ) from None


def environment_value(name: str) -> str | None:
    """The value of one environment variable, ``None`` when unset."""
    return os.environ.get(name)


def environment_names() -> tuple[str, ...]:
    """The names of all variables that are set, without their values."""
    return tuple(os.environ)


def secret_values() -> tuple[str, ...]:
    """The values of variables whose names say that they are secret, for masking them."""
    return tuple(
        value
        for name, value in os.environ.items()
        if len(value) >= _SHORTEST_SECRET and re.search(_SENSITIVE_NAME, name, re.IGNORECASE)
    )


def _truthy(text: str) -> bool:
    return text.strip().lower() in {"1", "true", "yes", "on"}
