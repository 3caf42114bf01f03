"""What the registries that come with the hub promise about themselves."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli_hub.registry.entry import Entry
from cli_hub.registry.vocabulary import STRATEGIES, capabilities
from cli_hub.strategies import Uninstallable
from tests.support.requirements import require_corpus

ROOT = Path(__file__).resolve().parents[2]
FILES = ("registry.json", "public_registry.json")


def records(*files: Path) -> list[dict[str, Any]]:
    return [
        record for file in files for record in json.loads(file.read_text(encoding="utf-8"))["clis"]
    ]


@pytest.fixture(scope="module")
def catalogue() -> list[dict[str, Any]]:
    return records(*(ROOT / name for name in FILES))


def test_it_is_broad_in_categories_and_strategies(catalogue: list[dict[str, Any]]) -> None:
    strategies = Counter(record["install"]["strategy"] for record in catalogue)

    assert len(catalogue) >= 100
    assert len({record["category"] for record in catalogue}) >= 34
    assert all(strategies[strategy] >= 3 for strategy in STRATEGIES), strategies


def test_no_name_or_alias_is_taken_twice(catalogue: list[dict[str, Any]]) -> None:
    taken = Counter(
        name.casefold()
        for record in catalogue
        for name in (record["name"], *record.get("aliases", ()))
    )

    assert [name for name, times in taken.items() if times > 1] == []


def test_every_entry_says_in_fields_how_it_installs_and_what_it_needs(
    catalogue: list[dict[str, Any]],
) -> None:
    for record in catalogue:
        install = Entry.parse(record).install

        assert not isinstance(install, Uninstallable), (record["name"], install)
        assert install.as_document() == record["install"], record["name"]
        assert isinstance(record["needs"], list), record["name"]
        assert record["capabilities"], record["name"]


def test_every_entry_is_proven_or_says_why_not(catalogue: list[dict[str, Any]]) -> None:
    proven = [record for record in catalogue if record["verified"]["entry_point"]]

    assert len(proven) >= 70
    assert all(record["verified"]["version"] for record in proven)
    assert all(record["verified"]["reason"] for record in catalogue if record not in proven)


def test_every_capability_is_in_the_vocabulary(catalogue: list[dict[str, Any]]) -> None:
    text = (ROOT / "docs" / "capabilities.md").read_text(encoding="utf-8")
    words = re.findall(r"^\| `([a-z0-9]+\.[a-z0-9]+)` \|", text, re.MULTILINE)
    used = {word for record in catalogue for word in record["capabilities"]}

    assert len(words) == len(set(words))
    assert set(words) == capabilities()
    assert used - set(words) == set()


def test_manifests_of_the_harnesses_here_claim_what_their_entries_claim(
    catalogue: list[dict[str, Any]],
) -> None:
    listed = {record["name"]: record["capabilities"] for record in catalogue}
    manifests = [
        tomllib.loads(file.read_text(encoding="utf-8"))["harness"]
        for file in (ROOT / "harnesses").glob("*/cli_anything/*/harness.toml")
    ]

    assert manifests
    for manifest in manifests:
        assert set(manifest["capabilities"]) == set(listed[manifest["name"]]), manifest["name"]


def test_git_addresses_are_pinned_to_a_commit_or_a_tag(catalogue: list[dict[str, Any]]) -> None:
    addresses = [
        record["install"]["url"] for record in catalogue if "git+" in str(record["install"])
    ]

    assert addresses
    assert [url for url in addresses if not re.search(r"\.git@[0-9a-f]{40}(#|$)", url)] == []


def test_the_page_about_it_is_current() -> None:
    check = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "catalogue_page.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )

    assert check.returncode == 0, check.stdout + check.stderr


def test_it_covers_every_application_of_the_published_registries(
    catalogue: list[dict[str, Any]],
) -> None:
    published = records(*(require_corpus() / "registry").glob("*.json"))

    assert {record["name"] for record in published} <= {record["name"] for record in catalogue}
