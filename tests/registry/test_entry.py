"""Entries are parsed once, at the door, and say which field is wrong."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.registry.entry import Entry
from cli_hub.registry.fields import BadField
from cli_hub.registry.vocabulary import CATEGORIES, STRATEGIES, Kind, NeedKind, Platform
from cli_hub.strategies import Uninstallable
from tests.support.registries import entry, lacking
from tests.support.requirements import require_corpus

SCHEMA = jsonschema.Draft202012Validator(schemas.load("entry"))


@pytest.mark.parametrize(
    ("record", "where"),
    [
        (lacking(entry("a"), "name"), "name"),
        (lacking(entry("a"), "description"), "description"),
        (entry("a", description=None), "description"),
        (entry("a", description=" "), "description"),
        (entry("a", category=None), "category"),
        (entry("../a"), "name"),
        (entry("a/b"), "name"),
        (entry("a..b"), "name"),
        (entry(".hidden"), "name"),
        (entry("a\u202eb"), "name"),
        (entry("a\n"), "name"),
        (entry("a", version=1), "version"),
        (entry("a", install=[]), "install"),
        (entry("a", install={"strategy": "magic"}), "install.strategy"),
        (entry("a", needs={}), "needs"),
        (entry("a", needs=[{"kind": "binary"}]), "needs[0].name"),
        (entry("a", needs=[{"kind": "rocket", "name": "x"}]), "needs[0].kind"),
        (entry("a", needs=[{"kind": "binary", "name": "x", "probe": "x -v"}]), "needs[0].probe"),
        (entry("a", needs=[{"kind": "env", "name": "X", "hints": {"a": 1}}]), "needs[0].hints.a"),
        (entry("a", capabilities=["x", 1]), "capabilities[1]"),
        (entry("a", platforms=["beos"]), "platforms"),
        (entry("a", entry_point="../bin/sh"), "entry_point"),
        (entry("a", entry_point="/bin/sh"), "entry_point"),
        (entry("a", entry_point="-x"), "entry_point"),
        (entry("a", entry_point='say "hi'), "entry_point"),
        (entry("a", previews={"recipes": "quick"}), "previews.recipes"),
        (entry("a", verified={"seconds": "fast"}), "verified.seconds"),
        (entry("a", kind="other"), "kind"),
        ([], "entry"),
        ("text", "entry"),
    ],
)
def test_a_wrong_field_is_named(record: Any, where: str) -> None:
    with pytest.raises(BadField) as caught:
        Entry.parse(record)

    assert caught.value.where == where


@pytest.mark.parametrize(
    "record",
    [
        lacking(entry("a"), "description"),
        entry("a", category=None),
        entry("a/b"),
        entry("a..b"),
        entry("a", install={"strategy": "magic"}),
        entry("a", needs=[{"kind": "rocket", "name": "x"}]),
        entry("a", platforms=["beos"]),
        entry("a", entry_point="../bin/sh"),
        entry("a", entry_point=["/bin/sh"]),
    ],
)
def test_the_schema_sees_it_too(record: Any) -> None:
    assert list(SCHEMA.iter_errors(record))


def test_every_structured_field_is_read() -> None:
    record = entry(
        "blend",
        install={"strategy": "uv", "package": "blend", "version": ">=1"},
        needs=[
            {
                "kind": "binary",
                "name": "blender",
                "version": ">=3.4",
                "probe": ["blender", "--version"],
                "any_of": ["blender-lts"],
                "hints": {"apt": "blender"},
            },
            {"kind": "service", "url": "http://localhost:8188"},
        ],
        capabilities=["3d.render"],
        platforms=["linux"],
        previews={"recipes": ["quick"]},
        macros=True,
        verified={"version": "1.2", "on": "2026-11-30", "entry_point": True, "seconds": 2.5},
        aliases=["blnd"],
        shoe_size=42,
    )
    jsonschema.validate(record, schemas.load("entry"))

    parsed = Entry.parse(record, source="corp", kind=Kind.PUBLIC)

    assert parsed.address == "corp/blend"
    assert parsed.kind is Kind.PUBLIC
    assert parsed.needs[0].programs == ("blender", "blender-lts")
    assert (parsed.needs[1].kind, parsed.needs[1].name) == (
        NeedKind.SERVICE,
        "http://localhost:8188",
    )
    assert parsed.platforms == (Platform.LINUX,)
    assert parsed.recipes == ("quick",)
    assert parsed.macros
    assert parsed.verified is not None
    assert parsed.verified.seconds == 2.5
    assert parsed.extra == {"shoe_size": 42}
    assert parsed.raw is record


def test_an_entry_point_may_be_two_words_or_an_argv() -> None:
    assert Entry.parse(entry("a", entry_point="bun 'cli tool.mjs'")).entry_point == (
        "bun",
        "cli tool.mjs",
    )
    assert Entry.parse(entry("a", entry_point=["bun", "cli.mjs"])).entry_point == ("bun", "cli.mjs")


def test_the_own_kind_wins_over_that_of_the_registry() -> None:
    assert Entry.parse(entry("a")).kind is Kind.HARNESS
    assert Entry.parse(entry("a", package_manager="npm")).kind is Kind.PUBLIC
    assert Entry.parse(entry("a", package_manager="npm"), kind=Kind.HARNESS).kind is Kind.HARNESS
    assert Entry.parse(entry("a", kind="public"), kind=Kind.HARNESS).kind is Kind.PUBLIC


def test_an_entry_says_why_it_cannot_be_installed() -> None:
    install = Entry.parse(lacking(entry("a"), "install_cmd")).install

    assert isinstance(install, Uninstallable)
    assert "how it is installed" in install.reason


def test_the_schema_knows_the_same_words_as_the_parser() -> None:
    properties = schemas.load("entry")["properties"]

    assert properties["install"]["anyOf"][1]["properties"]["strategy"]["enum"] == list(STRATEGIES)
    assert properties["platforms"]["items"]["enum"] == list(Platform)
    assert properties["needs"]["items"]["properties"]["kind"]["enum"] == list(NeedKind)
    assert [kind for kind in properties["kind"]["enum"] if kind] == list(Kind)


def test_all_published_entries_load_and_fit_the_schema() -> None:
    known = 0
    for file in sorted((require_corpus() / "registry").glob("*.json")):
        for record in json.loads(file.read_text(encoding="utf-8"))["clis"]:
            known += 1
            assert Entry.parse(record).category in CATEGORIES
            assert list(SCHEMA.iter_errors(record)) == []
    assert known == 72
