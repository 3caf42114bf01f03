"""npm, brew, cargo, scripts, commands and bundled programs, over stand-ins that record argv."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from cli_hub.errors import (
    CommandFailed,
    ConsentNeeded,
    HubError,
    IntegrityError,
    PolicyForbids,
    RequirementMissing,
    TimedOut,
    ToolMissing,
)
from cli_hub.fetch import Answer
from cli_hub.install.consent import Question
from cli_hub.install.installed import Installed
from cli_hub.install.installer import Installer
from cli_hub.install.plan import Wish
from tests.support.harnesses import Machine, entry
from tests.support.programs import WRITES_A_PROGRAM, Programs

AGREED = Wish(allow_scripts=True)
NPM = """\
prefix = ARGV[ARGV.index("--prefix") + 1]
module = os.path.join(prefix, "lib", "node_modules", "thing")
os.makedirs(module)
with open(os.path.join(module, "package.json"), "w") as file:
    json.dump({"version": "3.2.1", "bin": {"thing": "cli.js"}, "scripts": SCRIPTS}, file)
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    return Programs(tmp_path / "programs", monkeypatch)


def npm(programs: Programs, *, scripts: str = "{}", starts: bool = True) -> None:
    target = 'os.path.join(prefix, "bin", "thing")'
    program = WRITES_A_PROGRAM.format(target=target)
    if not starts:
        program = program.replace("echo made", "exit 1")
    programs.add("npm", NPM.replace("SCRIPTS", scripts) + program)


def lacking(*names: str) -> object:
    return lambda name: None if name in names else f"/usr/bin/{name}"


def install(installer: Installer, wish: Wish | None = None, **fields: object) -> Installed:
    return installer.install(installer.plan(entry("thing", **fields), wish))


THING = {"strategy": "npm", "package": "thing"}


def test_npm_packages_go_into_a_private_prefix(machine: Machine, programs: Programs) -> None:
    npm(programs)

    done = install(machine.installer(), install=THING)

    (call,) = programs.calls
    assert call[:4] == ["npm", "install", "--global", "--prefix"]
    assert call[4] == str(done.generation)
    assert "--ignore-scripts" in call
    assert (done.version, done.package) == ("3.2.1", "thing")
    assert (machine.paths.bin / "thing").resolve() == done.bin / "thing"


def test_npm_scripts_that_were_needed_are_named(machine: Machine, programs: Programs) -> None:
    npm(programs, scripts='{"postinstall": "fetch"}', starts=False)

    with pytest.raises(CommandFailed) as caught:
        install(machine.installer(), install=THING)

    assert "--allow-scripts" in caught.value.hint
    assert machine.installer().installed() == {}


def test_npm_scripts_an_entry_needs_ask_for_consent(machine: Machine, programs: Programs) -> None:
    npm(programs)
    with pytest.raises(ConsentNeeded):
        install(machine.installer(), install={**THING, "scripts": True})
    assert programs.calls == []

    install(machine.installer(), AGREED, install={**THING, "scripts": True})

    assert "--ignore-scripts" not in programs.calls[0]


@pytest.mark.parametrize(
    ("tool", "fields"),
    [
        ("npm", {"install": THING}),
        ("brew", {"install_cmd": "brew install thing"}),
        ("cargo", {"install_cmd": "cargo install thing"}),
        ("go", {"install_cmd": "go install a.test/thing@latest"}),
        ("git", {"install_cmd": "pip install git+https://a.test/thing.git"}),
    ],
)
def test_a_missing_tool_is_exit_5_with_the_way_to_get_it(
    machine: Machine, tool: str, fields: dict[str, object]
) -> None:
    installer = machine.installer(find_tool=lacking(tool))

    with pytest.raises(ToolMissing) as caught:
        install(installer, **fields)

    assert caught.value.exit_code == 5
    assert f"thing needs {tool}" in caught.value.message
    assert "install" in caught.value.hint
    assert not machine.paths.home.exists()


def test_brew_is_global_and_undone_by_brew(machine: Machine, programs: Programs) -> None:
    target = repr(str(programs.folder / "thing"))
    programs.add(
        "brew",
        f"if ARGV[0] == 'install':\n    {WRITES_A_PROGRAM.format(target=target)!r}\n"
        f"    exec({WRITES_A_PROGRAM.format(target=target)!r})\n",
    )
    installer = machine.installer()

    done = install(installer, install_cmd="brew install --cask thing")

    assert done.receipt.scope == "global"
    assert done.entry_point == (str(programs.folder / "thing"),)
    assert not list(machine.paths.bin.iterdir())

    installer.uninstall("thing")

    assert programs.calls == [
        ["brew", "install", "--cask", "thing"],
        ["brew", "uninstall", "--cask", "thing"],
    ]
    assert installer.installed() == {}


def test_brew_updates_by_upgrading_in_its_own_place(machine: Machine, programs: Programs) -> None:
    programs.add("thing")
    programs.add("brew")
    installer = machine.installer()
    install(installer, install_cmd="brew install thing")

    install(installer, Wish(update=True), install_cmd="brew install thing")

    assert [call for call in programs.calls if call[0] == "brew"] == [
        ["brew", "install", "thing"],
        ["brew", "upgrade", "thing"],
    ]
    assert list(installer.installed()) == ["thing"]


def test_a_removal_that_fails_keeps_the_record(machine: Machine, programs: Programs) -> None:
    programs.add("thing")
    programs.add("brew")
    installer = machine.installer()
    install(installer, install_cmd="brew install thing")
    programs.add("brew", "print('busy', file=sys.stderr)", exit_code=3)

    with pytest.raises(CommandFailed) as caught:
        installer.uninstall("thing")

    assert "busy" in caught.value.message
    assert list(installer.installed()) == ["thing"]


def test_cargo_gets_exactly_its_argv_and_a_private_root(
    machine: Machine, programs: Programs
) -> None:
    target = 'os.path.join(ARGV[ARGV.index("--root") + 1], "bin", "thing")'
    programs.add("cargo", WRITES_A_PROGRAM.format(target=target))

    done = install(machine.installer(), install_cmd="cargo install --git https://x.test/y --locked")

    assert programs.calls == [
        [
            "cargo",
            "install",
            "--git",
            "https://x.test/y",
            "--locked",
            "--root",
            str(done.generation),
        ]
    ]
    assert done.receipt.scripts == ("thing",)
    assert (machine.paths.bin / "thing").exists()


class Site:
    """Answers every address with *body*."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    def __call__(self, url: str) -> Answer:
        return Answer(url, 200, self.body)


def installs_thing(folder: Path) -> bytes:
    target = folder / "thing"
    return (
        f"if read answer; then exit 9; fi\nprintf '#!/bin/sh\\necho made\\n' > '{target}'\n"
        f"chmod +x '{target}'\n"
    ).encode()


SCRIPT = {"install_cmd": "curl -s https://x.test/cli | sh"}


def test_a_script_is_never_run_without_consent(machine: Machine, programs: Programs) -> None:
    installer = machine.installer(get=Site(installs_thing(programs.folder)))

    with pytest.raises(ConsentNeeded) as caught:
        install(installer, **SCRIPT)

    assert caught.value.exit_code == 6
    assert "https://x.test/cli" in caught.value.message
    assert not (programs.folder / "thing").exists()
    assert not (machine.paths.environments / "thing").exists()


def test_the_person_asked_sees_exactly_what_will_run(machine: Machine, programs: Programs) -> None:
    body = installs_thing(programs.folder)
    asked: list[tuple[Question, bytes]] = []

    def agree(question: Question) -> bool:
        assert question.file is not None
        asked.append((question, question.file.read_bytes()))
        return True

    install(machine.installer(get=Site(body), ask=agree), **SCRIPT)

    ((question, shown),) = asked
    assert shown == body
    assert question.sha256 == hashlib.sha256(body).hexdigest()


def test_an_approval_is_remembered_by_hash_and_a_changed_script_asks_again(
    machine: Machine, programs: Programs
) -> None:
    body = installs_thing(programs.folder)
    install(machine.installer(get=Site(body)), AGREED, **SCRIPT)
    machine.installer().uninstall("thing")

    install(machine.installer(get=Site(body)), **SCRIPT)
    machine.installer().uninstall("thing")

    with pytest.raises(ConsentNeeded):
        install(machine.installer(get=Site(body + b"# changed\n")), **SCRIPT)


def test_a_script_with_another_hash_than_pinned_is_exit_7(
    machine: Machine, programs: Programs
) -> None:
    pinned = {"strategy": "script", "url": "https://x.test/cli", "sha256": "0" * 64}

    with pytest.raises(IntegrityError) as caught:
        install(machine.installer(get=Site(b"true")), AGREED, install=pinned)

    assert caught.value.exit_code == 7
    assert not (machine.paths.environments / "thing").exists()


def test_a_program_that_a_script_put_off_path_is_found_and_launched(
    machine: Machine, programs: Programs, tmp_path: Path
) -> None:
    folder = tmp_path / "person" / ".thing" / "bin"
    folder.mkdir(parents=True)

    done = install(machine.installer(get=Site(installs_thing(folder))), AGREED, **SCRIPT)

    assert done.entry_point == (str(folder / "thing"),)
    assert machine.installer().find("thing").entry_point == (str(folder / "thing"),)


def test_a_script_that_installs_nothing_is_a_failure(machine: Machine, programs: Programs) -> None:
    with pytest.raises(HubError) as caught:
        install(machine.installer(get=Site(b"true\n")), AGREED, **SCRIPT)

    assert "nowhere to be found" in caught.value.message
    assert machine.installer().installed() == {}


def test_other_commands_need_consent_and_get_their_argv(
    machine: Machine, programs: Programs
) -> None:
    target = repr(str(programs.folder / "thing"))
    programs.add("setup-thing", WRITES_A_PROGRAM.format(target=target))
    line = {"install_cmd": "setup-thing 'a b' --fast", "uninstall_cmd": "setup-thing --remove"}
    with pytest.raises(ConsentNeeded):
        install(machine.installer(), **line)
    assert programs.calls == []

    install(machine.installer(), AGREED, **line)
    machine.installer().uninstall("thing")

    assert programs.calls == [["setup-thing", "a b", "--fast"], ["setup-thing", "--remove"]]


def test_a_command_that_fails_shows_its_last_lines(machine: Machine, programs: Programs) -> None:
    programs.add("setup-thing", r"sys.stdout.buffer.write(b'\377\376bad\n')", exit_code=4)

    with pytest.raises(CommandFailed) as caught:
        install(machine.installer(), AGREED, install_cmd="setup-thing")

    assert "��bad" in caught.value.message
    log = Path(str(caught.value.details["log"]))
    assert b"\xff\xfebad" in log.read_bytes()


def test_a_command_that_waits_is_ended_in_time(machine: Machine, programs: Programs) -> None:
    programs.add("setup-thing", "import time; print('waiting', flush=True); time.sleep(60)")

    with pytest.raises(TimedOut) as caught:
        install(machine.installer(timeout=1.0), AGREED, install_cmd="setup-thing")

    assert caught.value.exit_code == 124
    assert "waiting" in caught.value.message


def test_what_needs_a_shell_is_refused_with_the_reason(machine: Machine) -> None:
    with pytest.raises(PolicyForbids) as caught:
        install(machine.installer(), AGREED, install_cmd="cd thing && npm install && npm link")

    assert "checkout" in caught.value.message
    assert not machine.paths.home.exists()


BUNDLED = {"install": {"strategy": "bundled", "detect": "thing", "notes": "Comes with Thing 2."}}


def test_a_bundled_program_that_is_here_is_taken_as_it_is(
    machine: Machine, programs: Programs
) -> None:
    path = programs.add("thing")

    done = install(machine.installer(), **BUNDLED)

    assert done.entry_point == (str(path),)
    machine.installer().uninstall("thing")
    assert path.exists()


def test_a_bundled_program_that_is_not_here_is_exit_5_with_the_notes(machine: Machine) -> None:
    with pytest.raises(RequirementMissing) as caught:
        install(machine.installer(), **BUNDLED)

    assert caught.value.exit_code == 5
    assert caught.value.hint == "Comes with Thing 2."


def test_nothing_is_written_outside_the_home(
    machine: Machine, programs: Programs, tmp_path: Path
) -> None:
    npm(programs)
    person = tmp_path / "person"
    person.mkdir()

    install(machine.installer(), install=THING)

    assert list(person.rglob("*")) == []
    assert os.access(machine.paths.bin / "thing", os.X_OK)
