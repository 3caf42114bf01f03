"""A macro file is read whole, and everything that is wrong with it is told at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_anything.macrocli.problems import BadMacro, UnknownInMacro
from cli_anything.macrocli.read_macro import load_macro, parse_macro
from cli_anything.macrocli.substitution import Literal


def read(text: str) -> object:
    return parse_macro(text, source="m.yaml", folder=Path("/"))


def problems_of(text: str) -> BadMacro:
    with pytest.raises(BadMacro) as caught:
        read(text)
    return caught.value


STEP = "steps:\n  - action: run_command\n    params: {command: [echo]}\n"


def test_every_problem_is_told_at_once_with_line_column_and_legal_values() -> None:
    error = problems_of(
        "name: m\n"
        "stepz: []\n"
        "parameters:\n"
        "  a: {type: strng}\n"
        "steps:\n"
        "  - action: run_command\n"
        "    params: {command: [echo]}\n"
        "    on_fail: skip\n"
        "    on_failure: abort\n"
        "    tiemout: 3\n"
    )
    found = {(p.place.line, p.place.column): p for p in error.problems}

    assert found[2, 1].hint == "did you mean 'steps'?"
    assert found[4, 13].expected.startswith("string, integer")
    assert found[4, 13].hint == "did you mean 'string'?"
    assert found[8, 5].hint == "did you mean 'on_failure'?"
    assert found[9, 17].expected == "fail, skip or continue"
    assert found[10, 5].hint == "did you mean 'timeout'?"
    assert error.exit_code == 2
    assert "m.yaml:2:1: unknown key 'stepz'" in error.message


def test_keys_that_start_with_x_are_free() -> None:
    read(f"name: m\nx-author: me\n{STEP}    x-note: fine\n")


def test_a_key_that_is_there_twice_is_refused_with_both_places() -> None:
    error = problems_of(f"name: m\nname: n\n{STEP}")

    assert "'name' is here twice; first on line 1" in error.message


def test_scalars_mean_what_yaml_1_2_says() -> None:
    macro = load_text(
        f"name: m\nparameters:\n  a: {{type: string, default: yes}}\n"
        f"  b: {{type: string, default: 010}}\n  c: {{type: integer, default: 0o17}}\n{STEP}"
    )

    assert macro.parameters["a"].default == Literal("yes", "yes")
    assert macro.parameters["b"].default == Literal("010", "010")
    assert macro.parameters["c"].default == Literal(15, "0o17")


def load_text(text: str):  # type: ignore[no-untyped-def]
    return parse_macro(text, source="m.yaml", folder=Path("/"))


def test_an_alias_that_contains_itself_is_refused() -> None:
    error = problems_of("name: m\nsteps: &a [*a]\n")

    assert "contains itself" in error.message


def test_a_file_that_grows_through_aliases_is_refused() -> None:
    lines = ["x-0: &n0 [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"x-{i}: &n{i} [{','.join(f'*n{i - 1}' for _ in range(10))}]" for i in range(1, 9)]

    assert "more than" in problems_of("\n".join(lines)).message


def test_a_bare_placeholder_in_a_flow_list_says_to_quote_it() -> None:
    error = problems_of(f"name: m\npostconditions:\n  - file_size_gt: [${{out}}, 1]\n{STEP}")

    assert "quote it" in error.hint


def test_an_unknown_condition_is_a_gap_when_the_file_is_read() -> None:
    with pytest.raises(UnknownInMacro) as caught:
        read(f"name: m\npostconditions:\n  - file_exist: x\n{STEP}")

    assert caught.value.exit_code == 3
    assert caught.value.hint == "did you mean 'file_exists'?"


def test_an_unknown_action_is_a_gap_and_the_nearest_one_is_named() -> None:
    with pytest.raises(UnknownInMacro) as caught:
        read("name: m\nsteps:\n  - action: run_comand\n")

    assert "run_command" in caught.value.hint


def test_an_action_of_another_backend_is_not_sent_to_the_one_that_is_asked() -> None:
    with pytest.raises(UnknownInMacro, match="native_api has no action 'json_set'"):
        read("name: m\nsteps:\n  - backend: native_api\n    action: json_set\n")


def test_a_gap_with_an_alternative_is_no_problem() -> None:
    read(
        "name: m\nsteps:\n  - backend: teleport\n    action: beam\n    alternatives:\n"
        "      - action: run_command\n        params: {command: [echo]}\n"
    )


def test_a_placeholder_that_names_nothing_is_found_before_anything_runs() -> None:
    error = problems_of(
        "name: m\nparameters: {output: {}}\nsteps:\n"
        "  - action: run_command\n    params: {command: [echo, '${outptu}']}\n"
    )

    assert "${outptu} is not a parameter" in error.message
    assert error.hint == "did you mean 'output'?"


def test_a_placeholder_may_only_name_a_step_that_comes_before() -> None:
    error = problems_of(
        "name: m\nsteps:\n"
        "  - {id: a, action: run_command, params: {command: [echo, '${steps.b.stdout}']}}\n"
        "  - {id: b, action: run_command, params: {command: [echo, '${steps.a.stduot}']}}\n"
    )

    assert "names a step that does not come before" in error.message
    assert "did you mean 'stdout'?" in error.message


def test_defaults_must_not_need_each_other() -> None:
    error = problems_of(
        f"name: m\nparameters:\n  a: {{default: '${{b}}'}}\n  b: {{default: '${{a}}'}}\n{STEP}"
    )

    assert "needs itself" in error.message


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ("{type: integer, default: x}", "must be a whole number"),
        ("{type: integer, default: 5, max: 3}", "at most 3"),
        ("{type: string, min: 3}", "min has no meaning"),
        ("{type: string, pattern: '('}", "not a regular expression"),
        ("{type: string, enum: [a, b], default: c}", "must be 'a' or 'b'"),
        ("{type: boolean, required: 'perhaps'}", "must be true or false"),
    ],
)
def test_a_parameter_that_contradicts_itself_is_refused(parameter: str, said: str) -> None:
    assert said in problems_of(f"name: m\nparameters:\n  a: {parameter}\n{STEP}").message


def test_two_steps_with_one_id_are_refused() -> None:
    two = "  - {id: a, action: run_command, params: {command: [echo]}}\n" * 2

    assert "two steps are called 'a'" in problems_of(f"name: m\nsteps:\n{two}").message


def test_a_retry_count_may_be_quoted_but_must_be_a_number() -> None:
    macro = load_text(f"name: m\n{STEP}    max_retries: '2'\n")

    assert macro.steps[0].retries == 2
    assert "whole number" in problems_of(f"name: m\n{STEP}    max_retries: two\n").message


@pytest.mark.parametrize(("text", "seconds"), [("1.5s", 1.5), ("2m", 120), ("250ms", 0.25)])
def test_a_timeout_has_a_unit(text: str, seconds: float) -> None:
    assert load_text(f"name: m\n{STEP}    timeout: {text}\n").steps[0].timeout == seconds


def test_a_shell_script_with_an_unquoted_placeholder_is_warned_about() -> None:
    macro = load_text(
        "name: m\nparameters: {p: {required: true}}\nsteps:\n"
        "  - {action: run_command, params: {command: [sh, -c, 'echo ${p}']}}\n"
        "  - {action: run_command, params: {command: [sh, -c, 'echo ${p|sh}']}}\n"
    )

    (warning,) = macro.warnings
    assert "${p|sh}" in warning.message


def test_a_file_that_is_not_there_is_not_found_and_bytes_are_not_a_macro(tmp_path: Path) -> None:
    broken = tmp_path / "b.yaml"
    broken.write_bytes(b"name: m\n\xff\xfe")

    with pytest.raises(BadMacro, match="not UTF-8"):
        load_macro(broken)


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    file = tmp_path / "m.yaml"
    file.write_bytes(b"\xef\xbb\xbf" + f"name: m\n{STEP}".replace("\n", "\r\n").encode())

    assert load_macro(file).name == "m"
