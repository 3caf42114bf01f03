"""Sources on a server that misbehaves, asked from the command line."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Program
from tests.support.harnesses import Machine
from tests.support.http_server import Reply, Request, Server
from tests.support.registries import entry, registry_text

GOOD = registry_text(entry("mine"))
BAD = {
    "cut off": Reply(GOOD.encode(), cut=20),
    "a page": Reply(b"<html>sign in</html>", headers={"Content-Type": "text/html"}),
    "broken": Reply(b"oops", status=500),
    "circle": Reply(status=302, headers={"Location": "/corp.json"}),
}


@pytest.fixture
def corp(program: Program, server: Server) -> Server:
    """A server whose registry is configured as ``corp``."""
    server.gives(GOOD, headers={"ETag": '"one"'})
    program("registry", "sources", "disable", "embedded")  # it is not what is asked about
    added = program("registry", "sources", "add", "corp", f"{server.url}/corp.json")
    assert added.exit_code == 0
    return server


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_answer_fails_the_refresh_and_leaves_the_entries(
    kind: str, corp: Server, program: Program
) -> None:
    corp.answer = lambda _request: BAD[kind]

    failed = program("registry", "sources", "refresh", "corp", "--json")

    [source] = failed.document("registry-refresh")["sources"]
    assert failed.exit_code != 0
    assert "corp" in source["error"]["message"]
    assert program("info", "corp/mine", "--json").document("entry-info")["name"] == "mine"


def test_an_unchanged_registry_is_answered_by_its_mark_alone(
    corp: Server, program: Program
) -> None:
    def unchanged(request: Request) -> Reply:
        return Reply(status=304 if request.headers.get("if-none-match") == '"one"' else 500)

    corp.answer = unchanged

    answer = program("registry", "sources", "refresh", "corp", "--json")

    [source] = answer.document("registry-refresh")["sources"]
    assert answer.exit_code == 0
    assert (source["added"], source["removed"], source["changed"]) == ([], [], {})


def test_a_redirect_is_followed_to_what_it_leads_to(corp: Server, program: Program) -> None:
    moved = {
        "/corp.json": Reply(status=302, headers={"Location": "/new.json"}),
        "/new.json": Reply(registry_text(entry("mine"), entry("more")).encode()),
    }
    corp.answer = lambda request: moved[request.path]

    answer = program("registry", "sources", "refresh", "corp", "--json")

    assert answer.document("registry-refresh")["sources"][0]["added"] == ["more"]


def test_offline_asks_nobody_and_answers_from_the_copy(corp: Server, program: Program) -> None:
    asked = len(corp.requests)

    found = program("info", "corp/mine", "--offline", "--json")

    assert found.document("entry-info")["source"] == "corp"
    assert len(corp.requests) == asked


def test_a_token_is_taken_from_the_variable_that_was_named(
    server: Server, program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.gives(GOOD)
    monkeypatch.setenv("CORP_TOKEN", "not-to-be-seen")
    line = ("registry", "sources", "add", "corp", f"{server.url}/r.json")

    added = program(*line, "--token-env", "CORP_TOKEN", "--json")

    assert added.document("source")["token_env"] == "CORP_TOKEN"
    assert server.requests[-1].headers["authorization"] == "Bearer not-to-be-seen"
    assert "not-to-be-seen" not in added.out + added.err


@pytest.fixture
def installed(corp: Server, program: Program, machine: Machine) -> Server:
    """Three harnesses of ``corp`` are installed, at what the registry says is version 1.0."""
    names = ("stays", "grows", "goes")
    corp.gives(registry_text(*(entry(name) for name in names)))
    for name in names:
        machine.index.add(name)
    program("registry", "sources", "refresh", "corp")
    assert program("install", *names, "--json").exit_code == 0
    return corp


def test_a_refresh_names_what_is_installed_and_was_withdrawn_or_got_newer(
    installed: Server, program: Program
) -> None:
    installed.gives(registry_text(entry("stays"), entry("grows", version="1.1"), entry("not-here")))

    answer = program("registry", "sources", "refresh", "corp", "--json")

    document = answer.document("registry-refresh")
    assert (document["withdrawn"], document["newer"]) == (["goes"], ["grows"])
    told = program("registry", "sources", "refresh", "corp").out
    assert "goes is installed, but its source no longer has it" in told
    assert "grows has a newer version: cli-hub update grows" in told


def test_a_source_that_fails_withdraws_nothing(installed: Server, program: Program) -> None:
    installed.answer = lambda _request: BAD["broken"]

    answer = program("registry", "sources", "refresh", "corp", "--json")

    document = answer.document("registry-refresh")
    assert (document["withdrawn"], document["newer"]) == ([], [])


def test_what_was_renamed_or_went_back_is_neither_withdrawn_nor_newer(
    installed: Server, program: Program
) -> None:
    installed.gives(
        registry_text(
            entry("stays", version="0.9"), entry("grown", aliases=["grows"]), entry("goes")
        )
    )

    answer = program("registry", "sources", "refresh", "corp", "--json")

    document = answer.document("registry-refresh")
    assert (document["withdrawn"], document["newer"]) == ([], [])


@pytest.mark.parametrize(
    "line", [("list",), ("search", "mine"), ("can", "do what mine does"), ("info", "mine")], ids=str
)
def test_refresh_asks_again_what_a_fresh_copy_would_have_answered(
    line: tuple[str, ...], corp: Server, program: Program
) -> None:
    program("list")
    corp.gives(registry_text(entry("mine", version="2.0")))
    asked = len(corp.requests)

    kept = program(*line, "--json")
    assert '"2.0"' not in kept.out
    assert len(corp.requests) == asked

    fresh = program(*line, "--refresh", "--json")
    assert '"2.0"' in fresh.out
    assert len(corp.requests) == asked + 1
    assert '"2.0"' in program(*line, "--json").out
