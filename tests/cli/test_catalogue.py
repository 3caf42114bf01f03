"""``list``, ``search``, ``can`` and ``info`` as programs read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Program
from tests.support.registries import entry, registry_file


@pytest.fixture
def corp(tmp_path: Path, program: Program, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A registry that alone is in force."""
    del program  # it clears the variable, so it has to come first
    file = registry_file(
        tmp_path,
        entry("cutter", description="Edit video: trim and join clips", category="video"),
        entry("noway", description="Edit video elsewhere", category="video", install_cmd=None),
        entry("parent", install={"strategy": "bundled", "detect": "no-such-program-here"}),
        entry("needy", needs=[{"kind": "binary", "name": "no-such-program-here"}]),
        entry("old", renamed_to="cutter"),
        name="corp.json",
    )
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))
    return file


def test_a_list_has_every_entry_with_what_this_machine_makes_of_it(
    corp: Path, program: Program
) -> None:
    rows = {row["name"]: row for row in program("list", "--json").document("entry-list")}

    assert set(rows) == {"cutter", "noway", "parent", "needy", "old"}
    assert rows["cutter"]["installable"]
    assert rows["noway"]["reason"]
    assert "no-such-program-here" in rows["parent"]["reason"]
    assert rows["needy"]["application"]["present"] is False


def test_the_embedded_registries_are_listed_as_documented(program: Program) -> None:
    rows = program("list", "--json").document("entry-list")

    assert len(rows) >= 100
    assert {row["kind"] for row in rows} == {"harness", "public"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("search", "edit", "video"), ["cutter", "noway"]),
        (("search", "edit video", "--installable"), ["cutter"]),
        (("search", "edit", "video", "--limit", "1"), ["cutter"]),
        (("search", "edit", "video", "-c", "testing"), []),
        (("search", "edit", "video", "-s", "corp"), ["cutter", "noway"]),
        (("search", "needy", "--available"), []),
        (("search", "unicorn"), []),
    ],
)
def test_hits_are_an_array_of_entries(
    words: tuple[str, ...], found: list[str], corp: Path, program: Program
) -> None:
    answer = program(*words, "--json")

    assert (answer.exit_code, answer.err) == (0, "")
    assert [hit["name"] for hit in answer.document("search-hits")] == found


def test_candidates_come_with_their_plan_and_the_next_command(corp: Path, program: Program) -> None:
    cutter, noway = program("can", "edit", "a", "video", "--json").document("candidates")

    assert cutter["plan"] == {"strategy": "pip", "package": "cutter"}
    assert cutter["next"] == "cli-hub install cutter"
    assert (noway["plan"], noway["next"]) == (None, "cli-hub info noway")
    assert not cutter["installed"]


def test_what_nothing_can_do_is_a_gap(corp: Path, program: Program) -> None:
    answer = program("can", "knit a sweater", "--json")

    assert answer.exit_code == 3
    assert answer.document("error")["error"]["code"] == "capability_gap"


def test_candidates_are_shown_to_people_with_what_to_type(corp: Path, program: Program) -> None:
    answer = program("can", "trim video")

    assert answer.out.startswith("cutter  ")
    assert "cli-hub install cutter" in answer.out


@pytest.mark.parametrize("name", ["cutter", "corp/cutter", "old", "Cutter"])
def test_every_way_to_call_an_entry_shows_it(name: str, corp: Path, program: Program) -> None:
    assert program("info", name, "--json").document("entry-info")["name"] == "cutter"


def test_what_an_entry_lacks_here_is_named(corp: Path, program: Program) -> None:
    document = program("info", "needy", "--json").document("entry-info")

    assert [need["present"] for need in document["needs"]] == [False]
    assert "no-such-program-here" in program("info", "needy").out


@pytest.mark.parametrize(
    "words", [("list",), ("search", "x"), ("info", "x"), ("can", "x"), ("install", "x")]
)
def test_a_configured_registry_that_is_not_reached_is_named_by_every_verb(
    words: tuple[str, ...], program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLI_HUB_REGISTRY", "http://127.0.0.1:9/corp.json")

    answer = program(*words, "--json")

    assert answer.exit_code == 8
    assert "corp" in answer.document("error")["error"]["message"]


def test_offline_and_refresh_contradict_each_other(corp: Path, program: Program) -> None:
    assert program("list", "--offline", "--refresh").exit_code == 2


def test_only_the_registry_vouches_for_an_entry(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pinned = {"strategy": "script", "url": "https://example.com/a.sh", "sha256": "a" * 64}
    file = registry_file(
        tmp_path,
        entry("named", install=pinned),
        entry("boaster", official=True),
        official=["named"],
    )
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))

    def official(name: str) -> bool:
        return bool(program("info", name, "--json").document("entry-info")["official"])

    assert official("named")
    assert not official("boaster")
    assert "a" * 64 in program("info", "named").out
    rows = program("list", "--json").document("entry-list")
    assert [row["name"] for row in rows if row.get("official")] == ["named"]


@pytest.mark.parametrize(
    "words",
    [
        ("list",),
        ("search", "cutter"),
        ("can", "trim video"),
        ("info", "cutter"),
        ("info", "old"),
        ("install", "cutter", "--dry-run"),
        ("install", "corp/cutter", "--dry-run"),
        ("install", "old", "--dry-run"),
        ("registry", "stats"),
    ],
)
def test_every_verb_knows_the_names_of_a_private_registry(
    words: tuple[str, ...], corp: Path, program: Program
) -> None:
    answer = program(*words, "--json")

    assert answer.exit_code == 0
    assert words[1:2] == ("stats",) or "cutter" in answer.out


@pytest.mark.parametrize(
    "verb", ["info", "install", "doctor", "launch", "run", "update", "uninstall"]
)
def test_every_verb_answers_an_unknown_name_alike(verb: str, corp: Path, program: Program) -> None:
    answer = program("--json", verb, "ffmpeg")  # the embedded registry has it, this one has not

    assert answer.exit_code == 3
    answer.document("error")


@pytest.mark.parametrize(
    "line",
    ["info cutter", "search video", "install --dry-run cutter", "outdated", "doctor", "sync"],
)
def test_no_verb_reads_a_registry_that_has_not_changed(
    line: str, corp: Path, program: Program, tmp_path: Path
) -> None:
    """What a command costs does not grow with the registry: it is read once, into the index."""
    (tmp_path / "cli-hub.toml").write_text("[harnesses]\n", encoding="utf-8")
    long_ago = 1_700_000_000 * 10**9
    os.utime(corp, ns=(long_ago, long_ago))
    assert program("list", "--json").exit_code == 0
    with corp.open("r+b") as file:  # the same file in all that the system says of it
        file.write(b"no registry at all")
    os.utime(corp, ns=(long_ago, long_ago))

    answer = program(*line.split())

    assert answer.exit_code == 0, answer.err
    assert "corp" not in answer.err
