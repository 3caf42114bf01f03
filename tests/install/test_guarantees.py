"""What must hold whatever happens: kills at any instant, and crowds."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli_hub.install.doctor import Doctor
from cli_hub.install.finding import Level
from cli_hub.install.generations import Generations
from tests.support.harnesses import Machine, entry


class Outside:
    """The program in processes of its own, over the machine's index."""

    def __init__(self, machine: Machine, folder: Path) -> None:
        self.machine = machine
        self.registry = folder / "registry.json"
        self.offer("demo")

    def offer(self, *names: str) -> None:
        entries = [dict(entry(name).raw) for name in names]
        self.registry.write_text(json.dumps({"meta": {}, "clis": entries}))

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", "cli_hub", *arguments],
            env={
                **os.environ,
                "CLI_HUB_HOME": str(self.machine.paths.home),
                "CLI_HUB_REGISTRY": str(self.registry),
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def __call__(self, *arguments: str) -> str:
        process = self.start(*arguments)
        output, _ = process.communicate(timeout=120)
        assert process.returncode == 0, output
        return output


@pytest.fixture
def outside(machine: Machine, tmp_path: Path) -> Outside:
    machine.index.add("demo", "1.0")
    machine.index.add("demo", "2.0")
    return Outside(machine, tmp_path)


def answer(machine: Machine) -> str:
    return subprocess.run(
        [str(machine.paths.bin / "demo")], capture_output=True, text=True, timeout=30, check=True
    ).stdout.strip()


def prepare(outside: Outside, line: list[str]) -> None:
    """Bring the machine to where *line* has something to do."""
    installer = outside.machine.installer()
    if "demo" in installer.installed() and line[:1] == ["install"]:
        installer.uninstall("demo")
    if line[:1] == ["install"]:
        return
    wanted = "2.0" if line[0] == "rollback" else "1.0"
    for version in dict.fromkeys(("1.0", wanted)):
        current = installer.installed().get("demo")
        former = Generations(outside.machine.paths.environments / "demo").previous()
        if current is None or current.version != version or (wanted == "2.0" and not former):
            outside("install", f"demo=={version}")
    installer.pin("demo", pinned=False)


LINES = (["install", "demo"], ["update", "demo"], ["rollback", "demo"], ["uninstall", "demo"])


def undisturbed(outside: Outside, line: list[str]) -> float:
    """Seconds that *line* takes here, so that the instants to kill it at are within them."""
    prepare(outside, line)
    began = time.monotonic()
    outside(*line)
    return time.monotonic() - began


def storm(outside: Outside, kills: int, seed: int) -> None:
    """Kill the program *kills* times; a run that ended before its instant does not count as one."""
    chance = random.Random(seed)  # noqa: S311
    machine = outside.machine
    lasted = {line[0]: undisturbed(outside, line) for line in LINES}
    killed = 0
    for number in range(kills * 10):
        line = LINES[killed % len(LINES)]
        prepare(outside, line)
        began = time.monotonic()
        process = outside.start(*line)
        try:
            process.wait(chance.uniform(0, lasted[line[0]]))
            lasted[line[0]] = time.monotonic() - began
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            killed += 1
        process.communicate()

        installed = machine.installer().installed()
        assert machine.warnings == [], "the ledger opens without repairs"
        if line[0] in ("update", "rollback"):
            assert installed["demo"].version in ("1.0", "2.0")
            assert answer(machine) in ("1.0", "2.0"), f"round {number}: what worked still works"

        outside("install", "demo")
        assert answer(machine) in ("1.0", "2.0")

        doctor = Doctor(machine.installer(), lambda name: entry(name))
        doctor.fix()
        faults = [each for each in doctor.examine_all() if each.level is Level.PROBLEM]
        assert faults == []
        folder = Generations(machine.paths.environments / "demo")
        assert {path.name for path in folder.folder.iterdir()} == {
            "current",
            *(path.name for path in folder.finished()),
        }
        if killed == kills:
            return
    pytest.fail(f"only {killed} of {kills} runs could be killed before they ended")


@pytest.mark.slow
def test_a_kill_at_any_instant_leaves_what_worked_working(outside: Outside) -> None:
    storm(outside, kills=4, seed=20261130)


@pytest.mark.soak
def test_two_hundred_kills_leave_what_worked_working(outside: Outside) -> None:
    storm(outside, kills=200, seed=int(os.environ.get("CLI_HUB_STORM_SEED", "1")))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_installation_cleans_up_behind_itself(
    outside: Outside, number: signal.Signals
) -> None:
    slow = "import time\n\ndef main():\n    time.sleep(60)\n"
    outside.machine.index.add("demo", "3.0", scripts={"demo": slow})
    process = outside.start("install", "demo")
    folder = outside.machine.paths.environments / "demo"
    deadline = time.monotonic() + 30
    while not list(folder.glob("*/bin/demo")) and time.monotonic() < deadline:
        time.sleep(0.02)

    process.send_signal(number)
    output, _ = process.communicate(timeout=30)

    assert process.returncode == 130, output
    assert not folder.exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupting_many_ends_all_of_them_and_resume_takes_them_up(
    outside: Outside, number: signal.Signals
) -> None:
    slow = "import time\n\ndef main():\n    time.sleep(60)\n"
    machine, names = outside.machine, ("demo", "other", "ready")
    for name in ("demo", "other"):
        machine.index.add(name, "3.0", scripts={name: slow})
    machine.index.add("ready")
    outside.offer(*names)
    process = outside.start("install", *names)
    folders = [machine.paths.environments / name for name in ("demo", "other")]
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (
        all(list(folder.glob(f"*/bin/{folder.name}")) for folder in folders)
        and "ready" in machine.installer().installed()
    ):
        time.sleep(0.02)

    process.send_signal(number)
    output, _ = process.communicate(timeout=30)

    assert process.returncode == 130, output
    assert [folder.name for folder in folders if folder.exists()] == []
    for name in ("demo", "other"):
        machine.index.add(name, "4.0")
    outside("install", "--resume")
    found = {name: each.version for name, each in machine.installer().installed().items()}
    assert found == {"demo": "4.0", "other": "4.0", "ready": "1.0"}


CROWD = """\
import json, os, sys
from pathlib import Path
from cli_hub.install.installer import Installer
from cli_hub.paths import Paths
from cli_hub.registry.entry import Entry
home, records = Path(sys.argv[1]), json.loads(sys.argv[2])
gate, opener = os.pipe()
children = []
for record in records:
    child = os.fork()
    if child:
        children.append(child)
        continue
    os.close(opener)
    os.read(gate, 1)  # returns for all of them when the parent closes its end
    installer = Installer(Paths(home))
    plan = installer.plan(Entry.parse(record, source="tests"))
    os._exit(0 if installer.install(plan).version == "1.0" else 1)
os.close(opener)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


def released_together(machine: Machine, names: list[str]) -> None:
    """One process a name, all let loose at one moment; each must have installed its harness."""
    records = json.dumps([dict(entry(name).raw) for name in names])
    done = subprocess.run(
        [sys.executable, "-c", CROWD, str(machine.paths.home), records],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
def test_forty_processes_installing_forty_harnesses_are_all_recorded(machine: Machine) -> None:
    names = [f"demo-{number}" for number in range(40)]
    for name in names:
        machine.index.add(name)

    released_together(machine, names)

    assert sorted(machine.installer().installed()) == sorted(names)
    assert {path.name for path in machine.paths.bin.iterdir()} == set(names)
    assert machine.warnings == []


@pytest.mark.slow
def test_ten_processes_installing_the_same_harness_install_it_once(machine: Machine) -> None:
    machine.index.add("demo")

    released_together(machine, ["demo"] * 10)

    assert list(machine.installer().installed()) == ["demo"]
    assert len(Generations(machine.paths.environments / "demo").finished()) == 1
    assert answer(machine) == "1.0"
