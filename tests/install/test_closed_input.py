"""Foreign installers get no input: not the hub's own, and not its terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.harnesses import Machine
from tests.support.http_server import Server, http_server
from tests.support.programs import Programs
from tests.support.registries import entry, registry_file
from tests.support.terminal import Terminal, terminal

READS = """\
#!/bin/sh
if read answer; then echo "read $answer"; else echo "end of file"; fi > '{folder}/input'
if (exec < /dev/tty) 2> /dev/null; then echo "a terminal"; else echo "none"; fi >> '{folder}/input'
printf '#!/bin/sh\\necho made\\n' > '{folder}/thing'
chmod +x '{folder}/thing'
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    return Programs(tmp_path / "programs", monkeypatch)


@pytest.fixture
def site(programs: Programs) -> Iterator[Server]:
    with http_server() as server:
        server.gives(READS.format(folder=programs.folder))
        yield server


def recipe(strategy: str, site: Server, programs: Programs) -> dict[str, object]:
    if strategy == "script":
        return {"strategy": "script", "url": f"{site.url}/install.sh", "interpreter": "sh"}
    reader = programs.add("setup-thing")
    reader.write_text(READS.format(folder=programs.folder))
    return {"strategy": "command", "steps": [["setup-thing"]]}


@contextmanager
def installing(machine: Machine, folder: Path, install: dict[str, object]) -> Iterator[Terminal]:
    """A person who installs ``thing`` at a terminal."""
    registry = registry_file(folder, entry("thing", install=install, install_cmd=None))
    env = {"CLI_HUB_HOME": str(machine.paths.home), "CLI_HUB_REGISTRY": str(registry)}
    line = [sys.executable, "-m", "cli_hub", "install", "thing"]
    with terminal(line, {**os.environ, **env}) as person:
        yield person


@pytest.mark.parametrize("strategy", ["script", "command"])
def test_an_installer_that_reads_gets_the_end_of_file_also_at_a_terminal(
    machine: Machine,
    programs: Programs,
    site: Server,
    tmp_path: Path,
    strategy: str,
) -> None:
    with installing(machine, tmp_path, recipe(strategy, site, programs)) as person:
        person.until("Run it?")
        person.type("y\n")
        person.type("a line meant for the installer\n")
        assert person.end() == 0, person.shown

    assert (programs.folder / "input").read_text() == "end of file\nnone\n"
    assert list(machine.installer().installed()) == ["thing"]


@pytest.mark.parametrize("answer", ["n\n", "\n"])
def test_a_person_who_does_not_agree_has_nothing_run(
    machine: Machine,
    programs: Programs,
    site: Server,
    tmp_path: Path,
    answer: str,
) -> None:
    with installing(machine, tmp_path, recipe("script", site, programs)) as person:
        person.until('if read answer; then echo "read $answer"')
        person.until("Run it?")
        person.type(answer)
        assert person.end() == 6, person.shown

    assert not (programs.folder / "thing").exists()
    assert machine.installer().installed() == {}
