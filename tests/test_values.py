"""Values are what the standard decorator makes, in everything that can be seen of them."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, field, replace
from typing import Any

import pytest

from cli_hub.values import dataclass as quick


@quick(frozen=True, slots=True)
class Quick:
    """A value."""

    name: str
    count: int = 1
    notes: Mapping[str, int] = field(default_factory=dict, hash=False)
    raw: str = field(default="", compare=False, repr=False)


@quick(frozen=True, slots=True)
class Checked:
    count: int

    def __post_init__(self) -> None:
        if self.count < 0:
            raise ValueError("negative")


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same by the standard decorator."""

    name: str
    count: int = 1
    notes: Mapping[str, int] = field(default_factory=dict, hash=False)
    raw: str = field(default="", compare=False, repr=False)


def test_a_value_shows_itself_as_the_standard_one_does() -> None:
    quick_one, standard = Quick("a", raw="x"), Standard("a", raw="x")

    assert repr(quick_one).replace("Quick", "Standard") == repr(standard)
    assert hash(quick_one) == hash(standard)
    assert asdict(quick_one) == asdict(standard)
    assert Quick.__match_args__ == Standard.__match_args__
    assert Quick.__slots__ == Standard.__slots__


def test_values_are_equal_by_what_is_compared_and_only_to_their_own_kind() -> None:
    assert Quick("a", raw="x") == Quick("a", raw="y")
    assert Quick("a") != Quick("a", 2)
    assert Quick("a") != Standard("a")


@pytest.mark.parametrize(
    ("given", "named"),
    [((), {}), (("a", 1, {}, "", "more"), {}), (("a",), {"name": "b"}), (("a",), {"other": 1})],
)
def test_a_value_refuses_the_arguments_the_standard_one_refuses(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    with pytest.raises(TypeError) as standard:
        Standard(*given, **named)
    with pytest.raises(TypeError) as found:
        Quick(*given, **named)

    assert str(found.value).replace("Quick", "Standard") == str(standard.value)


def test_nothing_of_a_value_can_be_changed() -> None:
    value: Any = Quick("a")

    with pytest.raises(dataclasses.FrozenInstanceError):
        value.name = "b"
    with pytest.raises(dataclasses.FrozenInstanceError):
        del value.name
    with pytest.raises((AttributeError, TypeError)):
        object.__setattr__(value, "other", 1)


def test_each_value_has_defaults_of_its_own() -> None:
    assert Quick("a").notes is not Quick("a").notes


def _sent(value: Quick) -> Quick:
    sent: Quick = pickle.loads(pickle.dumps(value))  # noqa: S301 - our own bytes
    return sent


def test_values_are_copied_and_sent_to_other_processes_whole() -> None:
    value = Quick("a", 2, {"b": 1}, "raw")

    for other in (copy.deepcopy(value), _sent(value), replace(value)):
        assert (other, other.raw) == (value, "raw")


def test_a_value_checks_itself_also_when_it_is_replaced() -> None:
    with pytest.raises(ValueError, match="negative"):
        replace(Checked(1), count=-1)


def test_a_constructor_is_compiled_only_for_values_that_are_made() -> None:
    program = (
        "from cli_hub.values import dataclass, _compiled\n"
        "import cli_hub.values as v\n"
        "made = []\n"
        "v._compiled = lambda cls: made.append(cls.__name__) or _compiled(cls)\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class Unused: x: int\n"
        "@dataclass(frozen=True, slots=True)\n"
        "class Used: x: int\n"
        "Used(1), Used(2)\n"
        "assert made == ['Used'], made\n"
    )

    subprocess.run([sys.executable, "-c", program], check=True)
