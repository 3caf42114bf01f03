"""What the sources hold: a broken entry, file or source never hides the others."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli_hub.config import Settings
from cli_hub.errors import BadDocument, HubError, NotFound
from cli_hub.paths import Paths
from cli_hub.registry import open_catalogue
from cli_hub.registry.catalogue import Catalogue
from cli_hub.registry.resolve import others, resolve
from tests.support.registries import entry, lacking, registry_file, registry_text
from tests.support.requirements import require_corpus

CatalogueOf = Callable[..., Catalogue]


def names(catalogue: Catalogue) -> list[str]:
    return [found.name for found in catalogue.entries]


def test_the_embedded_registries_are_read_without_a_complaint(paths: Paths) -> None:
    catalogue = open_catalogue(paths, Settings())

    assert catalogue.warnings == ()
    assert {"ffmpeg", "macrocli"} <= set(names(catalogue))
    assert {found.source for found in catalogue.entries} == {"embedded"}
    assert not paths.home.exists()


def test_every_published_registry_is_read_whole(catalogue_of: CatalogueOf) -> None:
    catalogue = catalogue_of(*sorted((require_corpus() / "registry").glob("*.json")))

    assert len(catalogue.entries) == 72
    assert catalogue.warnings == ()


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        (lacking(entry("bad"), "description"), "bad: description: is missing"),
        (lacking(entry("bad"), "name"), "clis[1]: name: is missing"),
        (entry("bad", description=None), "bad: description: must be text, not null"),
        (entry("bad", category=None), "bad: category: must be text, not null"),
        (entry("good"), "good: name: is there twice"),
        (42, "clis[1]: entry: must be an object, not a number"),
    ],
)
def test_a_broken_entry_never_hides_the_others(
    bad: Any, told: str, tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("good"), bad, entry("last"))

    catalogue = catalogue_of(file)

    assert names(catalogue) == ["good", "last"]
    [warning] = catalogue.warnings
    assert warning.startswith(f"{file}:")
    assert told in warning


def test_a_cut_off_file_is_answered_for_by_its_last_good_copy(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("good"), entry("other"))
    catalogue_of(file)
    file.write_text(file.read_text(encoding="utf-8")[:-3], encoding="utf-8")

    catalogue = catalogue_of(file)

    assert names(catalogue) == ["good", "other"]
    [warning] = catalogue.warnings
    assert "the file is cut off" in warning
    assert "answering from the copy of" in warning


def test_a_vanished_file_is_answered_for_by_its_last_good_copy(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("good"))
    catalogue_of(file)
    file.unlink()

    catalogue = catalogue_of(file)

    assert names(catalogue) == ["good"]
    assert "there is no such file" in catalogue.warnings[0]


def test_a_broken_file_without_a_copy_is_an_error_that_names_the_source(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = tmp_path / "corp.json"
    file.write_text('{"clis": [', encoding="utf-8")

    with pytest.raises(BadDocument, match=r"source corp .*cut off"):
        catalogue_of(file)


def test_a_missing_file_is_an_error_and_no_other_source_answers(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    other = registry_file(tmp_path, entry("good"))

    with pytest.raises(NotFound, match="source absent"):
        catalogue_of(tmp_path / "absent.json", other)


@pytest.mark.parametrize("damage", [b"[]", b'{"_cached_at": "2026-01-01"}', b"\xef\xbb\xbf{}", b""])
def test_a_damaged_cache_is_set_aside_and_made_anew(
    damage: bytes, tmp_path: Path, paths: Paths, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("good"))
    catalogue_of(file)
    for kept in (paths.cache / "registry").glob("*/*.json"):
        kept.write_bytes(damage)

    assert names(catalogue_of(file)) == ["good"]


def test_the_first_of_the_named_registries_has_the_highest_priority(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    ours = registry_file(tmp_path, entry("tool", version="2"), name="ours.json")
    theirs = registry_file(tmp_path, entry("tool", version="1"), entry("more"), name="theirs.json")

    catalogue = catalogue_of(ours, theirs)

    assert resolve("tool", catalogue).address == "ours/tool"
    assert resolve("theirs/tool", catalogue).version == "1"
    assert [other.address for other in others(resolve("tool", catalogue), catalogue)] == [
        "theirs/tool"
    ]


def test_registries_of_one_file_name_stay_apart(tmp_path: Path, catalogue_of: CatalogueOf) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    one = registry_file(tmp_path / "a", entry("tool"))
    two = registry_file(tmp_path / "b", entry("tool"))

    catalogue = catalogue_of(one, two.as_uri())

    assert [found.address for found in catalogue.entries] == ["registry/tool", "registry-2/tool"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("muse-score", "muse-score"),
        ("MUSE-SCORE", "muse-score"),
        ("mscore", "muse-score"),
        ("old-name", "newer"),
        ("ancient", "newer"),
    ],
)
def test_aliases_case_and_renames_lead_to_the_entry(
    typed: str, meant: str, tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(
        tmp_path,
        entry("muse-score", aliases=["mscore"]),
        entry("ancient", renamed_to="old-name"),
        entry("old-name", renamed_to="newer"),
        entry("newer"),
    )

    assert resolve(typed, catalogue_of(file)).name == meant


def test_a_circle_of_renames_ends(tmp_path: Path, catalogue_of: CatalogueOf) -> None:
    file = registry_file(tmp_path, entry("a", renamed_to="b"), entry("b", renamed_to="a"))

    assert resolve("a", catalogue_of(file)).name == "b"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("blendr", "blender"),
        ("bledner", "blender"),
        ("lender", "blender"),
        ("obs", "obs-studio"),
        ("obsstudio", "obs-studio"),
        ("gmip", "gimp"),
    ],
)
def test_an_unknown_name_is_answered_with_the_nearest(
    typed: str, meant: str, tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("blender"), entry("obs-studio"), entry("gimp"))

    with pytest.raises(NotFound) as caught:
        resolve(typed, catalogue_of(file))

    assert caught.value.details["nearest"][0] == meant
    assert meant in caught.value.hint


def test_a_name_like_no_other_is_not_guessed_at(tmp_path: Path, catalogue_of: CatalogueOf) -> None:
    file = registry_file(tmp_path, entry("blender"), entry("gimp"))

    with pytest.raises(NotFound) as caught:
        resolve("zzzzqqq", catalogue_of(file))

    assert caught.value.details["nearest"] == []
    assert "cli-hub search" in caught.value.hint


def test_an_unknown_source_is_named_with_those_that_exist(
    tmp_path: Path, catalogue_of: CatalogueOf
) -> None:
    file = registry_file(tmp_path, entry("tool"), name="corp.json")

    with pytest.raises(NotFound, match="no source 'crop'") as caught:
        resolve("crop/tool", catalogue_of(file))

    assert "corp" in caught.value.hint


def test_a_scheme_that_is_no_place_for_a_registry_is_refused(catalogue_of: CatalogueOf) -> None:
    with pytest.raises(HubError, match="no place for a registry"):
        catalogue_of("ftp://example.org/r.json")


def test_the_digest_follows_the_content(tmp_path: Path, catalogue_of: CatalogueOf) -> None:
    file = registry_file(tmp_path, entry("a"))
    before = catalogue_of(file).digest

    file.write_text(registry_text(entry("a"), entry("b")), encoding="utf-8")

    assert catalogue_of(file).digest != before
    assert json.loads(file.read_text(encoding="utf-8"))["clis"][1]["name"] == "b"
