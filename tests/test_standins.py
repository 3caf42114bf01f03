"""Modules of the standard library are loaded without what they hardly ever use, and still work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LOAD = "import sys\nfrom cli_hub.standins import load_without\n"


def answer(program: str, **variables: str) -> str:
    """The last line that *program* prints in an interpreter that has loaded nothing yet."""
    done = subprocess.run(
        [sys.executable, "-c", LOAD + program],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()[-1]


def test_what_stands_in_is_not_loaded() -> None:
    program = "load_without('dataclasses', 'inspect', 'copy')\nprint('copy' in sys.modules)"
    assert answer(program) == "False"


def test_what_is_asked_of_a_stand_in_is_done_by_the_real_module() -> None:
    program = (
        "load_without('dataclasses', 'copy')\n"
        "from dataclasses import asdict, make_dataclass\n"
        "print(asdict(make_dataclass('Point', ['x'])({3})), 'copy' in sys.modules)"
    )
    assert answer(program) == "{'x': {3}} True"


def test_who_imports_it_afterwards_gets_the_real_module() -> None:
    program = "load_without('subprocess', 'locale')\nimport locale\nprint(locale.__file__ != None)"
    assert answer(program) == "True"


def test_a_module_that_is_there_stays_as_it_is() -> None:
    program = (
        "import copy, dataclasses\n"
        "load_without('dataclasses', 'copy')\n"
        "print(dataclasses.copy is copy is sys.modules['copy'])"
    )
    assert answer(program) == "True"


def test_a_search_starts_without_what_it_does_not_use(tmp_path: Path) -> None:
    unused = {"inspect", "ipaddress", "locale", "copy", "hashlib", "threading", "typer"}
    program = (
        "import os\n"
        "from cli_hub.cli.start import program\n"
        f"os._exit = lambda code: print(sorted({unused} & sys.modules.keys()), code)\n"
        "sys.argv = ['cli-hub', 'search', 'edit a photo']\n"
        "program()"
    )
    answer(program, CLI_HUB_HOME=str(tmp_path))  # builds the index
    assert answer(program, CLI_HUB_HOME=str(tmp_path)) == "[] 0"
