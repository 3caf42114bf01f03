"""What a package says about itself in ``harness.toml`` is read before it counts as installed."""

from __future__ import annotations

import pytest

from cli_hub.errors import BadDocument
from cli_hub.install.plan import Wish
from tests.support.harnesses import Machine

FINE = '[harness]\nname = "demo"\nskill = "SKILL.md"\nmacros = "macro_definitions"\n'
FILES = {
    "demo_harness/SKILL.md": "# demo\n",
    "demo_harness/macro_definitions/manifest.yaml": "macros: []\n",
}


def test_a_sound_manifest_is_installed(machine: Machine) -> None:
    machine.index.add("demo", files={"demo_harness/harness.toml": FINE, **FILES})

    assert machine.install("demo").version == "1.0"


BROKEN = (
    ("[harness\n", "harness.toml"),
    ("[harness]\nskill = 7\n", "harness.skill: must be text"),
    ('[harness]\nskill = "skills/SKILL.md"\n', "skills/SKILL.md does not exist"),
    ('[harness]\nmacros = "macros"\n', "macros does not exist"),
    ('[harness]\nskill = "../../../secret"\n', "lies outside the harness"),
)


def test_a_broken_manifest_fails_the_installation_and_leaves_what_was(machine: Machine) -> None:
    machine.index.add("demo", "1.0", files={"demo_harness/harness.toml": FINE, **FILES})
    before = machine.install("demo")
    files = machine.files()

    for number, (text, wrong) in enumerate(BROKEN, start=2):
        machine.index.add("demo", f"{number}.0", files={"demo_harness/harness.toml": text, **FILES})

        with pytest.raises(BadDocument) as caught:
            machine.install("demo", Wish(update=True))

        assert wrong in caught.value.message
        assert "maintainer" in caught.value.hint
        assert machine.installer().installed() == {"demo": before}
        assert machine.files() == files
