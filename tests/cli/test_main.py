"""The program as a whole: one JSON document whatever happens, codes, quiet pipes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import COMMANDS, main
from cli_hub.cli.surface import display_width, printable
from tests.support.harnesses import Machine

PROGRAM = [sys.executable, "-m", "cli_hub"]


def test_the_version_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("cli-hub 0.")


@pytest.mark.parametrize(
    "line",
    [
        ["--json", "schema", "no-such"],
        ["schema", "no-such", "--json"],
        ["schema", "--json", "--no-such-option"],
        ["--json", "no-such-command"],
        ["--json", "schema", "a", "b"],
    ],
)
def test_a_failure_is_one_json_document_wherever_the_switch_stands(
    line: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(line)

    document = json.loads(capsys.readouterr().out)
    jsonschema.validate(document, schemas.load("error"))
    assert code in (2, 3)


def test_a_failure_tells_people_what_to_do_next(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["no-such-command"]) == 2

    said = capsys.readouterr()
    assert said.out == ""
    assert "next: cli-hub --help" in said.err


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_explains_itself_and_takes_json(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name, "--help"]) == 0

    text = capsys.readouterr().out
    assert "Usage: cli-hub" in text
    assert "--json" in text or "Commands:" in text


@pytest.mark.parametrize("words", [("list",), ("schema", "error"), ("schema", "error", "--json")])
def test_a_reader_that_has_seen_enough_causes_no_complaint(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [*PROGRAM, *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=30,
        check=False,
    )
    os.close(writer)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("list",), 1),
        (("schema", "error", "--json"), 1),
        (("info", "nothing-of-this-name", "--json"), 3),
    ],
)
def test_an_answer_that_finds_no_room_is_a_failure_that_says_so(
    words: tuple[str, ...], code: int
) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=30,
            check=False,
        )

    assert done.returncode == code
    assert "the answer cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr
    assert ("nothing-of-this-name" in done.stderr) == (code == 3)


def completed(line: str, home: Path | None = None) -> list[str]:
    """What bash offers after *line*."""
    environment = {
        "_CLI_HUB_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(line.count(" ")),
        "CLI_HUB_HOME": str(home or ""),
    }
    done = subprocess.run(
        PROGRAM, env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_shells_complete_command_names() -> None:
    assert completed("cli-hub sch") == ["schema"]


@pytest.mark.parametrize("verb", ["info", "install", "registry verify"])
def test_shells_complete_what_the_registries_have(verb: str, tmp_path: Path) -> None:
    assert completed(f"cli-hub {verb} image", tmp_path) == ["imagemagick"]


@pytest.mark.parametrize(
    "verb",
    ["launch", "run", "uninstall", "update", "pin", "rollback", "doctor", "skill show"],
)
def test_shells_complete_what_is_installed(verb: str, machine: Machine) -> None:
    machine.index.add("demo", "1.0")
    machine.install("demo")

    assert completed(f"cli-hub {verb} de", machine.paths.home) == ["demo"]
    assert completed(f"cli-hub {verb} x", machine.paths.home) == []


def test_shells_complete_macros_runs_sources_and_schemas(tmp_path: Path) -> None:
    macro = tmp_path / "macros" / "mine.yaml"
    macro.parent.mkdir()
    macro.write_text("name: mine\nsteps: []\n")

    assert completed("cli-hub macro run mi", tmp_path) == ["mine"]
    assert completed("cli-hub macro info us", tmp_path) == ["user/mine"]
    assert completed("cli-hub runs show la", tmp_path) == ["latest"]
    assert completed("cli-hub registry sources enable em", tmp_path) == ["embedded"]
    assert completed("cli-hub schema run-", tmp_path) == ["run-list"]


@pytest.mark.parametrize("name", ["m$(touch x)", "m;ls", "m\\x1b[31m", "m\\u202e", "m n", "m`id`"])
def test_a_name_the_shell_would_act_on_is_not_offered(name: str, tmp_path: Path) -> None:
    file = tmp_path / "macros" / "trap.yaml"
    file.parent.mkdir()
    file.write_text(f'name: "{name}"\nsteps: []\n')

    assert completed("cli-hub macro run m", tmp_path) == []


def test_a_shell_gets_no_complaint_where_nothing_can_be_offered(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("this is not TOML")

    assert completed("cli-hub info im", tmp_path) == []


def test_text_from_outside_cannot_steer_the_terminal() -> None:
    assert (
        printable("red\x1b[31m \u202eevil\u200b \x07")
        == "red\\u001b[31m \\u202eevil\\u200b \\u0007"
    )
    assert printable("Grüße, 你好\tend\n") == "Grüße, 你好\tend\n"


def test_wide_characters_keep_columns_aligned() -> None:
    assert display_width("你好") == 4
    assert display_width("e\u0301") == 1


def test_starting_costs_no_heavy_import() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "cli_hub", "schema"],
        capture_output=True,
        text=True,
        timeout=30,
        check=True,
    )

    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    heavy = {
        "rich.console",
        "httpx",
        "yaml",
        "jinja2",
        "jsonschema",
        "psutil",
        "watchdog",
        "asyncio",
    }
    assert not heavy & imported


def test_ending_the_hub_politely_is_an_interruption(tmp_path: Path) -> None:
    code = (
        "import time, sys\n"
        "from cli_hub.cli import main as program\n"
        "import typer\n"
        "extra = program.HubApp()\n"
        "@extra.command('wait')\n"
        "def wait(ctx: typer.Context) -> None:\n"
        "    print('waiting', file=sys.stderr, flush=True); time.sleep(30)\n"
        "sys.modules['extra'] = sys.modules['__main__']\n"
        "app = extra\n"
        "program.COMMANDS['wait'] = 'extra'\n"
        "raise SystemExit(program.main(['wait', '--json']))\n"
    )
    hub = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert hub.stderr is not None
    assert hub.stderr.readline() == "waiting\n"
    time.sleep(0.1)

    hub.send_signal(signal.SIGTERM)

    out, _ = hub.communicate(timeout=10)
    assert hub.returncode == 130
    assert json.loads(out)["error"]["code"] == "interrupted"
