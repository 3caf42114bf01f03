"""A maintainer sees every mistake before merge, with its line and column."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from cli_hub.registry import canonical
from cli_hub.registry.faults import Fault, Level
from cli_hub.registry.fields import BadField
from cli_hub.registry.positions import place_of
from cli_hub.registry.validating import validate
from tests.support.registries import entry, lacking, registry_text


def faults(*entries: Any, beside: tuple[str, ...] = (), folder: Path | None = None) -> list[Fault]:
    return list(validate([("r.json", registry_text(*entries).encode(), folder)], beside=beside))


def codes(*entries: Any, **how: Any) -> set[tuple[str, str]]:
    return {(fault.code, fault.field) for fault in faults(*entries, **how)}


def test_a_good_entry_has_no_fault() -> None:
    assert faults(entry("good"), entry("better", install={"strategy": "pip", "package": "x"})) == []


@pytest.mark.parametrize(
    ("record", "code", "field"),
    [
        (lacking(entry("a"), "description"), "missing-field", ""),
        (entry("a", category=None), "schema", "category"),
        (entry("a", needs=[{"kind": "rocket", "name": "x"}]), "schema", "needs[0].kind"),
        (entry("a", install={"strategy": "magic"}), "schema", "install.strategy"),
        (entry("a", install={"strategy": "npm", "cask": "yes"}), "schema", "install.cask"),
        (entry("a", platforms=["beos"]), "schema", "platforms[0]"),
        (entry("a", category="sorcery"), "unknown-category", "category"),
        (
            entry("a", capabilities=["3d.render", "3d.dream"]),
            "unknown-capability",
            "capabilities[1]",
        ),
        (entry("a", install_cmd=""), "empty-install", "install_cmd"),
        (lacking(entry("a"), "install_cmd"), "not-installable", "install_cmd"),
        (entry("a", install_cmd="cd a && npm install && npm link"), "no-checkout", "install_cmd"),
        (entry("a", install_cmd='pip install "a'), "not-installable", "install_cmd"),
        (
            entry("a", install_cmd="pip install git+https://github.com/your-org/a@v1"),
            "placeholder",
            "install_cmd",
        ),
        (entry("a", homepage="https://github.com/<owner>/a"), "placeholder", "homepage"),
        (entry("a", install_cmd="pip install /root/a"), "absolute-path", "install_cmd"),
        (entry("a", install_cmd=r"pip install C:\a\b.whl"), "absolute-path", "install_cmd"),
        (entry("a", skill_md="/home/me/SKILL.md"), "absolute-path", "skill_md"),
        (entry("a", install_cmd="pip install http://x.org/a.whl"), "plain-http", "install_cmd"),
        (entry("a", homepage="http://x.org"), "plain-http", "homepage"),
        (entry("a", install_cmd="pip install git+https://x.org/a"), "unpinned-git", "install_cmd"),
        (entry("../a"), "schema", "name"),
        (entry("a", entry_point="bin/a"), "schema", "entry_point"),
        (entry("a", description="nice\u202eecin"), "hidden-text", "description"),
        (entry("a", description="tag\U000e0041"), "hidden-text", "description"),
        (entry("a", description="zero\u200bwidth"), "invisible-character", "description"),
        (entry("a", display_name="bell\x07"), "control-character", "display_name"),
        (entry("a", extra={"deep": ["\x1b[31m"]}), "control-character", "extra.deep[0]"),
        (entry("a", official=True), "own-claim", "official"),
        (entry("a", requires="A_KEY", needs=[]), "needs-contradict", "needs"),
        (
            entry(
                "a",
                requires="blender >= 4.2",
                needs=[{"kind": "binary", "name": "blender", "version": ">=3.4"}],
            ),
            "needs-contradict",
            "needs",
        ),
        (entry("a", entry_point=None), "no-entry-point", "entry_point"),
    ],
)
def test_each_kind_of_mistake_is_named(record: Any, code: str, field: str) -> None:
    assert (code, field) in codes(entry("good"), record)


@pytest.mark.parametrize(
    "record",
    [
        entry("a", install_cmd="pip install git+https://x.org/a.git@v1.2#subdirectory=b"),
        entry("a", install_cmd="cargo install --git https://x.org/a.git --tag v1 --locked"),
        entry("a", homepage="https://owner.example.org/my"),
        entry("a", requires="server at http://localhost:8188"),
        entry("a", description="Grüße, 你好, and two\nlines"),
        entry("a", skill_md="npx skills add o/r -y -g"),
        entry("a", requires="blender >= 4.2", needs=[{"kind": "binary", "name": "blender"}]),
    ],
)
def test_what_is_right_is_left_alone(record: Any) -> None:
    assert faults(record) == []


def test_duplicates_are_found_across_files_whatever_their_case() -> None:
    first = registry_text(entry("Tool"), entry("other", aliases=["also"])).encode()
    second = registry_text(entry("tool"), entry("Also")).encode()

    found = list(validate([("a.json", first, None), ("b.json", second, None)]))

    assert [(fault.file, fault.code, fault.entry) for fault in found] == [
        ("b.json", "duplicate", "tool"),
        ("b.json", "duplicate", "Also"),
    ]
    assert "a.json:4" in found[0].message


def test_two_names_for_one_package_are_noticed() -> None:
    install = {"strategy": "pip", "package": "same"}

    assert ("same-package", "install") in codes(
        entry("one", install=install), entry("two", install=install)
    )


def test_a_look_alike_is_noticed_also_of_another_catalogue() -> None:
    assert ("look-alike", "name") in codes(entry("blender"), entry("blendr"))
    assert ("look-alike", "name") in codes(entry("b1ender"), beside=("blender",))
    assert codes(entry("blender"), beside=("blender",)) == set()
    assert codes(entry("part-001"), entry("part-002")) == set()


def test_a_dead_skill_path_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "there.md").write_text("x", encoding="utf-8")

    assert codes(entry("a", skill_md="gone.md"), folder=tmp_path) == {("dead-skill", "skill_md")}
    assert codes(entry("a", skill_md="there.md"), folder=tmp_path) == set()
    assert codes(entry("a", skill_md="../../x.md"), folder=tmp_path) == {("skill-path", "skill_md")}


def test_all_faults_come_at_once_with_their_places() -> None:
    text = (
        '{"clis": [\n'
        '  {"name": "a", "description": "A", "category": "sorcery",\n'
        '   "install_cmd": "pip install /root/a", "entry_point": "a"},\n'
        '  {"name": "b", "category": "web",\n'
        '   "needs": [{"kind": "env", "name": "X"}, {"kind": "rocket", "name": "y"}]}\n'
        "]}"
    )

    found = list(validate([("r.json", text.encode(), None)]))

    assert {(fault.line, fault.column, fault.code) for fault in found} == {
        (2, 49, "unknown-category"),
        (3, 19, "absolute-path"),
        (4, 3, "missing-field"),
        (5, 53, "schema"),
    }


def test_a_syntax_slip_is_told_with_line_and_column() -> None:
    fault = list(validate([("r.json", b'{"clis": [\n {"name": "a"}\n {}]}', None)]))[-1]

    assert (fault.line, fault.column, fault.code) == (3, 2, "not-a-registry")


def test_a_place_may_lie_deep_in_a_record() -> None:
    text = '{\n  "a": [1, {"b":\n   "x\\"y"}],\n "c": 2}'

    assert place_of(text, "a[1].b", (10, 5)) == (12, 4)
    assert place_of(text, "a[1].nothing", (10, 5)) == (11, 12)
    assert place_of(text, "", (10, 5)) == (10, 5)
    assert place_of('{"a": 1}', "a", (10, 5)) == (10, 11)


@pytest.mark.parametrize(
    "before",
    ['"{[,"', '"a\\"}: "', '"\\\\"', "-1.5e3", "null", '{"b": [{}, "]"]}', "[]", '[[], {"b": 1}]'],
)
def test_the_place_of_a_field_is_right_after_any_value(before: str) -> None:
    text = f'{{"first" :{before} ,\n "w\\u0061nted": 2}}'
    assert json.loads(text)["wanted"] == 2
    assert place_of(text, "wanted") == (2, len(' "w\\u0061nted": 2'))


def test_a_fault_is_written_for_people_and_for_reviews() -> None:
    fault = Fault("a,b.json", 3, 7, Level.ERROR, "x-y", "bad: 100%\nreally", "tool", "name")

    assert fault.as_text() == "a,b.json:3:7: error: tool: name: bad: 100%\nreally [x-y]"
    assert fault.as_github() == (
        "::error file=a%2Cb.json,line=3,col=7,title=x-y::tool: name: bad: 100%25%0Areally"
    )


def shuffled(record: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    keys = list(record)
    chance.shuffle(keys)
    return {key: record[key] for key in keys}


def test_the_canonical_form_does_not_depend_on_how_a_file_was_written() -> None:
    chance = random.Random(1)  # noqa: S311 - order, not secrets
    records = [entry(name, zzz=1, needs=[{"name": "x", "kind": "env"}]) for name in "dbca"]
    document = {"clis": records, "meta": {"kind": "public"}}
    messy = {"clis": [shuffled(record, chance) for record in reversed(records)], **document}

    text = canonical.text(messy | {"clis": [shuffled(one, chance) for one in records[::-1]]})

    assert text == canonical.text(document)
    assert canonical.text(json.loads(text)) == text
    assert [one["name"] for one in json.loads(text)["clis"]] == list("abcd")


@pytest.mark.parametrize("name", ["aaa", "mmm", "zzz"])
def test_adding_an_entry_changes_only_its_own_lines(name: str) -> None:
    import difflib

    before = {"meta": {}, "clis": [entry("bbb"), entry("nnn"), entry("yyy")]}
    old = canonical.text(before)

    new = canonical.text(canonical.add(before, entry(name)))

    changes = list(difflib.ndiff(old.splitlines(), new.splitlines()))
    assert [line for line in changes if line.startswith("-")] == []
    assert len([line for line in changes if line.startswith("+")]) == 9


def test_what_is_no_entry_cannot_be_added() -> None:
    with pytest.raises(BadField):
        canonical.add({"clis": []}, {"name": "a"})
