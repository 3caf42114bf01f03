"""A project file loses no edit, whoever writes it and whenever it is interrupted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import filelock
import pytest

from cli_anything.kit.errors import BadProject, Conflict, Locked, NotFound
from cli_anything.kit.project import JOURNAL_LIMIT, ProjectStore

FORMAT = "demo-project"


@pytest.fixture
def store(tmp_path: Path) -> ProjectStore:
    made = ProjectStore(tmp_path / "demo.json", format=FORMAT, lock_seconds=0.2)
    made.create({"clips": []}, "project new")
    return made


def add(store: ProjectStore, clip: str) -> None:
    with store.change(f"clip add {clip}") as state:
        state["clips"].append(clip)


def clips(store: ProjectStore) -> list[str]:
    return list(store.load().state["clips"])


def test_changes_are_saved_undone_and_done_again(store: ProjectStore) -> None:
    add(store, "a")
    add(store, "b")

    undone = store.undo()
    assert (undone.command, clips(store)) == ("clip add b", ["a"])
    store.undo()
    assert clips(store) == []
    store.redo()
    assert store.redo().command == "clip add b"
    assert clips(store) == ["a", "b"]


def test_a_new_change_forgets_what_had_been_undone(store: ProjectStore) -> None:
    add(store, "a")
    store.undo()
    add(store, "b")

    assert clips(store) == ["b"]
    with pytest.raises(Conflict, match="nothing to redo"):
        store.redo()


def test_history_says_what_was_done_and_what_is_undone(store: ProjectStore) -> None:
    add(store, "a")
    add(store, "b")
    store.undo()

    assert [(entry.index, entry.command, entry.undone) for entry in store.history()] == [
        (1, "clip add a", False),
        (2, "clip add b", True),
    ]


def test_the_journal_is_bounded_and_keeps_its_numbers(store: ProjectStore) -> None:
    for number in range(JOURNAL_LIMIT + 3):
        add(store, str(number))

    entries = store.history()
    assert len(entries) == JOURNAL_LIMIT
    assert entries[0].index == 4
    assert store.load().undo_depth == JOURNAL_LIMIT


def test_a_failed_change_leaves_the_file_as_it_was(store: ProjectStore) -> None:
    before = store.path.read_bytes()

    with pytest.raises(ZeroDivisionError), store.change("break") as state:
        state["clips"].append("half")
        _ = 1 / 0

    assert store.path.read_bytes() == before
    assert list(store.path.parent.glob(".demo.json.?*[!k]")) == []


def test_many_processes_at_once_lose_no_edit(store: ProjectStore) -> None:
    code = (
        "import sys; from pathlib import Path; from cli_anything.kit.project import ProjectStore\n"
        f"store = ProjectStore(Path({str(store.path)!r}), format={FORMAT!r})\n"
        "for n in range(5):\n"
        "    with store.change('add') as state: state['clips'].append(f'{sys.argv[1]}-{n}')\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(n)]) for n in range(8)]

    assert [writer.wait(60) for writer in writers] == [0] * 8
    assert len(set(clips(store))) == 40


def test_a_held_lock_is_waited_for_and_then_named(store: ProjectStore) -> None:
    with (
        filelock.FileLock(store.path.with_name(".demo.json.lock")),
        pytest.raises(Locked, match="another process"),
    ):
        add(store, "a")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "is damaged"),
        ("[]", "is not a demo-project file"),
        ('{"format": "other"}', "is not a demo-project file"),
        ('{"format": "demo-project", "format_version": 9}', "has format version 9"),
        ('{"format": "demo-project", "format_version": 1}', "lacks or breaks a field"),
    ],
)
def test_a_file_that_cannot_be_read_is_left_alone(
    store: ProjectStore, content: str, problem: str
) -> None:
    store.path.write_text(content)

    with pytest.raises(BadProject, match=problem):
        add(store, "a")
    assert store.path.read_text() == content


def test_an_existing_project_is_not_overwritten_unasked(store: ProjectStore) -> None:
    add(store, "a")

    with pytest.raises(Conflict, match="already exists"):
        store.create({"clips": []}, "project new")
    store.create({"clips": []}, "project new", overwrite=True)
    assert clips(store) == []


def test_a_missing_project_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        ProjectStore(tmp_path / "none.json", format=FORMAT).load()

    assert "project new" in caught.value.hint


def test_the_state_stays_readable_in_the_file(store: ProjectStore) -> None:
    add(store, "Grüße")

    assert json.loads(store.path.read_text(encoding="utf-8"))["state"] == {"clips": ["Grüße"]}
    assert "Grüße" in store.path.read_text(encoding="utf-8")
