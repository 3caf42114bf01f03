"""One call of a macro from its parameters to its record; what ``run`` and ``map`` share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from cli_anything.kit.errors import BadProject, HarnessError
from cli_anything.macrocli.consent import require_consent
from cli_anything.macrocli.model import Macro
from cli_anything.macrocli.outcome import RunResult
from cli_anything.macrocli.plan import Planner
from cli_anything.macrocli.records import Records, Run, new_run_id
from cli_anything.macrocli.runner import run_plan
from cli_anything.macrocli.secrecy import MASK
from cli_anything.macrocli.walk import Progress

if TYPE_CHECKING:
    from cli_anything.kit.processes import Stop


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Recorder:
    """Where runs are kept, and under which session."""

    records: Records
    session: str


def run_recorded(
    macro: Macro,
    planner: Planner,
    given: Mapping[str, Any],
    recorder: Recorder,
    *,
    consent: bool,
    progress: Progress = lambda _step: None,
    stop: Stop | None = None,
) -> RunResult:
    """Plan, run and record one call.

    What stops it before its first step is raised, after it was recorded too. A record that cannot
    be written is a warning in the result: the run itself has happened.
    """
    run_id = new_run_id()
    shown = {
        name: MASK if name in macro.parameters and macro.parameters[name].secret else value
        for name, value in given.items()
    }
    try:
        plan = planner.plan(macro, given)
        require_consent(plan, given=consent)
        result = run_plan(plan, planner, progress=progress, stop=stop)
    except HarnessError as problem:
        _keep(recorder, _refused(run_id, recorder.session, macro, shown, problem))
        raise
    result.run_id, result.session_id = run_id, recorder.session
    problem_text = _keep(recorder, _kept(result, plan.secrets.mask(shown)))
    if problem_text:
        result.warnings.append(problem_text)
    return result


def _keep(recorder: Recorder, run: Run) -> str:
    try:
        recorder.records.add(run)
    except BadProject as problem:
        return f"the run is not recorded: {problem.message}"
    return ""


def _kept(result: RunResult, parameters: Mapping[str, Any]) -> Run:
    return Run(
        result.run_id,
        result.session_id,
        result.macro,
        result.version,
        result.started_at,
        round(result.seconds * 1000, 1),
        result.status.value,
        result.success,
        result.exit_code,
        parameters,
        result.as_document(),
    )


def _refused(
    run_id: str, session: str, macro: Macro, parameters: Mapping[str, Any], problem: HarnessError
) -> Run:
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    return Run(
        run_id,
        session,
        macro.name,
        macro.version,
        now,
        0.0,
        "refused",
        success=False,
        exit_code=problem.exit_code,
        parameters=parameters,
        answer={"error": problem.as_dict()},
    )
