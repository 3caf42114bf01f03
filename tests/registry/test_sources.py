"""Sources on a server that misbehaves: what was good stays, and a failure is never silent."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from cli_hub import config
from cli_hub.config import Settings
from cli_hub.errors import BadDocument, HubError, Offline, RequirementMissing
from cli_hub.fetch import FetchFailed
from cli_hub.paths import Paths
from cli_hub.registry import open_catalogue, source_settings, sources
from cli_hub.registry.catalogue import Catalogue
from cli_hub.registry.refreshing import refresh
from cli_hub.registry.sources import Source
from cli_hub.registry.syncing import Access
from tests.support.http_server import Reply, Request, Server
from tests.support.registries import entry, registry_file, registry_text

GOOD = registry_text(entry("good"), entry("other"))
Ask = Callable[..., Catalogue]


@pytest.fixture
def ask(paths: Paths, server: Server) -> Ask:
    """The catalogue of the server, asked again each time."""

    def read(*more: str, **how: object) -> Catalogue:
        access = Access(paths, refresh=True, wait=2.0, **how)  # type: ignore[arg-type]
        settings = Settings(registries=(f"{server.url}/corp.json", *more))
        return open_catalogue(paths, settings, access=access)

    return read


def names(catalogue: Catalogue) -> list[str]:
    return [found.name for found in catalogue.entries]


def test_a_registry_comes_from_a_server(ask: Ask, server: Server) -> None:
    server.gives(GOOD)

    catalogue = ask()

    assert names(catalogue) == ["good", "other"]
    assert catalogue.entries[0].address == "corp/good"
    assert catalogue.warnings == ()


def test_an_unchanged_registry_is_not_sent_again(ask: Ask, server: Server) -> None:
    def answer(request: Request) -> Reply:
        if request.headers.get("if-none-match") == '"v1"':
            return Reply(status=304)
        return Reply(GOOD.encode(), headers={"ETag": '"v1"', "Last-Modified": "yesterday"})

    server.answer = answer
    ask()

    assert names(ask()) == ["good", "other"]
    assert server.requests[1].headers["if-modified-since"] == "yesterday"


def test_a_changed_registry_replaces_the_copy(ask: Ask, server: Server) -> None:
    server.gives(GOOD)
    ask()
    server.gives(registry_text(entry("new")))

    assert names(ask()) == ["new"]


def test_a_fresh_copy_is_used_without_asking(paths: Paths, server: Server) -> None:
    server.gives(GOOD)
    settings = Settings(registries=(f"{server.url}/corp.json",))
    open_catalogue(paths, settings)

    catalogue = open_catalogue(paths, settings)

    assert names(catalogue) == ["good", "other"]
    assert len(server.requests) == 1


def test_an_old_copy_is_checked_again(paths: Paths, server: Server) -> None:
    server.gives(GOOD)
    settings = Settings(registries=(f"{server.url}/corp.json",))
    open_catalogue(paths, settings)

    later = Access(paths, now=lambda: time.time() + 4000)
    open_catalogue(paths, settings, access=later)

    assert len(server.requests) == 2


def test_a_redirect_is_followed(ask: Ask, server: Server) -> None:
    moved = Reply(status=302, headers={"Location": "/elsewhere.json"})
    server.answer = lambda request: moved if "corp" in request.path else Reply(GOOD.encode())

    assert names(ask()) == ["good", "other"]


BAD = {
    "cut off by the server": Reply(GOOD.encode(), cut=len(GOOD) // 2),
    "cut off in the document": Reply(GOOD.encode()[:-4]),
    "a web page": Reply(b"<!doctype html><title>Sign in</title>"),
    "not JSON": Reply(b"nope"),
    "no registry": Reply(b'{"hello": "world"}'),
    "a list": Reply(b"[]"),
    "only broken entries": Reply(registry_text({"name": "x"}).encode()),
    "a server error": Reply(b"oops", 500),
    "gone": Reply(b"gone", 404),
    "a redirect without end": Reply(status=302, headers={"Location": "/corp.json"}),
    "silence": Reply(GOOD.encode(), stall=True),
    "not modified, though nothing is here": Reply(status=304),
}


@pytest.mark.parametrize("kind", [kind for kind in BAD if "nothing is here" not in kind])
def test_a_bad_answer_never_replaces_the_good_copy(kind: str, ask: Ask, server: Server) -> None:
    server.gives(GOOD)
    ask()
    server.answer = lambda _request: BAD[kind]

    catalogue = ask()

    assert names(catalogue) == ["good", "other"]
    [warning] = catalogue.warnings
    assert warning.startswith("source corp (")
    assert "answering from the copy of" in warning
    server.gives(GOOD)
    assert ask().warnings == ()


@pytest.mark.parametrize("kind", BAD)
def test_without_a_copy_a_bad_answer_is_an_error_that_names_the_source(
    kind: str, ask: Ask, server: Server, tmp_path: Path
) -> None:
    server.answer = lambda _request: BAD[kind]
    other = registry_file(tmp_path, entry("good"))

    with pytest.raises((FetchFailed, BadDocument, Offline), match="source corp "):
        ask(str(other))


def test_an_unreachable_source_is_never_answered_for_by_another(
    paths: Paths, tmp_path: Path
) -> None:
    other = registry_file(tmp_path, entry("corp-tool"))
    settings = Settings(registries=("http://127.0.0.1:9/private.json", str(other)))

    with pytest.raises(Offline, match="source private ") as caught:
        open_catalogue(paths, settings)

    assert caught.value.exit_code == 8


def test_offline_answers_from_the_copy_and_tells_its_age(
    paths: Paths, ask: Ask, server: Server
) -> None:
    server.gives(GOOD)
    ask()
    access = Access(paths, offline=True, now=lambda: time.time() + 7300)
    settings = Settings(registries=(f"{server.url}/corp.json",))

    catalogue = open_catalogue(paths, settings, access=access)

    assert names(catalogue) == ["good", "other"]
    assert "copy of 2 hours ago" in catalogue.warnings[0]
    assert len(server.requests) == 1


def test_offline_without_a_copy_says_what_is_missing(paths: Paths, server: Server) -> None:
    settings = Settings(registries=(f"{server.url}/corp.json",), offline=True)

    with pytest.raises(Offline, match="nothing of it is cached"):
        open_catalogue(paths, settings)

    assert server.requests == []


def test_a_copy_that_was_altered_is_noticed_and_fetched_again(
    paths: Paths, ask: Ask, server: Server
) -> None:
    server.gives(GOOD)
    ask()
    [kept] = (paths.cache / "registry").glob("*/[0-9a-f]*.json")
    kept.write_bytes(kept.read_bytes().replace(b"pip install good", b"pip install evil"))
    settings = Settings(registries=(f"{server.url}/corp.json",))

    catalogue = open_catalogue(paths, settings)

    assert catalogue.entries[0].install_cmd == "pip install good"
    assert "its copy was damaged" in catalogue.warnings[0]


def source_with_token(server: Server) -> Source:
    return Source.at(f"{server.url}/corp.json", name="corp", token_env="CORP_TOKEN")


def test_a_token_is_sent_and_its_value_kept_nowhere(paths: Paths, server: Server) -> None:
    server.gives(GOOD)
    source_settings.add(paths, source_with_token(server))
    access = Access(paths, environment={"CORP_TOKEN": "s3cret"}.get)

    open_catalogue(paths, Settings(), access=access)

    assert server.requests[0].headers["authorization"] == "Bearer s3cret"
    for file in paths.home.rglob("*"):
        assert not file.is_file() or b"s3cret" not in file.read_bytes()


def test_a_token_that_is_not_set_is_asked_for_by_name(paths: Paths, server: Server) -> None:
    source_settings.add(paths, source_with_token(server))

    with pytest.raises(RequirementMissing, match="CORP_TOKEN"):
        open_catalogue(paths, Settings(), access=Access(paths, environment=lambda _name: None))

    assert server.requests == []


def test_a_token_does_not_follow_a_redirect_to_another_host(paths: Paths, server: Server) -> None:
    elsewhere = server.url.replace("127.0.0.1", "localhost")
    moved = Reply(status=302, headers={"Location": f"{elsewhere}/elsewhere.json"})
    server.answer = lambda request: moved if "corp" in request.path else Reply(GOOD.encode())
    source_settings.add(paths, source_with_token(server))

    open_catalogue(paths, Settings(), access=Access(paths, environment=lambda _name: "s3cret"))

    assert "authorization" not in server.requests[1].headers


def test_a_token_is_not_sent_in_the_clear(paths: Paths) -> None:
    source = Source.at("http://registry.example/r.json", name="corp", token_env="CORP_TOKEN")
    source_settings.add(paths, source)
    access = Access(paths, environment=lambda _name: "s3cret", fetch=no_network)  # type: ignore[arg-type]

    with pytest.raises(BadDocument, match="only sent over https"):
        open_catalogue(paths, Settings(), access=access)


def no_network(*_: object, **__: object) -> None:
    raise AssertionError("the network was opened")


def test_the_usual_proxy_variables_are_honoured(
    paths: Paths, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.gives(GOOD)
    monkeypatch.setenv("http_proxy", server.url)
    monkeypatch.setenv("HTTP_PROXY", server.url)

    catalogue = open_catalogue(paths, Settings(registries=("http://registry.invalid/r.json",)))

    assert names(catalogue) == ["good", "other"]
    assert server.requests[0].path == "http://registry.invalid/r.json"


def test_the_embedded_source_can_be_switched_off(paths: Paths, tmp_path: Path) -> None:
    source_settings.add(paths, Source.at(str(registry_file(tmp_path, entry("ours"))), name="corp"))
    source_settings.enable(paths, "embedded", on=False)

    assert names(open_catalogue(paths, Settings())) == ["ours"]

    source_settings.enable(paths, "embedded", on=True)
    assert "ffmpeg" in names(open_catalogue(paths, Settings()))


def test_priority_decides_between_sources(paths: Paths, tmp_path: Path) -> None:
    for name, priority in (("low", 10), ("high", 90)):
        file = registry_file(tmp_path, entry("ffmpeg", version=name), name=f"{name}.json")
        source_settings.add(paths, Source.at(str(file), name=name, priority=priority))

    assert [source.name for source in sources.active(paths, Settings())] == [
        "high",
        "embedded",
        "low",
    ]
    assert open_catalogue(paths, Settings()).entries[0].version == "high"


def test_changing_sources_leaves_the_rest_of_the_configuration(
    paths: Paths, tmp_path: Path
) -> None:
    paths.home.mkdir()
    paths.config.write_text('[other]\nkept = "yes"\n', encoding="utf-8")

    source_settings.add(paths, Source.at(str(tmp_path / "r.json"), name="corp"))
    source_settings.remove(paths, "corp")

    assert config.read_config_file(paths) == {"other": {"kept": "yes"}}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ('name = "a b"\nlocation = "/r"', "no name for a source"),
        ('name = "a"', "location: is missing"),
        ('name = "a"\nlocation = "/r"\npriority = "high"', "priority: must be of type int"),
        ('name = "a"\nlocation = "/r"\ntoken = "x"', "token: is not a known setting"),
    ],
)
def test_a_wrong_setting_is_named(row: str, told: str, paths: Paths) -> None:
    paths.home.mkdir()
    paths.config.write_text(f"[[sources]]\n{row}\n", encoding="utf-8")

    with pytest.raises(BadDocument, match=told):
        open_catalogue(paths, Settings())


@pytest.mark.parametrize("name", ["A", "all", "a/b", ""])
def test_a_source_needs_a_name_that_can_be_typed(name: str, paths: Paths) -> None:
    source = replace(Source.at("/tmp/r.json", name="x"), name=name)

    with pytest.raises(HubError):
        source_settings.add(paths, source)


def test_a_refresh_says_what_became_of_the_entries(paths: Paths, server: Server) -> None:
    source = Source.at(f"{server.url}/corp.json", name="corp")
    access = Access(paths)
    server.gives(registry_text(entry("same"), entry("gone"), entry("moved", version="1")))
    refresh(source, access)
    server.gives(registry_text(entry("same"), entry("come"), entry("moved", version="2")))

    found = refresh(source, access).comparison

    assert (found.added, found.removed) == (("come",), ("gone",))
    [change] = found.changed["moved"]
    assert (change.field, change.before, change.after) == ("version", "1", "2")


def test_a_refresh_that_fails_says_so_and_keeps_the_copy(paths: Paths, server: Server) -> None:
    source = Source.at(f"{server.url}/corp.json", name="corp")
    server.gives(GOOD)
    refresh(source, Access(paths))
    server.gives(b"oops", status=500)

    found = refresh(source, Access(paths))

    assert found.problem is not None
    assert "500" in found.problem.message
    assert sorted(found.records) == ["good", "other"]


def test_a_token_variable_is_a_name_and_not_a_token(paths: Paths) -> None:
    source = Source.at("https://r.example/r.json", name="corp", token_env="ghp_abc-123")

    with pytest.raises(HubError, match="never the token itself"):
        source_settings.add(paths, source)
    assert "ghp_abc" not in json.dumps(config.read_config_file(paths))
