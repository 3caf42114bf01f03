"""``uv``: what registries write as ``uv tool install``."""

from __future__ import annotations

from typing import ClassVar

from cli_hub.strategies.model import Kind
from cli_hub.strategies.pip import Pip
from cli_hub.values import dataclass


@dataclass(frozen=True, slots=True)
class Uv(Pip):
    """``{"strategy": "uv", "package": …}``.

    ``uv tool install`` means an environment of its own for one program, which is what every Python
    package gets here; so it is installed as :class:`Pip` is, and is reversible like it.
    """

    kind: ClassVar[Kind] = Kind.UV
