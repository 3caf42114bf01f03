"""Macro definitions are found through a folder, and nothing outside it is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_hub.errors import Conflict, NotFound
from cli_hub.macros.definitions import Macro, choose, read_definition, read_folder
from tests.support.requirements import require_corpus


def define(folder: Path, name: str, *, file: str = "") -> Path:
    path = folder / (file or f"{name}.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"name: {name}\nversion: '1.0'\ndescription: Does {name}.\nsteps: []\n")
    return path


def macro(harness: str, name: str) -> Macro:
    return Macro(harness, name, "", "1.0", Path(f"/{harness}/{name}.yaml"))


def test_a_folder_without_a_manifest_is_scanned(tmp_path: Path) -> None:
    define(tmp_path, "b")
    define(tmp_path, "a", file="deeper/a.yaml")

    found = read_folder(tmp_path, "demo")

    assert [each.address for each in found.macros] == ["demo/b", "demo/a"]


def test_a_manifest_decides_what_the_folder_offers(tmp_path: Path) -> None:
    define(tmp_path, "listed")
    define(tmp_path, "draft")
    (tmp_path / "manifest.yaml").write_text("macros:\n  - {name: listed, path: listed.yaml}\n")

    assert [each.name for each in read_folder(tmp_path, "demo").macros] == ["listed"]


def test_a_path_that_leaves_the_folder_is_not_read(tmp_path: Path) -> None:
    define(tmp_path, "outside")
    inside = tmp_path / "macros"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (inside / "manifest.yaml").write_text(
        "macros:\n  - path: ../outside.yaml\n  - path: link.yaml\n  - path: missing.yaml\n"
    )

    found = read_folder(inside, "demo")

    assert found.macros == ()
    assert [line.split(": ", 1)[1] for line in found.warnings] == [
        "macros[0]: ../outside.yaml is outside the folder and was not read",
        "macros[1]: link.yaml is outside the folder and was not read",
        "macros[2]: missing.yaml does not exist",
    ]


def test_a_link_that_leaves_a_scanned_folder_is_not_followed(tmp_path: Path) -> None:
    define(tmp_path, "outside")
    inside = tmp_path / "macros"
    inside.mkdir()
    (inside / "link.yaml").symlink_to(tmp_path / "outside.yaml")

    found = read_folder(inside, "demo")

    assert found.macros == ()
    assert "link.yaml leads outside the folder" in found.warnings[0]


def test_one_bad_definition_never_hides_the_others(tmp_path: Path) -> None:
    define(tmp_path, "good")
    (tmp_path / "bad.yaml").write_text("name: [unclosed\n")

    found = read_folder(tmp_path, "demo")

    assert [each.name for each in found.macros] == ["good"]
    assert "bad.yaml: line 2, column 1" in found.warnings[0]


def test_two_definitions_of_one_name_are_both_named_and_neither_wins(tmp_path: Path) -> None:
    define(tmp_path, "twice", file="1.yaml")
    define(tmp_path, "twice", file="2.yaml")

    found = read_folder(tmp_path, "demo")

    with pytest.raises(Conflict) as caught:
        choose("demo/twice", found.macros)
    for said in (found.warnings[0], caught.value.message):
        assert "1.yaml" in said
        assert "2.yaml" in said


@pytest.mark.parametrize(
    ("text", "lacking"), [("steps: []\n", "name"), ("name: compose\nservices: {}\n", "steps")]
)
def test_yaml_that_is_no_macro_is_told_and_hides_nothing(
    tmp_path: Path, text: str, lacking: str
) -> None:
    (tmp_path / "other.yml").write_text(text)
    define(tmp_path, "good", file="good.yml")

    found = read_folder(tmp_path, "project")

    assert [each.name for each in found.macros] == ["good"]
    assert found.warnings == (f"{tmp_path / 'other.yml'}: is not a macro: it has no {lacking}",)


def test_a_file_cannot_take_the_address_of_another_macro(tmp_path: Path) -> None:
    define(tmp_path, "ffmpeg/title_clip", file="poisoned.yaml")

    found = read_folder(tmp_path, "project")

    assert found.macros == ()
    assert "'ffmpeg/title_clip' cannot name a macro" in found.warnings[0]


def test_a_bare_name_works_while_only_one_macro_has_it() -> None:
    macros = [macro("ffmpeg", "title_clip"), macro("blender", "turntable")]

    assert choose("title_clip", macros).harness == "ffmpeg"
    with pytest.raises(Conflict, match="2 macros are called") as caught:
        choose("title_clip", [*macros, macro("shotcut", "title_clip")])
    assert "shotcut/title_clip" in caught.value.hint
    assert "/ffmpeg/title_clip.yaml and /shotcut/title_clip.yaml" in caught.value.message


def test_a_mistyped_name_gets_the_nearest_ones() -> None:
    with pytest.raises(NotFound) as caught:
        choose("titel_clip", [macro("ffmpeg", "title_clip")])

    assert "title_clip" in caught.value.hint


def test_every_published_macro_can_be_shown() -> None:
    paths = sorted(require_corpus().glob("macros/*.yaml"))

    shown = [read_definition(path, "macrocli") for path in paths if path.name != "manifest.yaml"]

    assert len(shown) == 7
    assert all(macro.description for macro in shown)
