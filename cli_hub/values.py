"""``@dataclass(frozen=True, slots=True)`` without its cost at every start.

The standard decorator compiles six methods for every class, 0.9 ms each where it was measured, and
a command defines about fifty. Here all classes share their methods, and the constructor alone is
compiled, by whoever first calls it. A tenth of an installation's time or more went to the others.
Everything else is the standard one: ``fields``, ``replace``, ``asdict`` and ``match`` work.

A subclass of such a class has to be made by this decorator too, or the standard one refuses it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from cli_hub.standins import load_without

load_without("dataclasses", "inspect", "copy")  # four fifths of its cost

import dataclasses  # noqa: E402
from dataclasses import MISSING, FrozenInstanceError, fields  # noqa: E402

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(*, frozen: Literal[True], slots: Literal[True]) -> Callable[[type], type]:
        """Make a class as the standard decorator of this name and these arguments does."""
        del frozen, slots  # said for the reader and for type checkers; there is nothing else here
        return _value


_structure: Callable[[type], type] = dataclasses.dataclass(
    init=False, repr=False, eq=False, slots=True
)


def _value(cls: type) -> type:
    cls.__doc__ = cls.__doc__ or cls.__name__  # else the standard decorator works out a signature
    own = {name for name, value in cls.__dict__.items() if value is not None}
    made = _structure(cls)
    methods = {
        "__init__": _constructor_of(made),
        "__repr__": _represent,
        "__eq__": _equal,
        "__hash__": _hash,
        "__getstate__": _state,
        "__setstate__": _restore,
        "__setattr__": _refuse,
        "__delattr__": _refuse,
    }
    for name, method in methods.items():
        if name not in own:
            setattr(made, name, method)
    return made


def _constructor_of(cls: type) -> Callable[..., None]:
    """Stands in for the constructor until it is first called."""

    def __init__(self: object, /, *given: object, **named: object) -> None:  # noqa: N807
        if cls.__dict__["__init__"] is __init__:
            cls.__init__ = _compiled(cls)  # type: ignore[misc]
        cls.__init__(self, *given, **named)  # type: ignore[misc]

    return __init__


def _compiled(cls: type) -> Callable[..., None]:
    """A constructor like the standard one, for fields that may be given by position or name."""
    known: dict[str, Any] = {"_missing": MISSING}
    parameters, body = ["self"], []
    for each in fields(cls):
        name = value = parameter = each.name
        if each.default is not MISSING:
            known[f"_default_{name}"] = each.default
            parameter += f"=_default_{name}"
        elif each.default_factory is not MISSING:
            known[f"_make_{name}"] = each.default_factory
            parameter += "=_missing"
            value = f"_make_{name}() if {name} is _missing else {name}"
        known[f"_set_{name}"] = getattr(cls, name).__set__
        parameters.append(parameter)
        body.append(f" _set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append(" self.__post_init__()")
    lines = [f"def __init__({', '.join(parameters)}):", *(body or [" pass"])]
    exec("\n".join(lines), known)  # noqa: S102 - names of fields, nothing from outside
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _equal(self: Any, other: Any) -> Any:
    compared = [each.name for each in fields(self) if each.compare]
    if type(other) is not type(self):
        return NotImplemented
    return all(getattr(self, name) == getattr(other, name) for name in compared)


def _hash(self: Any) -> int:
    asked = ((each, each.compare if each.hash is None else each.hash) for each in fields(self))
    return hash(tuple(getattr(self, each.name) for each, counts in asked if counts))


def _represent(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _refuse(_self: object, name: str, *_value: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change field {name!r}")


def _state(self: Any) -> list[object]:
    return [getattr(self, each.name) for each in fields(self)]


def _restore(self: Any, state: list[object]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
