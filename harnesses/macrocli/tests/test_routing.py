"""Who carries out a step: decided purely, explained, never silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_anything.macrocli.backends.base import AVAILABLE, Availability, Backend, unavailable
from cli_anything.macrocli.model import Step
from cli_anything.macrocli.read_macro import parse_macro
from cli_anything.macrocli.routing import NoRoute, Route, route
from harnesses.macrocli.tests.program import Program


def step(text: str) -> Step:
    macro = parse_macro(f"name: m\nsteps:\n  - {text}\n", source="m.yaml", folder=Path("/"))
    return macro.steps[0]


def choose(text: str, *missing: str) -> Route:
    def probe(backend: Backend, _action: str) -> Availability:
        if backend.name in missing:
            return unavailable(f"{backend.name} is broken", f"mend {backend.name}")
        return AVAILABLE

    return route(step(text), probe)


TYPE = "action: type_text, params: {text: x}"


def test_the_highest_priority_that_offers_the_action_wins() -> None:
    assert choose(f"{{{TYPE}}}").backend.name == "visual_anchor"


def test_a_step_gets_the_backend_it_asks_for() -> None:
    assert choose(f"{{backend: semantic_ui, {TYPE}}}").backend.name == "semantic_ui"


def test_another_backend_with_the_same_action_steps_in_and_says_so() -> None:
    chosen = choose(f"{{backend: semantic_ui, {TYPE}}}", "semantic_ui")

    assert chosen.backend.name == "visual_anchor"
    assert "semantic_ui is not available (semantic_ui is broken)" in chosen.note


def test_a_step_is_never_sent_to_a_backend_without_its_action() -> None:
    with pytest.raises(NoRoute) as caught:
        choose("{backend: gui_macro, action: replay, params: {sequence: s}}", "gui_macro")

    assert "gui_macro not available: gui_macro is broken" in caught.value.message
    assert caught.value.hint == "mend gui_macro"
    assert caught.value.exit_code == 3


def test_a_declared_alternative_is_taken_and_shown() -> None:
    chosen = choose(
        "{backend: gui_macro, action: replay, params: {sequence: s}, alternatives: "
        "[{action: run_command, params: {command: [echo]}}]}",
        "gui_macro",
    )

    assert (chosen.backend.name, chosen.alternative) == ("native_api", 1)
    assert "gui_macro is broken" in chosen.note


def test_recovery_is_only_chosen_where_it_is_named() -> None:
    inner = "params: {step: {action: run_command, params: {command: [echo]}}}"

    assert choose(f"{{backend: recovery, action: retry, {inner}}}").backend.name == "recovery"
    with pytest.raises(NoRoute, match="only where a step names it"):
        choose(f"{{action: retry, {inner}}}")


def test_everyone_is_in_the_explanation() -> None:
    chosen = choose("{action: run_command, params: {command: [echo]}}")
    reasons = {one.backend: one.reason for one in chosen.considered}

    assert len(reasons) == 7
    assert reasons["native_api"] == ""
    assert reasons["file_transform"] == "it has no action run_command"


def test_the_answer_tells_who_was_considered(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n"
        "  - {id: a, action: shortcut, params: {keys: a}, alternatives: "
        "[{action: run_command, params: {command: ['true']}}]}\n"
    )
    telemetry = outcome.document["telemetry"]

    assert outcome.exit_code == 0
    assert telemetry["backends_used"] == ["native_api"]
    assert "alternative 1" in telemetry["warnings"][0]
    assert telemetry["routing"]["a"][0]["backend"] == "semantic_ui"


def test_retrying_lists_its_attempts_and_the_path_it_took(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - id: r\n    backend: recovery\n    action: retry_with_fallback\n"
        "    params:\n      attempts: 2\n      steps:\n"
        "        - {action: run_command, params: {command: ['false']}}\n"
        "        - {action: run_command, params: {command: [echo, there]}}\n"
        "outputs: [{name: said, value: '${steps.r.stdout}'}]\n"
    )
    output = outcome.document["steps"][0]["output"]

    assert [one["outcome"] for one in output["tried"]] == ["failed", "failed", "success"]
    assert output["taken"] == 3
    assert outcome.document["output"]["said"]["value"] == "there\n"


def test_retrying_in_vain_fails_with_every_attempt(program: Program) -> None:
    outcome = program.run(
        "name: m\nsteps:\n  - backend: recovery\n    action: retry\n    params:\n"
        "      attempts: 2\n      backoff_ms: 20\n"
        "      step: {action: run_command, params: {command: ['false']}}\n"
    )

    assert outcome.exit_code == 1
    assert len(outcome.document["steps"][0]["output"]["tried"]) == 2
