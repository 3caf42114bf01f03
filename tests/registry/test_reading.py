"""Registry files are read record by record, wherever their blocks happen to end."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_hub.errors import BadDocument
from cli_hub.registry.reading import RegistryReader

TEXT = st.text(st.characters(codec="utf-8"))
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)


class Dribble(io.RawIOBase):
    """A stream that gives a few bytes at a time."""

    def __init__(self, content: bytes, size: int) -> None:
        super().__init__()
        self._content, self._size = io.BytesIO(content), size

    def read(self, _size: int = -1) -> bytes:
        return self._content.read(self._size)


def read(content: bytes, size: int = 1 << 20) -> tuple[list[Any], RegistryReader]:
    reader = RegistryReader(Dribble(content, size), "r.json")  # type: ignore[arg-type]
    return [record for record, _line in reader], reader


@given(
    records=st.lists(VALUES, max_size=4),
    size=st.integers(1, 9),
    indent=st.sampled_from([None, 2]),
    ascii_only=st.booleans(),
)
def test_any_document_reads_the_same_in_blocks_of_any_size(
    records: list[Any], size: int, indent: int | None, ascii_only: bool
) -> None:
    document = {"meta": {"kind": "public"}, "clis": records, "matrices": [1, 2.5]}
    content = json.dumps(document, indent=indent, ensure_ascii=ascii_only)

    found, reader = read(content.encode(), size)

    assert found == records
    assert (reader.meta, reader.matrices) == ({"kind": "public"}, [1, 2.5])


@pytest.mark.parametrize("size", [1, 5, 1 << 20])
def test_a_document_cut_anywhere_is_refused(size: int) -> None:
    whole = '{"meta": {"a": 1}, "clis": [{"name": "ü", "n": [1.5, true]}, {}]}'.encode()

    for end in range(len(whole)):
        with pytest.raises(BadDocument):
            read(whole[:end], size)


@pytest.mark.parametrize(
    ("text", "problem", "where"),
    [
        ('{"clis": [\n  {"name": "a"}\n  {"name": "b"}\n]}', "',' or ']'", "line 3, column 3"),
        ('{"clis": [\n  {"name": "a",}\n]}', "property name", "line 2, column 16"),
        ('{"clis": [{"a": 1},\n]}', "before ']'", "line 2, column 1"),
        ('{"clis": [{"a": 1}]', "cut off", "line 1, column 20"),
        ('{"clis": [{"a": "x', "cut off", "line 1, column 17"),
        ('{"clis": []} tail', "after the end", "line 1, column 14"),
        ('{"clis": {}}', "must be a list", "line 1, column 10"),
        ('{"meta": {}}', "'clis' is missing", ""),
        ("[]", "a registry is an object", "line 1, column 1"),
        ("<html></html>", "a registry is an object", "line 1, column 1"),
        ("", "cut off", "line 1, column 1"),
        ('{"meta": 1, "clis": []}', "'meta' must be an object", "line 1, column 11"),
    ],
)
def test_what_is_wrong_is_told_with_line_and_column(text: str, problem: str, where: str) -> None:
    with pytest.raises(BadDocument) as caught:
        read(text.encode())

    assert problem in caught.value.message
    assert caught.value.details["where"] == where


def test_every_record_comes_with_its_line() -> None:
    text = '{\n "clis": [\n  {"a": 1},\n\n  {"b": 2}\n ]}'

    reader = RegistryReader(io.BytesIO(text.encode()), "r.json")

    assert [line for _record, line in reader] == [3, 5]


def test_a_byte_order_mark_is_no_fault() -> None:
    assert read(b'\xef\xbb\xbf{"clis": [1]}')[0] == [1]


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(BadDocument, match="not UTF-8"):
        read(b'{"clis": ["\xff"]}')


def test_nesting_without_end_is_refused() -> None:
    with pytest.raises(BadDocument, match="too deeply"):
        read(b'{"clis": ' + b"[" * 100_000)
