"""Search understands how people ask, and says nothing rather than noise."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cli_hub.config import Settings
from cli_hub.paths import Paths
from cli_hub.registry import index as indexing
from cli_hub.registry.index import Index, open_index
from cli_hub.registry.matching import SMALL, Filters
from cli_hub.registry.resolve import resolve
from cli_hub.registry.search import everything, search
from tests.support.disks import fill, small_disk
from tests.support.registries import entry, lacking, registry_file, registry_text

IndexOf = Callable[..., Index]
PROVEN = {"version": "1", "on": "2026-11-30", "entry_point": True}


def found(index: Index, query: str, **more: object) -> list[str]:
    return [hit.name for hit in search(index, query, **more)]  # type: ignore[arg-type]


@pytest.fixture
def studio(tmp_path: Path, index_of: IndexOf) -> Index:
    return index_of(
        registry_file(
            tmp_path,
            entry("shotcut", category="video", description="Video editing and rendering via melt"),
            entry("inkscape", category="image", description="SVG graphics drawn and exported"),
            entry("freecad", category="3d", description="Parametric modelling of solid parts"),
            entry("musescore", category="music", description="Sheets of music, parts and MIDI"),
            entry("subber", category="video", description="Transcribe speech, burn in subtitles"),
            entry("obs-studio", category="streaming", description="Scenes for live shows"),
        )
    )


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("video editing", "shotcut"),
        ("edit video", "shotcut"),
        ("I want to edit a video please", "shotcut"),
        ("video editor", "shotcut"),
        ("rendered videos", "shotcut"),
        ("vector graphics", "inkscape"),
        ("cad", "freecad"),
        ("transcription", "subber"),
        ("transcri", "subber"),
        ("speech to text", "subber"),
        ("muse score", "musescore"),
        ("MuseScore", "musescore"),
        ("muse-score", "musescore"),
        ("musecsore", "musescore"),
        ("obsstudio", "obs-studio"),
        ("obs studio", "obs-studio"),
        ("inkscap", "inkscape"),
        ("inscape", "inkscape"),
        ("inkscpae", "inkscape"),
        ("inkscapee", "inkscape"),
    ],
)
def test_people_find_what_they_mean(query: str, first: str, studio: Index) -> None:
    assert found(studio, query)[:1] == [first]


@pytest.mark.parametrize(
    "query",
    [
        "banana bread recipe",
        "quantum chromodynamics lattice",
        "xyzzy",
        "the",
        "",
        "  ",
        '"*',
        "NOT",
    ],
)
def test_what_nothing_answers_finds_nothing(query: str, studio: Index) -> None:
    assert found(studio, query) == []


@pytest.mark.parametrize(
    "query", ['"', "a OR b", "video*", "NEAR(x)", "col:video", "(", "\x00", "'"]
)
def test_no_query_is_taken_for_the_language_of_the_index(query: str, studio: Index) -> None:
    search(studio, query)


def test_a_hit_says_what_it_met_and_how_well(studio: Index) -> None:
    best = search(studio, "edit video")[0]

    assert 0 < best.score <= 1
    assert "word" in best.matched["edit"]
    assert search(studio, "shotcut")[0].score > best.score


def test_a_synonym_says_that_it_is_one(studio: Index) -> None:
    assert "synonym" in " ".join(search(studio, "vector graphics")[0].matched.values())


def test_verified_stand_before_others_that_answer_as_well(
    tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("aaa", description="Fold paper"),
            entry("zzz", description="Fold paper", verified=PROVEN),
            entry("mmm", description="Fold paper", verified={"reason": "does not start"}),
        )
    )

    assert found(index, "fold paper") == ["zzz", "aaa", "mmm"]


def test_filters_leave_only_what_fits(tmp_path: Path, index_of: IndexOf) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("a", description="Fold paper", category="office", package_manager="npm"),
            lacking(entry("b", description="Fold paper", category="Design"), "install_cmd"),
        )
    )

    assert found(index, "paper", filters=Filters(category="design")) == ["b"]
    assert found(index, "paper", filters=Filters(kind="public")) == ["a"]
    assert found(index, "paper", filters=Filters(installable=True)) == ["a"]
    assert found(index, "paper", limit=1) == ["a"]
    assert [hit.reason for hit in search(index, "paper")] == [
        "",
        "the entry does not say how it is installed",
    ]


def test_a_name_of_two_sources_is_found_once(tmp_path: Path, index_of: IndexOf) -> None:
    ours = registry_file(tmp_path, entry("tool", version="2"), name="ours.json")
    theirs = registry_file(tmp_path, entry("tool", version="1"), name="theirs.json")

    index = index_of(ours, theirs)

    assert [hit.source for hit in search(index, "tool")] == ["ours"]
    assert [hit.source for hit in everything(index)] == ["ours"]
    assert [hit.source for hit in search(index, "tool", filters=Filters(source="theirs"))] == [
        "theirs"
    ]


def test_an_index_is_built_once_and_found_again(tmp_path: Path, paths: Paths) -> None:
    file = registry_file(tmp_path, entry("good"), lacking(entry("bad"), "description"))
    settings = Settings(registries=(str(file),))
    first = open_index(paths, settings)
    [built] = (paths.cache / "index").glob("*.sqlite3")
    before = built.stat().st_ino

    again = open_index(paths, settings)

    assert built.stat().st_ino == before
    assert again.warnings == first.warnings
    assert "bad: description" in again.warnings[0]


def test_an_index_follows_its_registry_even_within_one_tick_of_the_clock(
    tmp_path: Path, index_of: IndexOf
) -> None:
    import os

    file = registry_file(tmp_path, entry("aaa"))
    index_of(file)
    stamp = file.stat()
    file.write_text(registry_text(entry("bbb")), encoding="utf-8")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert file.stat().st_size == stamp.st_size

    assert [hit.name for hit in everything(index_of(file))] == ["bbb"]


def test_an_index_is_built_again_when_words_are_understood_otherwise(
    tmp_path: Path, paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(registries=(str(registry_file(tmp_path, entry("a"))),))
    open_index(paths, settings)
    newer = tmp_path / "stemming.py"
    newer.write_text("# the same name and another content\n")
    monkeypatch.setattr(indexing, "RULES", (*indexing.RULES[:-1], newer))
    open_index(paths, settings)

    assert len(list((paths.cache / "index").glob("*.sqlite3"))) == 2


def test_an_index_of_other_files_is_not_taken_for_one_of_the_same_mark(
    tmp_path: Path, index_of: IndexOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "_mark", lambda _origin: "the-same")
    one = registry_file(tmp_path, entry("one"), name="one.json")
    two = registry_file(tmp_path, entry("two"), name="two.json")

    names = [hit.name for file in (one, two, one) for hit in everything(index_of(file))]

    assert names == ["one", "two", "one"]


def test_a_damaged_index_is_built_again(tmp_path: Path, paths: Paths, index_of: IndexOf) -> None:
    file = registry_file(tmp_path, entry("good"))
    index_of(file)
    [built] = (paths.cache / "index").glob("*.sqlite3")
    built.write_bytes(b"not a database at all" * 100)

    assert found(index_of(file), "good") == ["good"]


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    file = registry_file(tmp_path, entry("good"))
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where the cache should be", encoding="utf-8")

    index = open_index(Paths(blocked), Settings(registries=(str(file),)))

    assert found(index, "good") == ["good"]


@pytest.mark.parametrize("written", [True, False])
def test_many_threads_look_up_names_at_once(written: bool, tmp_path: Path, paths: Paths) -> None:
    entries = [entry(f"tool-{number}", aliases=[f"t{number}"]) for number in range(200)]
    settings = Settings(registries=(str(registry_file(tmp_path, *entries)),))
    if not written:
        paths.cache.parent.mkdir(parents=True, exist_ok=True)
        paths.cache.write_text("a file where the cache should be", encoding="utf-8")
    index = open_index(paths, settings)

    with ThreadPoolExecutor(16) as pool:
        names = list(pool.map(lambda number: resolve(f"T{number}", index).name, range(200)))

    assert names == [f"tool-{number}" for number in range(200)]


def test_a_disk_without_room_for_the_index_is_no_obstacle(tmp_path: Path) -> None:
    """Nor is one that is full from the beginning; nothing stays behind on it."""
    many = [entry(f"tool{number}", description="fold paper " * 40) for number in range(3000)]
    file = registry_file(tmp_path, *many, entry("good"))
    settings = Settings(registries=(str(file),))

    with small_disk(tmp_path / "disk", megabytes=1) as disk:
        assert found(open_index(Paths(disk), settings), "good") == ["good"]
        assert not list(disk.rglob("*.sqlite3")) + list(disk.rglob(".index-*"))
        fill(disk)
        assert found(open_index(Paths(disk), settings), "good") == ["good"]


def test_what_a_description_says_first_counts_more_than_what_it_ends_with(
    tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("a", description="Paint on layers with brushes and pens, and print labels"),
            entry("b", description="Print labels from lists of goods, and see them on a page"),
        )
    )

    assert found(index, "labels") == ["b", "a"]


def test_a_word_that_means_a_whole_term_stands_for_all_its_words(
    tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(registry_file(tmp_path, entry("pad", description="Notes in files, for teams")))
    part, whole = search(index, "note")[0], search(index, "note taking")[0]

    assert whole.score > 0.9 * part.score


def test_of_two_terms_that_share_a_word_the_later_is_meant(
    tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("cutter", description="Cut things out", capabilities=["image.edit"]),
            entry("cleaner", description="Clean recordings", capabilities=["audio.effects"]),
        )
    )

    assert found(index, "remove background")[0] == "cutter"
    assert found(index, "remove background noise") == ["cleaner"]


def test_an_entry_that_is_named_in_a_sentence_is_found(tmp_path: Path, index_of: IndexOf) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("zoom", description="Meetings of many people, and who may come"),
            entry("other", description="Calendars and appointments"),
        )
    )

    assert found(index, "schedule a zoom call for monday morning") == ["zoom"]


def test_one_word_of_an_entry_is_not_taken_for_two_of_the_query(
    tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("lens", description="Record what happens on a desk"),
            entry("tape", description="Audio of concerts and talks, cut and mixed"),
        )
    )

    assert found(index, "record podcast")[0] == "tape"


@pytest.mark.parametrize(
    ("asked", "other"),
    [("accounting", "accounts"), ("news", "new"), ("engineering", "engine"),
     ("important", "import"), ("booking", "books"), ("customers", "custom"), ("letters", "let")],
)  # fmt: skip
def test_words_of_different_meaning_with_one_stem_stay_apart(
    asked: str, other: str, tmp_path: Path, index_of: IndexOf
) -> None:
    index = index_of(
        registry_file(
            tmp_path,
            entry("one", description=f"Desk for {asked} of all kinds"),
            entry("two", description=f"Desk for {other} of all kinds"),
        )
    )

    assert found(index, asked) == ["one"]


def test_in_a_large_registry_the_best_stand_first_wherever_they_are(
    tmp_path: Path, index_of: IndexOf
) -> None:
    many = [entry(f"e{n}", description="Render video", install_cmd=None) for n in range(SMALL)]
    index = index_of(
        registry_file(
            tmp_path,
            *many,
            entry("proven", description="Render video", verified=PROVEN),
            entry("video-press", description="Render frames", install_cmd=None),
            entry("frame", description="Caption a film", install_cmd=None),
        )
    )

    assert found(index, "video")[:2] == ["video-press", "proven"]
    assert found(index, "render video")[:2] == ["video-press", "proven"]
    assert found(index, "caption video")[0] == "frame"  # none has both, and captions are rare
    assert len(search(index, "video")) == 20
