"""The vocabulary of conditions."""

from __future__ import annotations

from collections.abc import Mapping

from cli_anything.macrocli.conditions import checks
from cli_anything.macrocli.conditions.model import ConditionKind
from cli_anything.macrocli.fields import Field
from cli_anything.macrocli.shapes import Shape

_FILE = Field("path", Shape.PATH, required=True)

_ALL = (
    ConditionKind(
        "file_exists", (_FILE,), checks.file_exists, "a file (not a folder) is at the path"
    ),
    ConditionKind("dir_exists", (_FILE,), checks.dir_exists, "a folder is at the path"),
    ConditionKind(
        "file_size_gt",
        (_FILE, Field("bytes", Shape.INTEGER, required=True)),
        checks.file_size_gt,
        "the file holds more than that many bytes",
    ),
    ConditionKind(
        "file_newer_than_start",
        (_FILE,),
        checks.file_newer_than_start,
        "the file was written by this run, not left by an earlier one",
    ),
    ConditionKind(
        "file_type",
        (_FILE, Field("type", required=True, choices=checks.FILE_TYPES)),
        checks.file_type,
        "the content of the file is of that type, whatever its name says",
    ),
    ConditionKind(
        "file_contains",
        (_FILE, Field("text", required=True)),
        checks.file_contains,
        "the file contains the text",
    ),
    ConditionKind(
        "json_path",
        (_FILE, Field("key", required=True), Field("equals", Shape.ANY)),
        checks.json_path,
        "the JSON file has the key (dotted, list items by number), with that value if one is given",
    ),
    ConditionKind(
        "image_not_blank",
        (_FILE,),
        checks.image_not_blank,
        "the picture has more than one colour",
    ),
    ConditionKind(
        "process_running",
        (Field("name", required=True),),
        checks.process_running,
        "a process of that name is running",
    ),
    ConditionKind(
        "env_var",
        (Field("name", required=True), Field("equals")),
        checks.env_var,
        "the environment variable is set, to that value if one is given",
    ),
    ConditionKind(
        "port_open",
        (Field("port", Shape.INTEGER, required=True), Field("host", default="127.0.0.1")),
        checks.port_open,
        "something accepts connections on the TCP port",
    ),
    ConditionKind(
        "window_exists",
        (Field("title", required=True),),
        checks.window_exists,
        "a visible window has the text in its title",
    ),
    ConditionKind(
        "equals",
        (Field("left", Shape.ANY, required=True), Field("right", Shape.ANY, required=True)),
        checks.equals,
        "two values are the same",
    ),
    ConditionKind(
        "always",
        (Field("value", Shape.BOOLEAN, required=True),),
        checks.always,
        "holds (true) or never holds (false)",
    ),
)

KINDS: Mapping[str, ConditionKind] = {kind.name: kind for kind in _ALL}
