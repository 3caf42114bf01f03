"""``cli-hub registry …``: sources, and what maintainers use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Program
from tests.support.http_server import Server
from tests.support.package_index import PackageIndex, build_wheel
from tests.support.registries import entry, registry_file, registry_text


def test_a_source_is_added_listed_switched_and_removed(program: Program, server: Server) -> None:
    server.gives(registry_text(entry("mine")))
    address = f"{server.url}/corp.json"

    added = program("registry", "sources", "add", "corp", address, "--json").document("source")
    listed = program("registry", "sources", "list", "--json").document("source-list")
    program("registry", "sources", "disable", "corp")
    off = program("info", "mine", "--json")
    on = program("registry", "sources", "enable", "corp", "--json").document("source")
    found = program("info", "corp/mine", "--json").document("entry-info")
    removed = program("registry", "sources", "remove", "corp", "--json")

    assert (added["kind"], added["location"]) == ("url", address)
    assert listed[0]["name"] == "corp"
    assert off.exit_code == 3
    assert on["enabled"]
    assert found["source"] == "corp"
    assert removed.document("source")["name"] == "corp"
    assert program("info", "mine").exit_code == 3


def test_a_source_that_does_not_answer_is_not_added(program: Program) -> None:
    answer = program("registry", "sources", "add", "corp", "http://127.0.0.1:9/r.json", "--json")

    assert answer.exit_code == 8
    answer.document("error")
    listed = program("registry", "sources", "list", "--json").document("source-list")
    assert "corp" not in [row["name"] for row in listed]


def test_refresh_says_what_changed_and_fails_for_a_source_that_does_not_answer(
    program: Program, server: Server
) -> None:
    server.gives(registry_text(entry("gone"), entry("kept")))
    program("registry", "sources", "add", "corp", f"{server.url}/corp.json")
    server.gives(registry_text(entry("kept", version="2.0"), entry("new")))

    changed = program("registry", "sources", "refresh", "corp", "--json")
    server.gives("<html>sorry</html>")
    failed = program("registry", "sources", "refresh", "corp", "--json")

    [source] = changed.document("registry-refresh")["sources"]
    assert (source["added"], source["removed"]) == (["new"], ["gone"])
    assert [change["field"] for change in source["changed"]["kept"]] == ["version"]
    assert failed.exit_code != 0
    assert failed.document("registry-refresh")["sources"][0]["error"]["code"]
    assert "1 added, 1 removed" not in failed.out


def test_a_sound_registry_is_valid(program: Program, tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("good"))

    answer = program("registry", "validate", str(file), "--json")

    assert answer.exit_code == 0
    assert answer.document("registry-validation")["valid"]


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    return registry_file(
        tmp_path, entry("bad", category="sorcery"), entry("odd", capabilities=["no.word"])
    )


@pytest.mark.parametrize("words", [("--json",), ("--format", "json")])
def test_faults_are_one_document(words: tuple[str, ...], faulty: Path, program: Program) -> None:
    answer = program("registry", "validate", str(faulty), *words)
    document = answer.document("registry-validation")

    assert answer.exit_code == 1
    assert (document["errors"], document["warnings"]) == (1, 1)
    assert {fault["code"] for fault in document["faults"]} == {
        "unknown-category",
        "unknown-capability",
    }


def test_faults_are_told_with_line_and_column(faulty: Path, program: Program) -> None:
    line = next(
        number
        for number, text in enumerate(faulty.read_text().splitlines(), 1)
        if '"sorcery"' in text
    )

    answer = program("registry", "validate", str(faulty))

    assert f"{faulty}:{line}:19: error: bad: category:" in answer.out
    assert "1 errors, 1 warnings" in answer.out


def test_faults_are_annotations_of_a_pull_request(faulty: Path, program: Program) -> None:
    lines = program("registry", "validate", str(faulty), "--format", "github").out.splitlines()

    assert len(lines) == 2
    assert all(line.startswith(("::error file=", "::warning file=")) for line in lines)


def test_warnings_fail_only_where_that_is_wanted(program: Program, tmp_path: Path) -> None:
    file = str(registry_file(tmp_path, entry("odd", capabilities=["no.word"])))

    assert program("registry", "validate", file).exit_code == 0
    assert program("registry", "validate", file, "--strict").exit_code == 1


def test_a_registry_is_validated_where_it_is_published(program: Program, server: Server) -> None:
    server.gives(registry_text(entry("bad", category="sorcery")))

    answer = program("registry", "validate", f"{server.url}/r.json", "--json")

    assert answer.document("registry-validation")["errors"] == 1


def test_the_sources_in_force_are_validated_without_a_name(program: Program) -> None:
    answer = program("registry", "validate", "--json")

    assert answer.document("registry-validation")["errors"] == 0
    assert answer.exit_code == 0


def test_formatting_is_checked_done_and_then_finished(program: Program, tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("b"), entry("a"))
    before = file.read_bytes()

    checked = program("registry", "fmt", str(file), "--check", "--json")
    assert (checked.exit_code, file.read_bytes()) == (1, before)
    assert checked.document("registry-format")["changed"] == [str(file)]

    done = program("registry", "fmt", str(file), "--json")
    assert done.document("registry-format")["written"]
    assert [one["name"] for one in json.loads(file.read_text())["clis"]] == ["a", "b"]
    assert program("registry", "fmt", str(file), "--check").exit_code == 0


def test_a_difference_is_told_by_entry_and_field(program: Program, tmp_path: Path) -> None:
    old = str(registry_file(tmp_path, entry("a"), entry("b"), name="old.json"))
    new = str(registry_file(tmp_path, entry("a", version="2"), entry("c"), name="new.json"))

    found = program("registry", "diff", old, new, "--json")

    assert found.exit_code == 1
    assert found.document("registry-difference") == {
        "added": ["c"],
        "removed": ["b"],
        "changed": {"a": [{"field": "version", "before": "1.0", "after": "2"}]},
    }
    assert 'version: "1.0" → "2"' in program("registry", "diff", old, new).out
    assert program("registry", "diff", old, old).exit_code == 0


def test_statistics_are_the_same_as_document_and_as_markdown(
    program: Program, tmp_path: Path
) -> None:
    harness = entry("a", category="video", kind="harness", skill_md="SKILL.md")
    public = entry("b", category="video", kind="public", package_manager="npm")
    file = str(registry_file(tmp_path, harness, public, entry("c", kind="harness")))

    document = program("registry", "stats", file, "--json").document("registry-statistics")
    markdown = program("registry", "stats", file, "--markdown", "--top", "1").out

    assert document["by_category"][0] == {
        "category": "video", "harness": 1, "public": 1, "total": 2
    }  # fmt: skip
    assert (document["entries"], document["with_skill"]) == (3, 1)
    assert "| Category | Harness | Public | Total |" in markdown
    assert "| video | 1 | 1 | 2 |" in markdown
    assert "| testing |" not in markdown


def test_an_entry_is_added_and_only_its_lines_change(program: Program, tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("aaa"), entry("zzz"))
    program("registry", "fmt", str(file))
    before = file.read_text().splitlines()
    written = tmp_path / "entry.json"
    written.write_text(json.dumps(entry("mmm")))

    answer = program("registry", "add", str(written), "--into", str(file), "--json")

    assert answer.document("registry-addition")["written"]
    after = file.read_text().splitlines()
    at = next(n for n, line in enumerate(after) if '"mmm"' in line) - 1
    added = len(after) - len(before)
    assert before == after[:at] + after[at + added :]
    taken = program("registry", "add", str(written), "--into", str(file), "--json")
    assert taken.exit_code == 2
    again = program("registry", "add", str(written), "--into", str(file), "--replace", "--json")
    assert again.document("registry-addition")["replaced"]


def test_an_entry_with_an_error_is_not_written(program: Program, tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("aaa"))
    before = file.read_bytes()
    written = tmp_path / "entry.json"
    written.write_text(json.dumps(entry("bad", category="sorcery")))

    answer = program("registry", "add", str(written), "--into", str(file), "--json")

    assert answer.exit_code == 1
    assert "category" in answer.document("error")["error"]["details"]["problems"][0]
    assert file.read_bytes() == before


def test_an_entry_is_drafted_from_a_package_of_the_python_index(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PackageIndex(tmp_path / "wheels") as index:
        index.add("cli-anything-demo", "1.0")
        monkeypatch.setenv("UV_DEFAULT_INDEX", index.address)
        words = ("registry", "add", "--from", "pip:cli-anything-demo", "--json")
        lacking = program(*words)
        answer = program(*words, "--set", "category=testing", "--set", "description=Shows things")

    assert lacking.exit_code == 2
    assert lacking.document("error")["error"]["details"]["missing"] == ["description", "category"]
    drafted = answer.document("registry-addition")["entry"]
    assert drafted["name"] == "demo"
    assert drafted["install"] == {"strategy": "pip", "package": "cli-anything-demo"}
    assert drafted["entry_point"] == "cli-anything-demo"
    assert json.loads((tmp_path / "registry.json").read_text())["clis"] == [drafted]


def test_an_entry_is_drafted_from_a_harness_beside_the_registry(
    program: Program, tmp_path: Path
) -> None:
    project(tmp_path / "demo")

    answer = program(
        "registry", "add", "--from", "path:demo", "--set", "category=video", "--dry-run", "--json"
    )
    document = answer.document("registry-addition")

    assert document["entry"]["install"] == {"strategy": "pip", "path": "./demo"}
    assert document["entry"]["capabilities"] == ["video.trim"]
    assert document["entry"]["needs"] == [
        {"kind": "application", "name": "demo-app", "version": ">=2"}
    ]
    assert not document["written"]
    assert not (tmp_path / "registry.json").exists()


@pytest.mark.parametrize("place", ["cargo:x", "pip:", "pip:--index-url=x", "npm:-g", "nothing"])
def test_a_place_nothing_can_be_drafted_from_is_a_usage_error(place: str, program: Program) -> None:
    assert program("registry", "add", f"--from={place}", "--json").exit_code == 2


def project(folder: Path) -> None:
    """A harness's sources as far as drafting reads them."""
    folder.mkdir()
    (folder / "pyproject.toml").write_text(
        '[project]\nname = "cli-anything-demo"\nversion = "0.1"\ndescription = "Trims films"\n'
        '[project.scripts]\ncli-anything-demo = "demo:main"\n'
    )
    (folder / "harness.toml").write_text(
        '[harness]\nname = "demo"\ncapabilities = ["video.trim"]\n'
        '[application]\nname = "demo-app"\nminimum = "2"\n'
    )


def test_entries_are_proven_once_and_the_proof_is_recorded(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = build_wheel(tmp_path, "demo")
    file = registry_file(
        tmp_path,
        entry("demo", install={"strategy": "pip", "url": wheel.as_uri(), "package": "demo"}),
        entry("far", install={"strategy": "brew", "package": "far"}),
    )
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))

    first = program("registry", "verify", "--record", "--json")
    wheel.unlink()
    again = program("registry", "verify", "--resume", "--json")

    for answer in (first, again):
        document: dict[str, Any] = answer.document("registry-proofs")
        assert (document["proven"], document["failed"], document["not_tried"]) == (1, 0, 1)
    assert "[2/2]" in first.err
    recorded = {one["name"]: one["verified"] for one in json.loads(file.read_text())["clis"]}
    assert recorded["demo"]["entry_point"] is True
    assert recorded["far"]["reason"]


def test_an_entry_that_cannot_be_installed_fails_its_proof(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = (tmp_path / "gone.whl").as_uri()
    file = registry_file(tmp_path, entry("demo", install={"strategy": "pip", "url": gone}))
    monkeypatch.setenv("CLI_HUB_REGISTRY", str(file))

    answer = program("registry", "verify", "demo", "--json")

    assert answer.exit_code == 1
    assert answer.document("registry-proofs")["entries"][0]["verified"]["reason"]
