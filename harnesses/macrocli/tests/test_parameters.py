"""Values from a command line are coerced by the declared type, or refused by name."""

from __future__ import annotations

import pytest

from harnesses.macrocli.tests.program import Program

ECHO = """\
name: m
parameters:
  p: {declared}
steps:
  - id: say
    action: run_command
    params: {{command: [printf, '%s', '${{p}}']}}
"""


@pytest.mark.parametrize(
    ("declared", "given", "said"),
    [
        ("{type: boolean}", "yes", "true"),
        ("{type: boolean}", "0", "false"),
        ("{type: integer}", "007", "7"),
        ("{type: float, min: 0, max: 1}", "0.5", "0.5"),
        ("{type: string}", "1.0", "1.0"),
        ("{type: dict}", '{"a": 1}', '{"a": 1}'),
        ("{type: string, pattern: '[a-z]+'}", "abc", "abc"),
    ],
)
def test_a_value_is_coerced_by_its_type(
    program: Program, declared: str, given: str, said: str
) -> None:
    outcome = program.run(ECHO.format(declared=declared), f"p={given}")

    assert outcome.document["steps"][0]["output"]["stdout"] == said


@pytest.mark.parametrize(
    ("declared", "given", "said"),
    [
        ("{type: boolean}", "maybe", "p must be true, false, yes, no, 1 or 0"),
        ("{type: float, min: 0, max: 1}", "abc", "p must be a number"),
        ("{type: float, min: 0, max: 1}", "1.5", "p must be at most 1"),
        ("{type: float}", "nan", "p must be a finite number"),
        ("{type: integer}", "1.5", "p must be a whole number"),
        ("{type: dict}", "a", "p must be a JSON object"),
        ("{type: list}", "[1", "p must be a JSON list"),
        ("{type: string, pattern: '[a-z]+'}", "abc1", "p must match"),
        ("{type: string, enum: [a, b]}", "c", "p must be 'a' or 'b'"),
        ("{type: string, required: true}", "", "p is empty"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_name(
    program: Program, declared: str, given: str, said: str
) -> None:
    outcome = program.run(ECHO.format(declared=declared), f"p={given}")

    assert outcome.exit_code == 2
    assert outcome.error["code"] == "bad_parameter"
    assert said in outcome.error["message"]


def test_a_list_is_one_argument_an_element(program: Program) -> None:
    outcome = program.run(ECHO.format(declared="{type: list}"), "p=a b,c")

    assert outcome.document["steps"][0]["output"]["stdout"] == "a bc"


def test_all_wrong_parameters_are_told_together_with_the_nearest_name(program: Program) -> None:
    outcome = program.run(ECHO.format(declared="{required: true}"), "pp=1")

    assert "there is no parameter 'pp', did you mean 'p'?" in outcome.error["message"]
    assert "p is required" in outcome.error["message"]


def test_a_parameter_without_a_value_stops_the_run_before_its_first_step(program: Program) -> None:
    outcome = program.run(
        "name: m\nparameters: {out: {}}\nsteps:\n"
        "  - {action: run_command, params: {command: [touch, before]}}\n"
        "  - {action: run_command, params: {command: [touch, '${out}']}}\n"
    )

    assert outcome.exit_code == 2
    assert outcome.error["code"] == "unresolved"
    assert "out is not set" in outcome.error["message"]
    assert not (program.folder / "before").exists()


def test_a_pair_without_an_equals_sign_is_wrong_usage(program: Program) -> None:
    outcome = program.run(ECHO.format(declared="{}"), "p")

    assert outcome.exit_code == 2
    assert "-p p has no value" in outcome.error["message"]


def test_an_empty_value_is_fine_where_the_parameter_allows_it(program: Program) -> None:
    outcome = program.run(ECHO.format(declared="{required: true, allow_empty: true}"), "p=")

    assert outcome.exit_code == 0


def test_a_default_may_be_made_of_other_parameters(program: Program) -> None:
    outcome = program.run(
        "name: m\nparameters: {a: {required: true}, b: {default: '${a}.orig'}}\nsteps:\n"
        "  - {action: run_command, params: {command: [echo, '${b}']}}\n",
        "a=x",
    )

    assert outcome.document["steps"][0]["output"]["stdout"] == "x.orig\n"


def test_a_default_may_hold_a_literal_placeholder(program: Program) -> None:
    outcome = program.run(
        "name: m\nparameters:\n  a: {default: 'costs $${x}'}\n"
        "  l: {type: list, default: ['$${y}', 1]}\nsteps:\n"
        "  - {action: run_command, params: {command: [echo, '${a}', '${l}']}}\n"
    )

    assert outcome.document["steps"][0]["output"]["stdout"] == "costs ${x} ${y} 1\n"


def test_a_path_is_made_absolute_and_its_tilde_expanded(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/somebody")
    text = ECHO.format(declared="{type: path}")

    here = program.run(text, "p=x/y").document["steps"][0]["output"]["stdout"]
    home = program.run(text, "p=~/y").document["steps"][0]["output"]["stdout"]

    assert here == str(program.folder / "x/y")
    assert home == "/home/somebody/y"


def test_a_secret_is_masked_wherever_it_would_show(program: Program) -> None:
    text = (
        "name: m\nparameters: {pw: {secret: true}}\nsteps:\n"
        "  - {action: run_command, params: {command: [echo, 'pw=${pw}'] }}\n"
        "  - {action: run_command, on_failure: skip, params: {command: [cat, '/nope/${pw}']}}\n"
    )

    ran = program.run(text, 'pw=s3cr"et ä')
    dry = program.run(text, 'pw=s3cr"et ä', flags=("--dry-run",))

    for outcome in (ran, dry):
        assert outcome.exit_code == 0
        assert "s3cr" not in outcome.out + outcome.err
        assert "***" in outcome.out


def test_a_secret_that_is_refused_is_not_shown(program: Program) -> None:
    outcome = program.run(ECHO.format(declared="{secret: true, type: integer}"), "p=hunter2")

    assert outcome.exit_code == 2
    assert "hunter2" not in outcome.out + outcome.err
