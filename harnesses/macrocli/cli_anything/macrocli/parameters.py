"""Macro parameters: their types, their constraints, and the values a caller gives them."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.problems import listed, suggestion
from cli_anything.macrocli.substitution import Lookup, Template, Unresolved, references, render


class Type(Enum):
    """The legal words for ``type``."""

    STRING = "string"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    LIST = "list"
    DICT = "dict"
    PATH = "path"


class BadValue(ValueError):
    """A value that is not of its type or breaks a constraint; the text says what would be right."""


class BadParameters(UsageError):
    """The values given for a macro's parameters cannot be used; all of them in one message."""

    code = "bad_parameter"

    def __init__(self, macro: str, problems: Mapping[str, str], known: Iterable[str]) -> None:
        known = sorted(known)
        super().__init__(
            "; ".join(problems.values()),
            hint=f"macro info {macro} shows what it takes",
            details={"macro": macro, "parameters": dict(problems), "known": known},
        )


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a macro declares about one of its inputs. *default* is None when there is none."""

    name: str
    type: Type = Type.STRING
    required: bool = False
    default: Template | None = None
    enum: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    pattern: str = ""
    secret: bool = False
    allow_empty: bool = False
    description: str = ""
    example: Any = None

    def value(self, raw: Any) -> Any:
        """*raw* as this parameter's type, constraints checked; raises :class:`BadValue`."""
        value = coerce(self.type, raw)
        if self.required and value == "" and not self.allow_empty:
            raise BadValue("is empty; give it a value")
        if self.type is Type.PATH and value == "" and not self.allow_empty:
            return value
        self._check(value)
        return value

    def _check(self, value: Any) -> None:
        if self.enum and value not in self.enum:
            raise BadValue(f"must be {listed(map(_shown, self.enum))}, not {_shown(value)}")
        if self.minimum is not None and value < self.minimum:
            raise BadValue(f"must be at least {self.minimum:g}, not {_shown(value)}")
        if self.maximum is not None and value > self.maximum:
            raise BadValue(f"must be at most {self.maximum:g}, not {_shown(value)}")
        if self.pattern and not re.fullmatch(self.pattern, str(value)):
            raise BadValue(f"must match {self.pattern!r}, {_shown(value)} does not")


def coerce(kind: Type, raw: Any) -> Any:
    """Read *raw*, which is typed data or text from a command line, as *kind*."""
    return _READERS[kind](raw)


def bind(
    macro: str, parameters: Mapping[str, Parameter], given: Mapping[str, Any]
) -> dict[str, Any]:
    """The value of every parameter that has one: given, else its default.

    A default may name other parameters. Raises :class:`BadParameters` with all that is wrong.
    """
    problems: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name in given:
        if name not in parameters:
            near = suggestion(name, parameters)
            problems[name] = f"there is no parameter {name!r}" + (f", {near}" if near else "")
    for name, parameter in parameters.items():
        if name in given:
            _take(parameter, given[name], values, problems)
        elif parameter.required and parameter.default is None:
            problems[name] = f"{name} is required: -p {name}=…"
    _fill_defaults(parameters, given, values, problems)
    if problems:
        raise BadParameters(macro, problems, parameters)
    return {name: values[name] for name in parameters if name in values}


def _take(parameter: Parameter, raw: Any, values: dict[str, Any], problems: dict[str, str]) -> None:
    try:
        values[parameter.name] = parameter.value(raw)
    except BadValue as problem:
        # A secret's value must not reach the message.
        said = "has a value that is not allowed" if parameter.secret else str(problem)
        problems[parameter.name] = f"{parameter.name} {said}"


def _fill_defaults(
    parameters: Mapping[str, Parameter],
    given: Mapping[str, Any],
    values: dict[str, Any],
    problems: dict[str, str],
) -> None:
    waiting = {n: p for n, p in parameters.items() if n not in given and p.default is not None}
    while waiting:
        ready = [
            parameter
            for parameter in waiting.values()
            if not any(r.name in waiting for r in references(_default(parameter)))
        ]
        if not ready:
            raise AssertionError("defaults that name each other are refused when a macro is read")
        for parameter in ready:
            del waiting[parameter.name]
            try:
                raw = render(_default(parameter), _lookup(values))
            except Unresolved:
                continue  # it needs a parameter without a value: it has none either
            _take(parameter, raw, values, problems)


def _default(parameter: Parameter) -> Template:
    assert parameter.default is not None  # noqa: S101 - only called for those that have one
    return parameter.default


def _lookup(values: Mapping[str, Any]) -> Lookup:
    def lookup(name: str) -> Any:
        if name not in values:
            raise Unresolved(name, f"{name} is not set")
        return values[name]

    return lookup


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _string(raw: Any) -> str:
    if isinstance(raw, str):
        return raw
    if isinstance(raw, bool | int | float):
        return json.dumps(raw)
    raise BadValue(f"must be text, not {_shown(raw)}")


def _path(raw: Any) -> str:
    text = _string(raw)
    if "\0" in text:
        raise BadValue("must be a path, without NUL characters")
    return str(Path(text).expanduser().absolute()) if text else ""


def _integer(raw: Any) -> int:
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    if isinstance(raw, str) and re.fullmatch(r"\s*[-+]?[0-9]+\s*", raw):
        return int(raw)
    raise BadValue(f"must be a whole number, not {_shown(raw)}")


def _float(raw: Any) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        raise BadValue(f"must be a number, not {_shown(raw)}")
    try:
        number = float(raw)
    except ValueError:
        raise BadValue(f"must be a number, not {_shown(raw)}") from None
    if not math.isfinite(number):
        raise BadValue(f"must be a finite number, not {_shown(raw)}")
    return number


_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _boolean(raw: Any) -> bool:
    if isinstance(raw, bool):
        return raw
    word = str(raw).strip().lower() if isinstance(raw, str | int) else ""
    if word not in _WORDS:
        raise BadValue(f"must be true, false, yes, no, 1 or 0, not {_shown(raw)}")
    return _WORDS[word]


def _list(raw: Any) -> list[Any]:
    if isinstance(raw, list | tuple):
        return list(raw)
    if not isinstance(raw, str):
        raise BadValue(f"must be a list, not {_shown(raw)}")
    if raw.lstrip().startswith("["):
        value = _json(raw, "a JSON list")
        if isinstance(value, list):
            return value
        raise BadValue(f"must be a JSON list, not {_shown(raw)}")
    return [part.strip() for part in raw.split(",")] if raw.strip() else []


def _dict(raw: Any) -> dict[str, Any]:
    value = _json(raw, "a JSON object") if isinstance(raw, str) else raw
    if not isinstance(value, dict):
        raise BadValue(f'must be a JSON object such as {{"key": "value"}}, not {_shown(raw)}')
    return value


def _json(raw: str, wanted: str) -> Any:
    try:
        return json.loads(raw)
    except ValueError as problem:
        raise BadValue(f"must be {wanted}: {problem}") from None


_READERS: Mapping[Type, Callable[[Any], Any]] = {
    Type.STRING: _string,
    Type.INTEGER: _integer,
    Type.FLOAT: _float,
    Type.BOOLEAN: _boolean,
    Type.LIST: _list,
    Type.DICT: _dict,
    Type.PATH: _path,
}
