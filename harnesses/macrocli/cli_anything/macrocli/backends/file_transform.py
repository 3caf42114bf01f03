"""Changes files without their application: JSON, YAML, INI, XML, plain text, copies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_anything.macrocli.backends.base import (
    Action,
    Backend,
    BadArgument,
    Context,
    StepFailed,
    always_available,
)
from cli_anything.macrocli.edits import EditFailed
from cli_anything.macrocli.fields import Arguments, Field
from cli_anything.macrocli.shapes import Shape
from cli_anything.macrocli.substitution import Literal

_INPUT = Field(
    "input_file", Shape.PATH, required=True, aliases=("file",), description="what is read"
)
_OUTPUT = Field(
    "output_file", Shape.PATH, description="where the result goes; the input file if not given"
)
_ADDRESS = Field(
    "path", required=True, aliases=("key",), description="keys with dots: settings.theme, items.0"
)
_VALUE = Field("value", Shape.ANY, required=True, description="a placeholder alone keeps its type")
_XPATH = Field("xpath", required=True, description="ElementTree's XPath, names as written")
_ATTRIBUTE = Field("attr", required=True, aliases=("attribute",), description="attribute's name")


def _target(arguments: Mapping[str, Any]) -> Path:
    target: Path = arguments["output_file"] or arguments["input_file"]
    return target


def _address(arguments: Mapping[str, Any]) -> list[str]:
    from cli_anything.macrocli.edits.address import parse_address

    try:
        return parse_address(arguments["path"])
    except EditFailed as problem:
        raise BadArgument(str(problem)) from None


def json_get(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import json_text
    from cli_anything.macrocli.edits.files import read_text

    file = read_text(arguments["input_file"])
    return {"value": json_text.get_value(file.text, _address(arguments))}


def json_set(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import json_text
    from cli_anything.macrocli.edits.files import read_text, write_bytes

    file = read_text(arguments["input_file"])
    changed = json_text.set_value(file.text, _address(arguments), arguments["value"])
    write_bytes(_target(arguments), file.encoded(changed))
    return {"file": str(_target(arguments)), "changed": changed != file.text}


def json_delete(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import json_text
    from cli_anything.macrocli.edits.files import read_text, write_bytes

    file = read_text(arguments["input_file"])
    changed = json_text.delete_value(file.text, _address(arguments))
    write_bytes(_target(arguments), file.encoded(changed))
    return {"file": str(_target(arguments)), "changed": True}


def yaml_set(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import yaml_text
    from cli_anything.macrocli.edits.files import read_text, write_bytes

    file = read_text(arguments["input_file"])
    changed = yaml_text.set_value(file.text, _address(arguments), arguments["value"])
    write_bytes(_target(arguments), file.encoded(changed))
    return {"file": str(_target(arguments)), "changed": changed != file.text}


def ini_set(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import ini_text
    from cli_anything.macrocli.edits.files import read_text, write_bytes

    file = read_text(arguments["input_file"])
    changed = ini_text.set_key(
        file.text, arguments["section"], arguments["key"], arguments["value"]
    )
    write_bytes(_target(arguments), file.encoded(changed))
    return {"file": str(_target(arguments)), "changed": changed != file.text}


def xml_get_attr(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import xml_text
    from cli_anything.macrocli.edits.files import read_bytes

    content = read_bytes(arguments["input_file"])
    return {"value": xml_text.get_attribute(content, arguments["xpath"], arguments["attr"])}


def xml_set_attr(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits import xml_text
    from cli_anything.macrocli.edits.files import read_bytes, write_bytes

    content = read_bytes(arguments["input_file"])
    changed, count = xml_text.set_attribute(
        content,
        arguments["xpath"],
        arguments["attr"],
        arguments["value"],
        every=arguments["all"],
    )
    write_bytes(_target(arguments), changed)
    return {"file": str(_target(arguments)), "elements": count, "changed": changed != content}


def text_replace(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits.files import read_bytes, write_bytes
    from cli_anything.macrocli.edits.plain_text import replace_text

    if not arguments["find"]:
        raise BadArgument(
            "find is empty: it would match between all characters",
            hint="give find the text to replace; copy_file copies a file as it is",
        )
    content = read_bytes(arguments["input_file"])
    changed, count = replace_text(content, arguments["find"], arguments["replace"])
    if count == 0 and not arguments["allow_none"]:
        raise StepFailed(
            f"{arguments['input_file']} does not contain {arguments['find']!r}",
            hint="set allow_none: true when that is fine",
            output={"replacements": 0},
        )
    write_bytes(_target(arguments), changed)
    return {"file": str(_target(arguments)), "replacements": count}


def copy_file(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    from cli_anything.macrocli.edits.files import copy

    size = copy(arguments["src"], arguments["dst"], overwrite=arguments["overwrite"])
    return {"file": str(arguments["dst"]), "bytes": size}


def _lint_replace(arguments: Arguments) -> str:
    found = arguments.templates.get("find")
    if isinstance(found, Literal) and found.spelling == "":
        return "find is empty, so this step always fails"
    return ""


def _edits(perform: Any) -> Any:
    """What an edit cannot do is a failed step."""

    def performing(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
        try:
            done: dict[str, Any] = perform(arguments, context)
        except EditFailed as problem:
            raise StepFailed(str(problem)) from None
        return done

    return performing


_DONE = ("file", "changed")

BACKEND = Backend(
    name="file_transform",
    priority=70,
    summary="changes values inside JSON, YAML, INI, XML and text files, and copies files",
    actions=(
        Action("json_get", (_INPUT, _ADDRESS), ("value",), _edits(json_get), "read a value"),
        Action(
            "json_set",
            (_INPUT, _OUTPUT, _ADDRESS, _VALUE),
            _DONE,
            _edits(json_set),
            "set a value; objects on the way are made where they are missing",
        ),
        Action(
            "json_delete", (_INPUT, _OUTPUT, _ADDRESS), _DONE, _edits(json_delete), "remove a key"
        ),
        Action(
            "yaml_set", (_INPUT, _OUTPUT, _ADDRESS, _VALUE), _DONE, _edits(yaml_set), "set a value"
        ),
        Action(
            "ini_set",
            (
                _INPUT,
                _OUTPUT,
                Field("section", default="", description="empty for the keys above the first one"),
                Field("key", required=True),
                Field("value", required=True),
            ),
            _DONE,
            _edits(ini_set),
            "set a key of a section; both are added where they are missing",
        ),
        Action(
            "xml_get_attr",
            (_INPUT, _XPATH, _ATTRIBUTE),
            ("value",),
            _edits(xml_get_attr),
            "read an attribute",
        ),
        Action(
            "xml_set_attr",
            (
                _INPUT,
                _OUTPUT,
                _XPATH,
                _ATTRIBUTE,
                Field("value", required=True),
                Field("all", Shape.BOOLEAN, default=False, description="set it on every match"),
            ),
            ("file", "elements", "changed"),
            _edits(xml_set_attr),
            "set an attribute of the one element at a path",
        ),
        Action(
            "text_replace",
            (
                _INPUT,
                _OUTPUT,
                Field("find", required=True, description="literal text, not empty"),
                Field("replace", required=True),
                Field("allow_none", Shape.BOOLEAN, default=False, description="no match is fine"),
            ),
            ("file", "replacements"),
            _edits(text_replace),
            "replace every occurrence of a text",
            lint=_lint_replace,
        ),
        Action(
            "copy_file",
            (
                Field("src", Shape.PATH, required=True, aliases=("source", "input_file")),
                Field("dst", Shape.PATH, required=True, aliases=("destination", "output_file")),
                Field("overwrite", Shape.BOOLEAN, default=True),
            ),
            ("file", "bytes"),
            _edits(copy_file),
            "copy one file in one step",
        ),
    ),
    probe=always_available,
)
