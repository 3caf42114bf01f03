"""Runs programs: to their end, or in the background; and finds them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_anything.macrocli.backends.base import (
    Action,
    Backend,
    BadArgument,
    Context,
    ProgramMissing,
    StepFailed,
    StepTimedOut,
    always_available,
)
from cli_anything.macrocli.fields import Arguments, Field
from cli_anything.macrocli.shapes import Shape
from cli_anything.macrocli.substitution import ListOf, Literal, references

_SHELLS = ("sh", "bash", "dash", "zsh", "ksh")
_SHOWN = 2000
"""Characters of a program's last words that go into an error message."""

_COMMAND = Field(
    "command",
    Shape.WORDS,
    required=True,
    description="a list of arguments; a line of text is split before placeholders are filled in",
)
_CWD = Field("cwd", Shape.PATH, description="the folder it runs in")
_ENV = Field("env", Shape.TEXT_MAP, default={}, description="variables on top of the environment")


def run_command(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Run a program to its end. An exit code outside ``ok_exit_codes`` is a failure."""
    from cli_anything.macrocli import programs

    done = programs.run(
        arguments["command"],
        cwd=_folder(arguments),
        env=arguments["env"],
        timeout=context.remaining(),
        stop=context.stop,
    )
    output: dict[str, Any] = {
        "exit_code": done.exit_code,
        "stdout": done.stdout if arguments["capture_stdout"] else "",
        "stderr": done.stderr,
        "truncated": done.truncated,
        "timed_out": done.timed_out,
    }
    if done.left_running:
        context.notes.append("a process it started in the background is still running")
    if done.timed_out:
        raise StepTimedOut(
            f"{done.command} was ended with all it had started after {done.seconds:.1f} s",
            hint="raise the step's timeout if it needs longer",
            output=output,
        )
    if done.exit_code not in arguments["ok_exit_codes"]:
        said = (done.stderr.strip() or done.stdout.strip())[-_SHOWN:]
        raise StepFailed(
            f"{done.command} {_ending(done.exit_code)}" + (f": {said}" if said else ""),
            output=output,
        )
    if arguments["parse"] == "json":
        output["json"] = _parse_json(done.stdout, str(done.command), output)
    return output


def _ending(code: int) -> str:
    return f"was ended by signal {-code}" if code < 0 else f"exited with {code}"


def _parse_json(text: str, command: str, output: Mapping[str, Any]) -> Any:
    try:
        return json.loads(text)
    except ValueError as problem:
        raise StepFailed(
            f"{command} did not print JSON: {problem}",
            hint="its output was too long to keep" if output["truncated"] else "",
            output=output,
        ) from None


def start_process(arguments: Mapping[str, Any], _context: Context) -> dict[str, Any]:
    """Start a program that goes on running after the step, and after the run."""
    from cli_anything.macrocli import programs

    pid = programs.start(
        arguments["command"],
        cwd=_folder(arguments),
        env=arguments["env"],
        log=arguments["log_file"],
        settle=arguments["settle_ms"],
    )
    return {"pid": pid, "log_file": str(arguments["log_file"] or "")}


def find_executable(arguments: Mapping[str, Any], context: Context) -> dict[str, Any]:
    """Find the first of some programs that is on PATH."""
    names = [arguments["name"], *arguments["candidates"]]
    for name in names:
        found = _on_path(str(name), context.environment)
        if found:
            return {"executable": found, "path": found, "name": str(name)}
    raise ProgramMissing(
        f"{' and '.join(map(str, names))} not found on PATH",
        hint=arguments["install_hint"] or f"install {names[0]}, or mend PATH",
    )


def _on_path(program: str, environment: Mapping[str, str]) -> str | None:
    import shutil  # it loads every compression library there is

    return shutil.which(program, path=environment.get("PATH", os.defpath))


def _folder(arguments: Mapping[str, Any]) -> Path | None:
    cwd: Path | None = arguments["cwd"]
    if cwd is not None and not cwd.is_dir():
        raise BadArgument(f"cwd: there is no folder {cwd}")
    return cwd


def _check_program(
    arguments: Mapping[str, Any], environment: Mapping[str, str]
) -> StepFailed | None:
    """A bare name that PATH does not have will not be there later either."""
    program = arguments["command"][0]
    if os.sep in program or (os.altsep and os.altsep in program):
        return None  # an earlier step may put it there
    if _on_path(program, {**environment, **arguments["env"]}):
        return None
    return ProgramMissing(
        f"there is no program {program!r} on PATH", hint=f"install {program}, or mend PATH"
    )


def _lint_shell(arguments: Arguments) -> str:
    """A value inside a shell's script is executed as code unless it is quoted for the shell."""
    command = arguments.templates.get("command")
    if not isinstance(command, ListOf) or not isinstance(command.items[0], Literal):
        return ""
    if command.items[0].spelling.rpartition(os.sep)[2] not in _SHELLS:
        return ""
    words = iter(command.items)
    for word in words:
        if isinstance(word, Literal) and word.spelling.startswith("-") and "c" in word.spelling:
            script = next(words, None)
            bare = [r for r in references(script) if r.filter != "sh"] if script else []
            if bare:
                name = bare[0].name
                return (
                    f"the shell would execute what {name} holds; write ${{{name}|sh}}, "
                    "or run the program without a shell"
                )
    return ""


BACKEND = Backend(
    name="native_api",
    priority=100,
    summary="runs the application's own programs",
    actions=(
        Action(
            "run_command",
            (
                _COMMAND,
                _CWD,
                _ENV,
                Field("ok_exit_codes", Shape.LIST, default=[0], description="what counts as done"),
                Field("parse", default="text", choices=("text", "json"), description="of stdout"),
                Field("capture_stdout", Shape.BOOLEAN, default=True, description="keep it"),
            ),
            ("exit_code", "stdout", "stderr", "truncated", "timed_out", "json"),
            run_command,
            "run a program to its end",
            check=_check_program,
            lint=_lint_shell,
        ),
        Action(
            "start_process",
            (
                _COMMAND,
                _CWD,
                _ENV,
                Field("log_file", Shape.PATH, description="where its output goes"),
                Field(
                    "settle_ms",
                    Shape.MILLISECONDS,
                    default=0.2,
                    description="how long it must live for the start to count",
                ),
            ),
            ("pid", "log_file"),
            start_process,
            "start a program in the background",
            check=_check_program,
        ),
        Action(
            "find_executable",
            (
                Field("name", required=True),
                Field("candidates", Shape.LIST, default=[], description="other names it may have"),
                Field("install_hint", default=""),
            ),
            ("executable", "path", "name"),
            find_executable,
            "find a program on PATH",
        ),
    ),
    probe=always_available,
)
