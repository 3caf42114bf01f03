"""With ``--json`` every command prints exactly one document, in success and in failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import main


def matches(document: Any, schema: str) -> None:
    jsonschema.validate(document, schemas.load(schema))


@dataclass(frozen=True)
class Said:
    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert self.out.endswith("\n")
        return json.loads(self.out)


Hub = Callable[..., Said]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Hub:
    """One command line with an empty home of its own."""
    monkeypatch.setenv("CLI_HUB_HOME", str(tmp_path / "hub"))

    def run(*arguments: str) -> Said:
        code = main(arguments)
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def skill_file(tmp_path: Path) -> Path:
    path = tmp_path / "cut-video" / "SKILL.md"
    path.parent.mkdir()
    path.write_text("---\nname: cut-video\ndescription: Cut a video.\n---\nCut.\n")
    return path


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("list", list),
        ("list -c video", list),
        ("search edit video", list),
        ("search qqqqzzzz", list),
        ("info ffmpeg", dict),
        ("install ffmpeg --dry-run", dict),
        ("doctor", (dict, list)),
        ("runs list", list),
        ("skill list", list),
        ("macro list", list),
        ("schema", list),
        ("schema error", dict),
    ],
)
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_success_is_one_document(hub: Hub, line: str, kind: type[Any], before: bool) -> None:
    words = line.split()
    said = hub(*(["--json", *words] if before else [*words, "--json"]))

    assert (said.exit_code, said.err) == (0, "")
    assert isinstance(said.document, kind)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("info no-such-thing", 3),
        ("install no-such-thing", 3),
        ("install", 2),
        ("uninstall ffmpeg", 3),
        ("launch ffmpeg", 3),
        ("run ffmpeg", 3),
        ("doctor no-such-thing", 3),
        ("runs show nothing", 3),
        ("skill show ffmpeg", 3),
        ("skill show", 2),
        ("macro info title_clip", 3),
        ("macro run title_clip", 3),
        ("previews inspect /no/such/place", 3),
        ("previews html /no/such/place", 3),
        ("schema no-such-thing", 3),
        ("no-such-command", 2),
        ("search --no-such-option x", 2),
    ],
)
@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
def test_failure_is_one_document_with_the_code_of_its_kind(
    hub: Hub, line: str, code: int, before: bool
) -> None:
    verb, *rest = line.split()
    # What follows the name of a harness belongs to the harness.
    after = [verb, "--json", *rest] if verb in ("launch", "run") else [verb, *rest, "--json"]

    said = hub(*(["--json", verb, *rest] if before else after))

    matches(said.document, "error")
    assert said.exit_code == code
    assert said.err.count("error: ") == 1
    assert "Traceback" not in said.err


def test_a_usable_skill_and_an_unusable_one_are_told_apart(hub: Hub, skill_file: Path) -> None:
    good = hub("skill", "validate", str(skill_file.parent), "--json")
    skill_file.write_text("no front matter")
    bad = hub("skill", "validate", str(skill_file), "--json")

    assert (good.exit_code, bad.exit_code) == (0, 1)
    for said in (good, bad):
        matches(said.document, "skill-validation")
