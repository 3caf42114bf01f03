"""Edits change the addressed value and not one byte around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cli_anything.macrocli.edits import EditFailed, ini_text, json_text, xml_text, yaml_text
from cli_anything.macrocli.edits.address import parse_address
from cli_anything.macrocli.edits.plain_text import replace_text
from harnesses.macrocli.tests.program import Outcome, Program

JSON_FILE = '{\r\n\t"name" : "x",\r\n\t"a": {"b": [1, 2.50, 1e3]},\r\n\t"z": "\\u00e9"\r\n}\r\n'


def step(program: Program, action: str, **params: Any) -> Outcome:
    return program.run(json.dumps({"name": "m", "steps": [{"action": action, "params": params}]}))


def test_a_json_value_is_replaced_in_its_place() -> None:
    changed = json_text.set_value(JSON_FILE, ["a", "b", "1"], "new")

    assert changed == JSON_FILE.replace("2.50", '"new"')


def test_a_new_json_key_follows_the_style_of_its_neighbours() -> None:
    changed = json_text.set_value(JSON_FILE, ["c", "d"], 1)

    assert '"z": "\\u00e9",\r\n\t"c" : {\r\n\t\t"d": 1\r\n\t}\r\n}' in changed
    assert json.loads(changed)["c"] == {"d": 1}


def test_a_json_key_is_removed_with_its_comma() -> None:
    text = '{"a": 1, "b": 2, "c": 3}'

    assert json_text.delete_value(text, ["a"]) == '{"b": 2, "c": 3}'
    assert json_text.delete_value(text, ["b"]) == '{"a": 1, "c": 3}'
    assert json_text.delete_value(text, ["c"]) == '{"a": 1, "b": 2}'
    assert json_text.delete_value('{"a": [1]}', ["a", "0"]) == '{"a": []}'
    with pytest.raises(EditFailed, match="there is no d"):
        json_text.delete_value(text, ["d"])


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), VALUES), st.text(), VALUES, st.sampled_from([None, 1, 2, "\t"]))
def test_setting_json_changes_that_key_only(
    document: dict[str, Any], key: str, value: Any, indent: int | str | None
) -> None:
    text = json.dumps(document, indent=indent)

    assert json.loads(json_text.set_value(text, [key], value)) == {**document, key: value}


@given(st.dictionaries(st.text(), VALUES, min_size=1), st.data())
def test_deleting_json_removes_that_key_only(document: dict[str, Any], data: Any) -> None:
    key = data.draw(st.sampled_from(sorted(document)))
    left = {name: value for name, value in document.items() if name != key}

    assert json.loads(json_text.delete_value(json.dumps(document, indent=2), [key])) == left


YAML_FILE = """\
# settings
ui:   # how it looks
  theme: 'light'   # or dark
  sizes:
    - 1
    - 2    # two

other: {a: 1, b: "x"}
"""


def test_a_yaml_value_is_replaced_in_its_place_with_its_quotes() -> None:
    assert yaml_text.set_value(YAML_FILE, ["ui", "theme"], "dark") == YAML_FILE.replace(
        "'light'", "'dark'"
    )
    assert yaml_text.set_value(YAML_FILE, ["ui", "sizes", "1"], 7) == YAML_FILE.replace(
        "- 2 ", "- 7 "
    )
    assert yaml_text.set_value(YAML_FILE, ["other", "b"], "y") == YAML_FILE.replace('"x"', '"y"')


def test_a_new_yaml_key_goes_to_the_end_of_its_mapping() -> None:
    changed = yaml_text.set_value(YAML_FILE, ["ui", "font", "size"], 12)

    assert changed == YAML_FILE.replace("# two\n", '# two\n  font: {"size": 12}\n')
    added = yaml_text.set_value(YAML_FILE, ["other", "c"], [1])
    assert added == YAML_FILE.replace('"x"}', '"x", c: [1]}')


@pytest.mark.parametrize("value", ["yes", "1.0", "a: b", "", "- x", "é", "null", "x #y", "a\nb"])
def test_text_written_to_yaml_is_text_again(value: str) -> None:
    changed = yaml_text.set_value(YAML_FILE, ["ui", "theme"], value)

    assert yaml.safe_load(changed)["ui"]["theme"] == value
    plain = yaml_text.set_value("k: v # c\n", ["k"], value)
    assert yaml.safe_load(plain) == {"k": value}


INI_FILE = "; top\r\n[Main]\r\nKey=1 ; note\r\nlong = a\r\n  b\r\n\r\n[Other]\r\nkey: 2\r\n"


def test_an_ini_value_is_replaced_in_its_place() -> None:
    assert ini_text.set_key(INI_FILE, "Main", "Key", "9") == INI_FILE.replace("Key=1", "Key=9")
    assert ini_text.set_key(INI_FILE, "Other", "KEY", "9") == INI_FILE.replace("key: 2", "key: 9")
    assert ini_text.set_key(INI_FILE, "Main", "long", "c") == INI_FILE.replace("a\r\n  b", "c")


def test_a_new_ini_key_and_section_are_added() -> None:
    assert ini_text.set_key(INI_FILE, "Main", "n", "1") == INI_FILE.replace(
        "  b\r\n", "  b\r\nn=1\r\n"
    )
    assert ini_text.set_key(INI_FILE, "New", "n", "1").endswith("key: 2\r\n\r\n[New]\r\nn = 1\r\n")
    assert ini_text.set_key("", "", "n", "1") == "n = 1\n"


XML_FILE = (
    b'<?xml version="1.0" encoding="UTF-8"?>\r\n'
    b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x">\r\n'
    b"<!-- keep -->\r\n<svg xmlns='http://www.w3.org/2000/svg' xmlns:i='urn:i'  width = '10' >"
    b"<g i:label='a'><rect id='r' x='1'/></g><g/></svg>\r\n"
)


def test_an_xml_attribute_is_replaced_in_its_place() -> None:
    changed, count = xml_text.set_attribute(XML_FILE, "/svg", "width", "20<'", every=False)

    assert count == 1
    assert changed == XML_FILE.replace(b"'10'", b"'20&lt;&apos;'")
    assert xml_text.get_attribute(changed, "/svg", "width") == "20<'"


def test_xml_is_addressed_by_names_as_written() -> None:
    assert xml_text.get_attribute(XML_FILE, ".//rect[@id='r']", "x") == "1"
    assert xml_text.get_attribute(XML_FILE, "//g[@i:label='a']", "i:label") == "a"
    changed, _ = xml_text.set_attribute(XML_FILE, ".//rect", "fill", "red", every=False)
    assert changed == XML_FILE.replace(b"<rect ", b'<rect fill="red" ').replace(
        b"<rect fill=\"red\" id='r' x='1'/>", b"<rect id='r' x='1' fill=\"red\"/>"
    )


def test_several_elements_are_only_changed_when_all_are_meant() -> None:
    with pytest.raises(EditFailed, match="2 elements"):
        xml_text.set_attribute(XML_FILE, "g", "x", "1", every=False)
    changed, count = xml_text.set_attribute(XML_FILE, "g", "x", "1", every=True)
    assert count == 2
    assert changed.count(b'x="1"') == 2


def test_an_entity_bomb_is_refused() -> None:
    lines = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10))
    bomb = f'<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">{lines}]><x>&a9;</x>'.encode()

    with pytest.raises(EditFailed, match="not XML"):
        xml_text.get_attribute(bomb, "/x", "y")


def test_replacing_text_keeps_line_ends_and_strange_bytes() -> None:
    assert replace_text(b"a\r\nb\r\n\xff", "a\nb", "c\nd") == (b"c\r\nd\r\n\xff", 1)


def test_replacing_nothing_is_a_failure_unless_it_may_be(program: Program) -> None:
    program.file("f", "abc")

    missed = step(program, "text_replace", input_file="f", find="x", replace="y")
    allowed = step(program, "text_replace", input_file="f", find="x", replace="y", allow_none=True)
    empty = step(program, "text_replace", input_file="f", find="", replace="y")

    assert (missed.exit_code, allowed.exit_code, empty.exit_code) == (1, 0, 1)
    assert "does not contain" in missed.error["message"]
    assert "find is empty" in empty.error["message"]
    assert (program.folder / "f").read_text() == "abc"


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(program: Program) -> None:
    path = program.file("f.json", "{}")
    path.chmod(0o640)
    (program.folder / "link.json").symlink_to("f.json")

    outcome = step(program, "json_set", input_file="link.json", path="a", value=1)

    assert outcome.exit_code == 0
    assert path.read_text() == '{"a": 1}'
    assert path.stat().st_mode & 0o777 == 0o640
    assert (program.folder / "link.json").is_symlink()


def test_a_value_keeps_the_type_of_its_parameter(program: Program) -> None:
    program.file("f.json", "{}")
    text = (
        "name: m\nparameters: {n: {type: integer}, s: {}}\nsteps:\n"
        "  - {action: json_set, params: {file: f.json, path: n, value: '${n}'}}\n"
        "  - {action: json_set, params: {file: f.json, path: s, value: '${s}'}}\n"
        "  - {action: json_get, id: g, params: {file: f.json, path: n}}\n"
        "outputs: [{name: n, value: '${steps.g.value}'}]\n"
    )

    outcome = program.run(text, "n=5", "s=5")

    assert json.loads((program.folder / "f.json").read_text()) == {"n": 5, "s": "5"}
    assert outcome.document["output"]["n"]["value"] == 5


def test_every_action_works_from_a_macro(program: Program) -> None:
    program.file("f.yaml", "a: 1\n")
    program.file("f.ini", "[s]\na=1\n")
    program.file("f.xml", "<x a='1'/>")
    program.file("f.json", '{"a": 1, "b": 2}')

    for action, params in (
        ("yaml_set", {"file": "f.yaml", "path": "a", "value": 2}),
        ("ini_set", {"file": "f.ini", "section": "s", "key": "a", "value": "2"}),
        ("xml_set_attr", {"file": "f.xml", "xpath": "/x", "attr": "a", "value": "2"}),
        ("xml_get_attr", {"file": "f.xml", "xpath": "/x", "attribute": "a"}),
        ("json_delete", {"file": "f.json", "path": "b", "output_file": "g.json"}),
        ("copy_file", {"src": "f.json", "dst": "h.json"}),
    ):
        assert step(program, action, **params).exit_code == 0, action
    content = {name: (program.folder / name).read_text() for name in ("f.yaml", "f.ini", "f.xml")}
    assert content == {"f.yaml": "a: 2\n", "f.ini": "[s]\na=2\n", "f.xml": "<x a='2'/>"}
    assert (program.folder / "g.json").read_text() == '{"a": 1}'
    assert (program.folder / "h.json").read_text() == '{"a": 1, "b": 2}'


def test_a_file_that_is_not_there_or_not_text_is_one_line(program: Program) -> None:
    (program.folder / "b.json").write_bytes(b"\xff")

    gone = step(program, "json_get", file="nope.json", path="a")
    odd = step(program, "json_get", file="b.json", path="a")
    folder = step(program, "json_set", file=".", path="a", value=1)

    assert "there is no file nope.json" in gone.error["message"]
    assert "not UTF-8" in odd.error["message"]
    assert folder.exit_code == 1


@pytest.mark.parametrize(("text", "keys"), [("a.b", ["a", "b"]), (r"a\.b.c", ["a.b", "c"])])
def test_an_address_is_keys_with_dots(text: str, keys: list[str]) -> None:
    assert parse_address(text) == keys


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b"])
def test_an_address_with_an_empty_part_is_refused(text: str) -> None:
    with pytest.raises(EditFailed):
        parse_address(text)


def test_a_byte_order_mark_stays(program: Program) -> None:
    path: Path = program.folder / "f.json"
    path.write_bytes(b"\xef\xbb\xbf{}")

    step(program, "json_set", file="f.json", path="a", value=1)

    assert path.read_bytes() == b'\xef\xbb\xbf{"a": 1}'
