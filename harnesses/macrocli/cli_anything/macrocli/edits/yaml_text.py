"""YAML, edited in place."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import yaml

from cli_anything.macrocli.edits import EditFailed
from cli_anything.macrocli.edits.address import Keys, shown
from cli_anything.macrocli.nodes import scalar_value

_PLAIN = re.compile(r"[A-Za-z0-9_./][\w ./+@%()-]*\Z")
_WORDS_OF_YAML_1_1 = frozenset(("yes", "no", "on", "off", "y", "n"))


def set_value(text: str, keys: Keys, value: Any) -> str:
    """*text* with *value* at *keys*; mappings on the way are made where they are missing.

    Lists and mappings are written in their one-line form. The result is parsed again: when anything
    but the addressed value would read differently, :class:`EditFailed` is raised.
    """
    if not text.strip():
        text = ""
    root = _compose(text)
    if root is None:
        changed = f"{text}{_line(keys, value, '')}\n"
    else:
        changed = _set_below(text, root, keys, value)
    expected = _with(_load(text), list(keys), _load(_dump(value, '"')))
    if _load(changed) != expected:
        raise EditFailed(f"{shown(keys)} cannot be set without touching what is around it")
    return changed


class _Strings(yaml.SafeLoader):
    """Loads without guessing types, for comparing documents."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the library's own protocol


def _load(text: str) -> Any:
    return yaml.load(text, Loader=_Strings)  # noqa: S506 - a SafeLoader with fewer types


def _compose(text: str) -> yaml.Node | None:
    try:
        return yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as problem:
        raise EditFailed(f"not one YAML document: {problem}") from None


def _set_below(text: str, root: yaml.Node, keys: Keys, value: Any) -> str:
    node = root
    for depth, key in enumerate(keys):
        child = _child(node, key, keys[: depth + 1])
        if child is None:
            return _insert(text, node, keys[depth:], value)
        node = child
    start, end = node.start_mark.index, _end(node)
    style = node.style if isinstance(node, yaml.ScalarNode) else None
    lead = " " if start == end and text[start - 1 : start] == ":" else ""
    return text[:start] + lead + _dump(value, style) + text[end:]


def _child(node: yaml.Node, key: str, keys: Keys) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        found = [item for name, item in node.value if getattr(name, "value", None) == key]
        return found[-1] if found else None
    if isinstance(node, yaml.SequenceNode) and key.isdigit():
        if int(key) < len(node.value):
            item: yaml.Node = node.value[int(key)]
            return item
        raise EditFailed(f"the list has {len(node.value)} items, there is no {shown(keys)}")
    raise EditFailed(f"{shown(keys[:-1]) or 'the document'} has no keys")


def _end(node: yaml.Node) -> int:
    """Where the text of *node* ends; a block's own mark lies behind the blank lines after it."""
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        return _end(last[1] if isinstance(last, tuple) else last)
    index: int = node.end_mark.index
    return index


def _insert(text: str, node: yaml.Node, keys: Keys, value: Any) -> str:
    if not isinstance(node, yaml.MappingNode):
        raise EditFailed(f"there is nothing to add {shown(keys)} to")
    if node.flow_style:
        closing = node.end_mark.index - 1
        entry = f"{_dump(keys[0], None)}: {_dump(_nested(keys[1:], value), None)}"
        gap = ", " if node.value else ""
        return f"{text[:closing].rstrip()}{gap}{entry}{text[closing:]}"
    ending = "\r\n" if "\r\n" in text else "\n"
    indent = " " * node.start_mark.column
    end = _end(node)
    stop = text.find("\n", max(end - 1, 0))
    entry = _line(keys, value, indent)
    if stop < 0:
        return f"{text}{ending}{entry}{ending}"
    return f"{text[: stop + 1]}{entry}{ending}{text[stop + 1 :]}"


def _line(keys: Keys, value: Any, indent: str) -> str:
    return f"{indent}{_dump(keys[0], None)}: {_dump(_nested(keys[1:], value), None)}"


def _nested(keys: Sequence[str], value: Any) -> Any:
    for key in reversed(keys):
        value = {key: value}
    return value


def _dump(value: Any, style: str | None) -> str:
    """*value* on one line, in the quotes the old one had, if it had any."""
    if not isinstance(value, str):
        try:
            return json.dumps(value, ensure_ascii=False, allow_nan=False)
        except (TypeError, ValueError) as problem:
            raise EditFailed(f"the value cannot be written as YAML: {problem}") from None
    if style == "'" and "\n" not in value and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    plain = style != '"' and _PLAIN.match(value) and not value.endswith(" ")
    if plain and scalar_value(value) == value and value.lower() not in _WORDS_OF_YAML_1_1:
        return value if isinstance(yaml.safe_load(value), str) else json.dumps(value)
    return json.dumps(value, ensure_ascii=False)


def _with(document: Any, keys: list[str], value: Any) -> Any:
    """*document* with *value* at *keys*, as plain data."""
    if not keys:
        return value
    if isinstance(document, list):
        place = int(keys[0])
        return [*document[:place], _with(document[place], keys[1:], value), *document[place + 1 :]]
    base = dict(document) if isinstance(document, dict) else {}
    return {**base, keys[0]: _with(base.get(keys[0]), keys[1:], value)}
