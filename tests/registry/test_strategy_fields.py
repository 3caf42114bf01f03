"""The published form of ``install`` and the code that reads it know the same fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from cli_hub import schemas
from cli_hub.registry.canonical import in_order
from cli_hub.registry.canonical import text as canonical_text
from cli_hub.strategies import Uninstallable, parse_install

DIGEST = "a" * 64
WHOLE: dict[str, dict[str, Any]] = {
    "pip": {
        "package": "a", "version": ">=1", "extras": ["x"], "index": "https://pip.example.com/simple",
        "also": ["b"], "prerelease": True,
    },
    "uv": {"package": "a", "url": "git+https://git.example.com/a@v1", "sha256": DIGEST},
    "npm": {"package": "a", "version": "1.2.3", "scripts": True},
    "brew": {"package": "a", "cask": True},
    "script": {
        "url": "https://example.com/get.sh", "interpreter": "bash", "arguments": ["--quiet"],
        "sha256": DIGEST, "undo": [["rm", "a"]],
    },
    "command": {"steps": [["make", "a"]], "undo": [["make", "gone"]]},
    "bundled": {"detect": "a", "notes": "Comes with A."},
}  # fmt: skip


def published_fields() -> set[str]:
    install = schemas.load("entry")["properties"]["install"]["anyOf"][1]
    return set(install["properties"])


class Watched(Mapping[str, Any]):
    """A record that remembers which of its fields were asked for."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self._record = record
        self.asked: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return self._record[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._record)

    def __len__(self) -> int:
        return len(self._record)


def read(strategy: str, **fields: Any) -> Watched:
    watched = Watched({"strategy": strategy, **fields})
    assert not isinstance(parse_install({"name": "a", "install": watched}), Uninstallable)
    return watched


def test_every_field_that_is_read_is_published_and_the_other_way_round() -> None:
    asked: set[str] = set()
    for strategy, fields in WHOLE.items():
        asked |= read(strategy, **fields).asked

    assert asked == published_fields()


@pytest.mark.parametrize("strategy", sorted(WHOLE))
def test_what_is_read_is_written_again_as_it_was(strategy: str) -> None:
    raw = {"strategy": strategy, **WHOLE[strategy]}

    parsed = parse_install({"name": "a", "install": raw})

    assert not isinstance(parsed, Uninstallable)
    assert parsed.as_document() == raw


def test_the_canonical_form_has_a_place_for_every_field() -> None:
    everything = dict.fromkeys(sorted(published_fields()), "x")
    unknown = {"zzz": 1, **everything}

    text = canonical_text({"clis": [{"name": "a", "install": unknown}]})

    assert text.index('"zzz"') > max(text.index(f'"{field}"') for field in everything)
    assert in_order({"b": 1, "a": 2}, ("a",)) == {"a": 2, "b": 1}
