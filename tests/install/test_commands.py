"""The commands over the installer: one document with --json, codes, words for people."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli import start
from cli_hub.cli.install import DEFINITIONS
from cli_hub.cli.quick import read
from cli_hub.install import receipt
from tests.support.harnesses import Machine

Hub = Callable[..., int]


def test_a_dry_run_prints_the_plan_and_creates_nothing_of_it(
    hub: Hub, document: Callable[[str], Any], machine: Machine
) -> None:
    assert hub("install", "one", "two", "--dry-run", "--json") == 0

    plans = document("install-plan")["plans"]
    assert [(plan["name"], plan["action"]) for plan in plans] == [
        ("one", "install"),
        ("two", "install"),
    ]
    assert not machine.paths.environments.exists()
    assert not machine.paths.ledger.exists()


def test_many_are_installed_at_once_and_one_failure_does_not_stop_the_rest(
    hub: Hub, document: Callable[[str], Any], machine: Machine
) -> None:
    assert hub("install", "one", "bad", "two", "no-such", "--json") == 1

    report = document("install-report")
    assert [(item["name"], item["status"]) for item in report["items"]] == [
        ("one", "installed"),
        ("bad", "failed"),
        ("two", "installed"),
        ("no-such", "failed"),
    ]
    assert report["items"][1]["error"]["code"] == "command_failed"
    assert report["items"][3]["error"]["code"] == "not_found"
    assert report["summary"] == {"installed": 2, "failed": 2}

    assert hub("install", "one", "two", "--json") == 0
    assert document("install-report")["summary"] == {"present": 2}


def test_resume_tries_exactly_what_still_fails(
    hub: Hub, document: Callable[[str], Any], machine: Machine
) -> None:
    hub("install", "one", "bad", "--json")
    document("install-report")
    machine.index.add("bad", "2.0")

    assert hub("install", "--resume", "--json") == 0
    report = document("install-report")
    assert [(item["name"], item["version"]) for item in report["items"]] == [("bad", "2.0")]

    assert hub("install", "--resume", "--json") == 0
    assert document("install-report") == {"items": [], "summary": {}}


def test_resume_forgets_what_another_process_installed_meanwhile(
    hub: Hub, document: Callable[[str], Any], machine: Machine
) -> None:
    hub("install", "one", "--json")
    document("install-report")
    machine.installer().ledger.note_unfinished("one", "one", "locked")

    assert hub("install", "--resume", "--json") == 0
    assert document("install-report")["summary"] == {"present": 1}

    assert hub("install", "--resume", "--json") == 0
    assert document("install-report")["items"] == []


def test_fail_fast_stops_at_the_first_failure(hub: Hub, document: Callable[[str], Any]) -> None:
    assert hub("install", "--fail-fast", "bad", "one", "--json") == 1

    assert [item["status"] for item in document("install-report")["items"]] == [
        "failed",
        "skipped",
    ]


@pytest.mark.parametrize(
    ("line", "code", "exit_code"),
    [
        (["install", "onne"], "not_found", 3),
        (["install"], "usage", 2),
        (["install", "one==;"], "usage", 2),
        (["install", "--version", "1", "one", "two"], "usage", 2),
        (["install", "bad"], "command_failed", 1),
        (["uninstall", "one"], "not_installed", 3),
        (["update"], "usage", 2),
        (["update", "one"], "not_installed", 3),
        (["rollback", "one"], "not_installed", 3),
        (["pin", "one"], "not_installed", 3),
        (["doctor", "one"], "not_installed", 3),
        (["launch", "one"], "not_installed", 3),
        (["run", "one"], "not_installed", 3),
        (["run"], "usage", 2),
        (["run", "--timeout", "x", "one"], "usage", 2),
        (["runs", "show", "x"], "not_found", 3),
        (["import", "no-such-file"], "bad_document", 1),
    ],
    ids=str,
)
def test_a_failure_is_one_document_with_its_own_code(
    hub: Hub, document: Callable[[str], Any], line: list[str], code: str, exit_code: int
) -> None:
    assert hub("--json", *line) == exit_code
    assert document("error")["error"]["code"] == code


def test_the_life_of_a_harness_in_documents(
    hub: Hub, document: Callable[[str], Any], machine: Machine, tmp_path: Path
) -> None:
    assert hub("install", "one@1.0", "--json") == 0
    item = document("install-report")["items"][0]
    assert (item["version"], item["pinned"]) == ("1.0", True)
    jsonschema.validate(
        json.loads((Path(item["path"]) / receipt.FILE).read_bytes()), schemas.load("receipt")
    )

    machine.index.add("one", "2.0")
    assert hub("outdated", "--json") == 0
    assert document("outdated")[0]["latest"] == "2.0"

    assert hub("update", "one", "--json") == 0
    assert document("install-report")["items"][0]["status"] == "present"
    assert hub("unpin", "one", "--json") == 0
    assert document("installed")["pinned"] is False
    assert hub("update", "--all", "--json") == 0
    assert document("install-report")["items"][0]["status"] == "updated"
    assert hub("rollback", "one", "--json") == 0
    assert document("installed")["version"] == "1.0"
    assert hub("pin", "one", "--json") == 0
    assert document("installed")["pinned"] is True

    assert hub("export", "--json") == 0
    exported = document("installed-set")
    (tmp_path / "set.json").write_text(json.dumps(exported))
    assert hub("gc", "--former", "--json") == 0
    assert document("cleaned")["freed"] > 0
    assert hub("uninstall", "one", "--json") == 0
    assert document("install-report")["summary"] == {"removed": 1}

    assert hub("import", str(tmp_path / "set.json"), "--json") == 0
    assert document("install-report")["items"][0]["version"] == "1.0"


def test_doctor_tells_of_a_missing_application_with_exit_5(
    hub: Hub, document: Callable[[str], Any]
) -> None:
    hub("install", "two", "--json")
    document("install-report")

    assert hub("doctor", "two", "--json") == 5

    report = document("doctor")
    (problem,) = [each for each in report["findings"] if each["level"] == "problem"]
    assert problem["check"] == "application"
    assert "no-such-program-zz" in problem["message"]
    assert report["healthy"] is False


def test_a_recorded_run_keeps_the_exit_code_and_its_outputs(
    hub: Hub, document: Callable[[str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    hub("install", "one")
    capsys.readouterr()

    assert hub("run", "one", "--", "--timeout", "5") == 0
    said = capsys.readouterr()
    assert said.out == "1.0 --timeout 5\n"

    assert hub("run", "--json", "one", "a", "--json") == 0
    assert document("run")["stdout"] == "1.0 a --json\n"

    assert hub("run", "one", "a", "--json") == 0
    assert capsys.readouterr().out == "1.0 a --json\n"

    assert hub("runs", "list", "--json") == 0
    assert len(document("run-list")) == 3
    assert hub("runs", "show", "latest", "--json") == 0
    assert document("run")["argv"][1:] == ["a", "--json"]


def test_a_project_is_locked_and_synced(
    hub: Hub, document: Callable[[str], Any], machine: Machine, tmp_path: Path
) -> None:
    project = ["--project", str(tmp_path)]
    assert hub("sync", "--frozen", *project, "--json") == 3
    document("error")
    (tmp_path / "cli-hub.toml").write_text('[harnesses]\none = "*"\n')
    assert hub("sync", "--frozen", *project, "--json") == 3
    assert document("error")["error"]["message"].startswith("there is no cli-hub.lock")

    assert hub("lock", *project, "--json") == 0
    assert document("lock")["lock"]["harness"][0]["version"] == "1.0"
    machine.index.add("one", "2.0")

    assert hub("sync", "--frozen", *project, "--json") == 0
    assert document("install-report")["items"][0]["version"] == "1.0"

    (tmp_path / "cli-hub.toml").write_text('[harnesses]\none = ">=2"\n')
    assert hub("sync", "--frozen", *project, "--json") == 4
    assert document("error")["error"]["code"] == "conflict"
    assert hub("sync", *project, "--json") == 0
    assert document("install-report")["items"][0]["version"] == "2.0"


def test_a_registry_that_changed_since_is_told_of_and_fails_a_frozen_sync(
    hub: Hub, document: Callable[[str], Any], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    project = ["--project", str(tmp_path)]
    (tmp_path / "cli-hub.toml").write_text('[harnesses]\none = "*"\n')
    assert hub("lock", *project) == 0
    registry = Path(os.environ["CLI_HUB_REGISTRY"])
    registry.write_text(registry.read_text().replace("the harness one", "something else"))
    capsys.readouterr()

    assert hub("sync", "--frozen", *project, "--json") == 7
    assert document("error")["error"]["code"] == "integrity"

    assert hub("sync", *project) == 0
    assert "the registry's entry of one changed since" in capsys.readouterr().err
    assert hub("lock", *project) == 0
    assert hub("sync", "--frozen", *project) == 0


@pytest.mark.parametrize(
    "line",
    [
        ["install", "one", "--dry-run", "--json"],
        ["--json", "install", "--timeout=60", "one", "two", "--dry-run"],
        ["install", "--dry-run", "--json", "--version", "1.0", "one", "--reinstall"],
    ],
)
def test_an_ordinary_line_means_the_same_without_the_command_tree(
    hub: Hub, capsys: pytest.CaptureFixture[str], line: list[str]
) -> None:
    def plans(way: Callable[[list[str]], int]) -> list[dict[str, Any]]:
        assert way(line) == 0
        found = json.loads(capsys.readouterr().out)["plans"]
        return [{key: plan[key] for key in ("name", "action", "version")} for plan in found]

    assert read(line, DEFINITIONS) is not None
    assert plans(start.main) == plans(lambda words: hub(*words))
