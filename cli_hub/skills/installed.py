"""The skill an installed harness brings along."""

from __future__ import annotations

from cli_hub.errors import NotFound
from cli_hub.install.installed import Installed
from cli_hub.install.manifest import read as read_manifest
from cli_hub.skills.document import Skill, read


def skill_of(harness: Installed) -> Skill | None:
    """Its skill, or ``None`` when it has none. Raises ``BadDocument`` when it cannot be read."""
    path = read_manifest(harness).skill
    return read(path) if path else None


def require_skill(harness: Installed) -> Skill:
    """Its skill. Raises :class:`NotFound` when the harness brings none."""
    skill = skill_of(harness)
    if skill is None:
        raise NotFound(
            f"{harness.name} {harness.version} brings no skill",
            hint=f"cli-hub run {harness.name} -- --help shows its commands",
        )
    return skill
