"""``doctor``: what it looks at, and that each finding says what would mend it, truly."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.cli.main import main
from cli_hub.install.generations import Generations
from cli_hub.install.installed import Installed
from cli_hub.paths import Paths
from tests.support.harnesses import Machine, entry
from tests.support.package_index import PackageIndex

SKILL = "---\nname: demo\ndescription: How demo is used\n---\n\n# demo\n"
MACRO = "name: hello\ndescription: Say hello\nversion: '1.0'\nsteps: []\n"
MANIFEST = '[harness]\nname = "demo"\nskill = "skills/SKILL.md"\nmacros = "macro_definitions"\n'
FILES = {
    "demo_pkg/harness.toml": MANIFEST,
    "demo_pkg/skills/SKILL.md": SKILL,
    "demo_pkg/macro_definitions/hello.yaml": MACRO,
}


@dataclass
class Patient:
    """A machine with ``demo`` and ``other`` installed. Every test leaves them healthy."""

    machine: Machine
    registry: Path

    def offer(self, **fields: Any) -> None:
        """Let the registry say *fields* of demo, and nothing else than before of other."""
        entries = [dict(entry("demo", **fields).raw), dict(entry("other").raw)]
        self.registry.write_text(json.dumps({"meta": {}, "clis": entries}))

    @property
    def demo(self) -> Installed:
        return self.machine.installer().find("demo")

    @property
    def package(self) -> Path:
        site = self.demo.site_packages
        assert site is not None
        return site / "demo_pkg"

    @property
    def link(self) -> Path:
        return self.machine.paths.bin / "demo"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Patient]:
    folder = tmp_path_factory.mktemp("doctor")
    with PackageIndex(folder / "index") as index, pytest.MonkeyPatch.context() as settings:
        patient = Patient(Machine(Paths(folder / "home"), index), folder / "registry.json")
        patient.offer()
        index.add("demo", files=FILES)
        index.add("other", files=FILES)
        for name, value in {
            "UV_CACHE_DIR": str(tmp_path_factory.getbasetemp() / "uv-cache"),
            "UV_DEFAULT_INDEX": index.address,
            "UV_HTTP_RETRIES": "0",
            "CLI_HUB_HOME": str(patient.machine.paths.home),
            "CLI_HUB_REGISTRY": str(patient.registry),
            "PATH": f"{patient.machine.paths.bin}{os.pathsep}{os.environ['PATH']}",
        }.items():
            settings.setenv(name, value)
        assert main(["install", "demo", "other"]) == 0
        yield patient


@pytest.fixture
def patient(installed: Patient) -> Iterator[Patient]:
    yield installed
    installed.offer()


@dataclass(frozen=True)
class Report:
    exit_code: int
    document: dict[str, Any]

    def of(self, check: str) -> list[dict[str, str]]:
        return [each for each in self.document["findings"] if each["check"] == check]

    @property
    def bad(self) -> list[dict[str, str]]:
        return [each for each in self.document["findings"] if each["level"] != "ok"]


Ask = Callable[..., Report]


@pytest.fixture
def doctor(capsys: pytest.CaptureFixture[str]) -> Ask:
    """Ask ``doctor``; whatever it finds wrong must come with what would mend it."""

    def ask(*arguments: str) -> Report:
        capsys.readouterr()
        code = main(["doctor", *arguments, "--json"])
        document = json.loads(capsys.readouterr().out)
        jsonschema.validate(document, schemas.load("doctor"))
        report = Report(code, document)
        assert [each for each in report.bad if not each["fix"]] == []
        return report

    return ask


def test_all_that_is_well_is_named_too(patient: Patient, doctor: Ask) -> None:
    report = doctor()

    assert (report.exit_code, report.bad) == (0, [])
    checks = {each["check"] for each in report.document["findings"] if each["harness"] == "demo"}
    assert checks == {"environment", "interpreter", "entry point", "registry", "skill", "macros"}
    assert f"1.0 in {patient.demo.generation}" in report.of("environment")[0]["message"]
    assert "1 macro in" in report.of("macros")[0]["message"]


def replace(file: Path, text: str) -> None:
    """Other contents under the same name; the file itself may be shared with a cache."""
    file.unlink()
    file.write_text(text)
    file.chmod(0o755)


def lose_the_environment(patient: Patient) -> None:
    shutil.rmtree(patient.demo.generation)


def lose_the_interpreter(patient: Patient) -> None:
    python = patient.demo.bin / "python"
    python.unlink()
    python.symlink_to("/usr/lib/a-python-that-was-upgraded-away")


def break_the_program(patient: Patient) -> None:
    replace(patient.demo.bin / "demo", "#!/bin/sh\necho it is broken >&2\nexit 1\n")


def lose_the_link(patient: Patient) -> None:
    patient.link.unlink()


def lose_the_skill(patient: Patient) -> None:
    (patient.package / "skills" / "SKILL.md").unlink()


def lose_the_macros(patient: Patient) -> None:
    shutil.rmtree(patient.package / "macro_definitions")


def begin_an_update(patient: Patient) -> None:
    Generations(patient.demo.generation.parent).new().mkdir()


def begin_an_installation(patient: Patient) -> None:
    (patient.machine.paths.environments / "third" / "0001-half").mkdir(parents=True)


def begin_a_removal(patient: Patient) -> None:
    patient.machine.installer().ledger.begin_removal("other")


def lose_the_record(patient: Patient) -> None:
    patient.machine.installer().ledger.forget("demo")


def leave_a_loose_link(patient: Patient) -> None:
    (patient.machine.paths.bin / "gone").symlink_to("../envs/gone/current/bin/gone")


@pytest.mark.parametrize(
    ("damage", "check", "says"),
    [
        (lose_the_environment, "environment", "is not there"),
        (lose_the_interpreter, "interpreter", "a-python-that-was-upgraded-away"),
        (break_the_program, "entry point", "it is broken"),
        (lose_the_link, "link", "bin/demo is missing"),
        (lose_the_skill, "manifest", "skills/SKILL.md does not exist"),
        (lose_the_macros, "manifest", "macro_definitions does not exist"),
        (begin_an_update, "leftover", "was never finished"),
        (begin_an_installation, "leftover", "third was never finished"),
        (begin_a_removal, "leftover", "other was to be removed and is still there"),
        (lose_the_record, "leftover", "is on disk but not recorded"),
        (leave_a_loose_link, "link", "gone leads nowhere"),
    ],
)
def test_what_is_damaged_is_named_and_mended_by_the_command_it_gives(
    patient: Patient,
    doctor: Ask,
    damage: Callable[[Patient], None],
    check: str,
    says: str,
) -> None:
    damage(patient)

    report = doctor()
    assert report.exit_code == 1
    found = [each for each in report.of(check) if each["level"] == "problem"]
    assert found
    assert says in found[0]["message"]

    program, verb, *rest = shlex.split(found[0]["fix"])
    assert (program, verb) == ("cli-hub", "doctor")
    mended = doctor(*rest)
    assert mended.exit_code == 0
    assert mended.document["fixed"]
    assert doctor().bad == []
    if damage is begin_a_removal:
        assert main(["install", "other"]) == 0


def test_a_program_of_the_same_name_that_comes_first_is_named(
    patient: Patient, doctor: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    another = tmp_path / "demo"
    another.write_text("#!/bin/sh\n")
    another.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")

    report = doctor("demo")

    assert report.exit_code == 0
    (found,) = report.of("PATH")
    assert str(another) in found["message"]
    assert found["fix"] == f'export PATH="{patient.machine.paths.bin}:$PATH"'


def test_a_bin_that_is_not_on_path_comes_with_the_line_that_puts_it_there(
    patient: Patient, doctor: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", os.defpath)

    report = doctor()

    assert report.exit_code == 0
    assert {each["harness"] for each in report.of("PATH")} == {"", "demo", "other"}
    assert {each["fix"] for each in report.of("PATH")} == {
        f'export PATH="{patient.machine.paths.bin}:$PATH"'
    }


def test_a_file_in_the_way_of_a_link_is_left_alone_and_named(patient: Patient, doctor: Ask) -> None:
    replace(patient.link, "#!/bin/sh\necho mine\n")

    report = doctor("demo", "--fix")

    (found,) = report.of("link")
    assert f"move {patient.link} away" in found["fix"]
    assert patient.link.read_text() == "#!/bin/sh\necho mine\n"
    patient.link.unlink()
    assert doctor("demo", "--fix").bad == []


def test_another_version_in_the_registry_is_told_with_the_update(
    patient: Patient, doctor: Ask
) -> None:
    patient.offer(version="2.0")

    (found,) = doctor("demo").of("registry")
    assert (found["level"], found["fix"]) == ("note", "cli-hub update demo")
    assert "2.0" in found["message"]

    patient.machine.installer().pin("demo", pinned=True)
    (found,) = doctor("demo").of("registry")
    assert found["fix"] == "cli-hub unpin demo, then: cli-hub update demo"
    patient.machine.installer().pin("demo", pinned=False)


def test_what_no_registry_has_any_more_is_told(patient: Patient, doctor: Ask) -> None:
    patient.registry.write_text('{"meta": {}, "clis": []}')

    report = doctor("demo")

    (found,) = report.of("registry")
    assert (report.exit_code, found["level"]) == (0, "note")
    assert "no registry in use has it" in found["message"]


def test_needs_are_told_with_the_way_to_get_them_and_cannot_be_mended(
    patient: Patient, doctor: Ask
) -> None:
    patient.offer(
        needs=[
            {"kind": "binary", "name": "no-such-zz", "hints": {"apt": "zz-tools"}},
            {"kind": "binary", "name": "no-such-yy"},
            {"kind": "env", "name": "NO_SUCH_KEY_ZZ"},
            {"kind": "service", "url": "http://127.0.0.1:9"},
        ]
    )
    assert main(["install", "demo", "--reinstall"]) == 0

    report = doctor("demo", "--fix")

    assert report.exit_code == 5
    assert [each["level"] for each in report.of("application")] == ["problem"] * 3 + ["note"]
    fixes = [each["fix"] for each in report.of("application")]
    assert fixes[0] == "apt install zz-tools"
    assert fixes[2] == "export NO_SUCH_KEY_ZZ=…"
    patient.offer()
    assert main(["install", "demo", "--reinstall"]) == 0


@pytest.mark.parametrize(
    ("text", "level", "says"),
    [
        ("no front matter\n", "problem", "has no front matter"),
        (SKILL + "do\u200bit\n", "note", "hidden U+200B"),
        (SKILL + "[more](absent.md)\n", "note", "absent.md"),
    ],
)
def test_a_skill_that_agents_cannot_trust_is_named(
    patient: Patient, doctor: Ask, text: str, level: str, says: str
) -> None:
    skill = patient.package / "skills" / "SKILL.md"
    replace(skill, text)

    found = [each for each in doctor("demo").of("skill") if each["level"] == level]

    assert says in found[0]["message"]
    replace(skill, SKILL)


def test_macros_that_cannot_be_read_are_named_beside_those_that_can(
    patient: Patient, doctor: Ask
) -> None:
    broken = patient.package / "macro_definitions" / "broken.yaml"
    broken.write_text("name: [\n")

    report = doctor("demo")

    assert report.exit_code == 1
    good, bad = report.of("macros")
    assert "1 macro in" in good["message"]
    assert "broken.yaml" in bad["message"]
    broken.unlink()


def test_disk_use_counts_every_file_once(patient: Patient, doctor: Ask) -> None:
    def megabytes() -> float:
        (found,) = doctor().of("disk")
        return float(found["message"].split(" MB in all")[0])

    before = megabytes()
    data = patient.machine.paths.cache / "data"
    data.write_bytes(b"x" * 30_000_000)
    twin = data.with_name("twin")
    twin.hardlink_to(data)

    assert round(megabytes() - before) == 30
    for file in (data, twin):
        file.unlink()


def test_one_that_cannot_be_mended_does_not_stop_the_rest(patient: Patient, doctor: Ask) -> None:
    (wheel,) = patient.machine.index.wheels("other")
    aside = wheel.rename(wheel.with_suffix(".away"))
    shutil.rmtree(patient.machine.installer().find("other").generation)
    lose_the_link(patient)

    report = doctor("--fix")

    assert report.exit_code == 1
    assert [each["harness"] for each in report.of("mending")] == ["other"]
    assert f"linked demo in {patient.machine.paths.bin}" in report.document["fixed"]

    aside.rename(wheel)
    assert doctor("--fix").bad == []


def test_people_get_the_same_in_words(patient: Patient, capsys: pytest.CaptureFixture[str]) -> None:
    lose_the_link(patient)
    capsys.readouterr()

    assert main(["doctor", "demo"]) == 1
    said = capsys.readouterr().out
    assert f"PROBLEM demo: link: {patient.link} is missing" in said
    assert "fix: cli-hub doctor demo --fix" in said
    assert "1 problem" in said

    assert main(["doctor", "demo", "--fix"]) == 0
    said = capsys.readouterr().out
    assert f"fixed   linked demo in {patient.machine.paths.bin}" in said
    assert "all is well" in said
