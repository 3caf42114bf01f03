"""The skill comes with the harness, from its own files and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import main
from cli_hub.errors import NotFound
from cli_hub.skills.installed import require_skill, skill_of
from tests.support.harnesses import Machine

SKILL = "---\nname: cutter\ndescription: Cut things. Use when something is too long.\n---\n# Cut\n"


def test_a_harness_brings_its_own_skill(machine: Machine) -> None:
    machine.index.add("cutter", files={"cutter_pkg/skills/SKILL.md": SKILL})

    skill = require_skill(machine.install("cutter"))

    assert (skill.name, skill.body) == ("cutter", "# Cut\n")


def test_a_harness_without_a_skill_says_what_to_do_instead(machine: Machine) -> None:
    machine.index.add("plain")
    harness = machine.install("plain")

    assert skill_of(harness) is None
    with pytest.raises(NotFound, match="brings no skill") as caught:
        require_skill(harness)
    assert "cli-hub run plain -- --help" in caught.value.hint


def test_a_skill_in_the_current_directory_is_never_taken_for_it(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine.index.add("plain")
    harness = machine.install("plain")
    poisoned = tmp_path / "checkout" / "skills"
    poisoned.mkdir(parents=True)
    (poisoned / "SKILL.md").write_text(SKILL.replace("Cut things", "POISONED"))
    monkeypatch.chdir(tmp_path / "checkout")

    assert skill_of(harness) is None


def test_the_commands_show_what_is_there(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    machine.index.add("cutter", files={"cutter_pkg/skills/SKILL.md": SKILL})
    machine.install("cutter")
    monkeypatch.setenv("CLI_HUB_HOME", str(machine.paths.home))
    capsys.readouterr()

    assert main(["skill", "list", "--json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), schemas.load("skill-list"))
    assert main(["skill", "show", "cutter", "--json"]) == 0
    jsonschema.validate(json.loads(capsys.readouterr().out), schemas.load("skill"))
    assert main(["skill", "show", "cutter"]) == 0
    assert capsys.readouterr().out.startswith("# Cut")
