"""SKILL.md documents: lenient in reading, exact about what is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_hub.errors import BadDocument
from cli_hub.skills.document import parse, read
from tests.support.requirements import require_corpus

PLAIN = (
    "---\nname: cut-video\ndescription: Cut a video. Use when one must get shorter.\n---\n# Cut\n"
)
HERE = Path("SKILL.md")


def test_a_skill_has_a_name_a_description_and_a_body() -> None:
    skill = parse(PLAIN, HERE)

    assert skill.name == "cut-video"
    assert skill.description == "Cut a video. Use when one must get shorter."
    assert skill.body == "# Cut\n"
    assert skill.remarks == ()


def test_a_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path: Path) -> None:
    path = tmp_path / "SKILL.md"
    path.write_bytes(b"\xef\xbb\xbf" + PLAIN.replace("\n", "\r\n").encode())

    assert read(path).name == "cut-video"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("# no front matter\n", "line 1: has no front matter"),
        ("---\nname: a\n---\n", "description is missing"),
        ("---\ndescription: d\n---\n", "name is missing"),
        ("---\nname: [a\n---\n", "line 3"),
        ("---\n- a\n---\n", "not a mapping"),
        ("---\nname: a\ndescription: ''\n---\n", "description is missing or empty"),
    ],
)
def test_an_unusable_skill_is_refused_with_its_place(text: str, problem: str) -> None:
    with pytest.raises(BadDocument, match=problem):
        parse(text, HERE)


def test_what_an_agent_reads_and_a_person_cannot_see_is_pointed_out() -> None:
    skill = parse(PLAIN + "run\u200b this\n\u202eevil\n\U000e0041\n", HERE)

    assert [remark.split(" (")[0] for remark in skill.remarks] == [
        "line 6 has a hidden U+200B",
        "line 7 has a hidden U+202E",
        "line 8 has a hidden U+E0041",
    ]


def test_links_to_files_that_did_not_come_along_are_named(tmp_path: Path) -> None:
    (tmp_path / "references").mkdir()
    (tmp_path / "references" / "a.md").write_text("here")
    body = "[a](references/a.md) [b](scripts/b.py) [web](https://example.org) [top](#cut)\n"

    skill = parse(PLAIN + body, tmp_path / "SKILL.md")

    assert skill.remarks == ("link to scripts/b.py, which is not beside the skill",)


def test_a_horizontal_rule_in_the_body_does_not_end_the_front_matter_twice() -> None:
    assert parse(PLAIN + "\n---\nafter\n", HERE).body.endswith("---\nafter\n")


def test_every_published_skill_can_be_read() -> None:
    documents = sorted(require_corpus().glob("skills/*/SKILL.md"))

    assert len(documents) == 53
    for path in documents:
        assert read(path).description
