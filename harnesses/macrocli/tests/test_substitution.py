"""Placeholders are filled in, and never evaluated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli_anything.macrocli.substitution import (
    BadPlaceholder,
    ListOf,
    Unresolved,
    parse_text,
    render,
    render_words,
    scope,
)


def filled(text: str, **values: object) -> object:
    return render(parse_text(text), scope(values, {"a": {"json": {"k": [1]}, "stdout": "x"}}))


def test_a_placeholder_alone_keeps_its_type_and_inside_text_it_is_text() -> None:
    assert filled("${n}", n=3) == 3
    assert filled("${n} of ${m}", n=3, m=True) == "3 of true"


def test_two_dollars_make_a_literal() -> None:
    assert filled("$${HOME} costs $5 and $${", HOME="x") == "${HOME} costs $5 and ${"


def test_an_earlier_steps_output_is_read_key_by_key() -> None:
    assert filled("${steps.a.json.k}") == [1]
    with pytest.raises(Unresolved, match=r"put out no 'json\.nope'"):
        filled("${steps.a.json.nope}")


def test_the_quoting_filter_makes_one_shell_word() -> None:
    assert filled("echo ${p|sh}", p="x; echo INJECTED") == "echo 'x; echo INJECTED'"


@pytest.mark.parametrize("text", ["${", "${}", "${a b}", "${a|upper}", "${1+1}", "${a.b()}"])
def test_what_is_not_a_placeholder_is_refused(text: str) -> None:
    with pytest.raises(BadPlaceholder):
        parse_text(text)


@given(st.text())
def test_a_value_is_never_looked_into(value: str) -> None:
    assert filled("${v}", v=value) == value
    assert filled("<${v}>", v=value) == f"<{value}>"


@given(st.text(), st.lists(st.text()))
def test_an_argument_is_never_split(value: str, more: list[str]) -> None:
    template = ListOf((parse_text("ls"), parse_text("${v}"), parse_text("${l}")))

    assert render_words(template, scope({"v": value, "l": more}, {})) == ["ls", value, *more]
