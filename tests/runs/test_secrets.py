"""What is masked, and what is left as it is."""

from __future__ import annotations

import pytest

from cli_hub.runs.secrets import MASK, Masker


@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer abcdefgh12345678",
        "ghp_" + "a" * 36,
        "https://me:hunter22@host.test/x",
        "AKIA" + "A1" * 8,
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl",
    ],
)
def test_what_looks_like_a_secret_is_masked(text: str) -> None:
    assert MASK in Masker([]).text(text)


@pytest.mark.parametrize(
    "argv",
    [("--output", "token.txt"), ("export", "--preset", "key-frames"), ("a=b",), ("--token",)],
)
def test_ordinary_arguments_stay(argv: tuple[str, ...]) -> None:
    assert Masker([]).argv(argv) == argv


def test_a_known_value_is_masked_wherever_it_stands() -> None:
    masker = Masker(["hunter22", "hunter22-longer"])

    assert masker.text("x hunter22-longer y hunter22z") == f"x {MASK} y {MASK}z"
