"""What the installed package carries."""

from __future__ import annotations

import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest
import uv
import yaml

PACKAGE = Path(__file__).parents[1] / "cli_anything/macrocli"


@pytest.mark.slow
def test_the_wheel_carries_macros_skill_schema_and_manifest(tmp_path: Path) -> None:
    subprocess.run(
        [uv.find_uv_bin(), "build", "--wheel", "--out-dir", str(tmp_path), str(PACKAGE.parents[1])],
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = {
        name.removeprefix("cli_anything/macrocli/") for name in zipfile.ZipFile(wheel).namelist()
    }

    assert {
        "harness.toml",
        "skills/SKILL.md",
        "macro_definitions/manifest.yaml",
        "macro_definitions/set_json_value.yaml",
        "schemas/macro.schema.json",
        "schemas/records.sql",
        "templates/macro.yaml",
        "templates/assist.md",
    } <= names
    assert "cli_anything/__init__.py" not in names


def test_the_manifest_points_at_what_is_there() -> None:
    manifest = tomllib.loads((PACKAGE / "harness.toml").read_text())["harness"]

    assert (PACKAGE / manifest["skill"]).is_file()
    assert (PACKAGE / manifest["macros"] / "manifest.yaml").is_file()


def test_the_skill_says_what_it_is_for() -> None:
    text = (PACKAGE / "skills/SKILL.md").read_text()
    front = yaml.safe_load(text.split("---")[1])

    assert front["name"] == "cli-anything-macrocli"
    assert 50 < len(front["description"]) <= 1024
    assert set(front) <= {"name", "description", "license", "compatibility", "metadata"}
    assert len(text.splitlines()) < 500
