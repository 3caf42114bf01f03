"""The live page: served on loopback to its own address only, changed the moment files change."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import jsonschema
import pytest

from cli_hub import schemas
from cli_hub.errors import Conflict
from cli_hub.previews.server import LiveServer, span_of
from cli_hub.previews.watch import watching
from tests.previews.conftest import Hub
from tests.previews.producer import Producer, png
from tests.support.page_reader import PageReader

SHOWN = "document.querySelector('#frame img')?.naturalWidth > 0"


@pytest.fixture
def server(producer: Producer) -> Iterator[LiveServer]:
    producer.seven_steps()
    with watching(producer.session) as server:
        yield server


def ask(
    server: LiveServer, path: str, *, method: str = "GET", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """One request below the server's own address, with the headers given."""
    base = urlsplit(server.url).path
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=5)
    try:
        where = path if path.startswith("/") else base + path
        connection.request(
            method, where, headers={k.replace("_", "-"): v for k, v in headers.items()}
        )
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def test_a_publish_appears_in_the_open_page_by_itself(
    reader: PageReader, producer: Producer, server: LiveServer
) -> None:
    reader.open(server.url, ready=SHOWN)
    reader.until("document.querySelector('#session-state.live')?.innerText === 'live'")
    producer.bundle("b0008_quick", files={"hero.png": png((1, 2, 3), width=80)})

    producer.publish("b0008_quick")

    reader.until("document.querySelector('#chips').innerText.includes('step 8 of 8')")
    reader.until("document.querySelector('#frame img')?.naturalWidth === 80")
    assert reader.count(".cell") == 8
    assert reader.console() == []
    assert all(url.startswith(server.url) for url in reader.requests())


def test_a_stopped_session_says_stopped(
    reader: PageReader, producer: Producer, server: LiveServer
) -> None:
    reader.open(server.url, ready=SHOWN)

    producer.write_session(status="stopped")

    reader.until("document.querySelector('#session-state').innerText === 'stopped'")
    assert reader.count("#session-state.live") == 0


def test_a_page_whose_server_went_away_never_stays_green(
    reader: PageReader, producer: Producer
) -> None:
    producer.seven_steps()
    with watching(producer.session) as server:
        reader.open(server.url, ready=SHOWN)
        reader.until("document.querySelector('#session-state.live')")

    reader.until("document.querySelector('#session-state.lost')")
    assert "connection lost" in reader.text("#session-state")


def test_looking_at_an_old_step_is_not_disturbed_by_new_ones(
    reader: PageReader, producer: Producer, server: LiveServer
) -> None:
    reader.open(f"{server.url}#step-3", ready=SHOWN)
    reader.until("document.querySelector('#session-state.live')")

    producer.publish("b0001_quick")

    reader.until("document.querySelector('#chips').innerText.includes('step 3 of 8')")


def test_an_empty_session_fills_up_when_the_first_step_comes(
    reader: PageReader, producer: Producer
) -> None:
    producer.write_session()
    with watching(producer.session) as server:
        reader.open(server.url)
        reader.until("document.body.innerText.includes('Nothing has been published yet')")
        producer.bundle()
        producer.publish("b0001_quick")
        reader.until(SHOWN)


def test_a_half_written_session_leaves_the_last_good_state(
    reader: PageReader, producer: Producer, server: LiveServer
) -> None:
    reader.open(server.url, ready=SHOWN)

    (producer.session / "session.json").write_text('{"protocol_ver', encoding="utf-8")

    reader.until("document.querySelector('#notices').innerText.includes('last good state')")
    assert "step 7 of 7" in reader.text("#chips")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "evil.example:18765", ""])
def test_a_foreign_host_header_is_refused(server: LiveServer, host: str) -> None:
    for path in ("", "events", "a/b0001_quick/0/hero.png"):
        assert ask(server, path, Host=host)[0] == 403


def test_without_the_token_there_is_nothing(server: LiveServer) -> None:
    near = server.token[:-1] + ("y" if server.token.endswith("x") else "x")
    for path in ("/", "/index.html", "/x/", "/session.json", f"/{near}/"):
        assert ask(server, path)[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "session.json",
        "a/",
        "a/b0001_quick/",
        "a/b0001_quick/99/x",
        "a/nothing/0/x",
        "a/..%2f..%2f..%2fetc/0/passwd",
        "../../etc/passwd",
        "a/b0001_quick/0/../../manifest.json",
        "a/b0001_quick/-1/x",
    ],
)
def test_only_files_that_manifests_name_are_served(server: LiveServer, path: str) -> None:
    assert ask(server, path)[0] == 404


def test_a_link_put_in_later_is_not_followed(producer: Producer, server: LiveServer) -> None:
    secret = producer.project / "secret.png"
    secret.write_bytes(b"SECRET")
    picture = producer.folder("b0001_quick") / "artifacts" / "hero.png"
    picture.unlink()
    picture.symlink_to(secret)

    assert ask(server, "a/b0001_quick/0/hero.png")[0] == 404


def test_answers_carry_strict_headers_and_no_cross_origin_access(server: LiveServer) -> None:
    for path in ("", "a/b0001_quick/0/hero.png"):
        status, headers, _ = ask(server, path, Origin="http://evil.example")
        assert status == 200
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert not [name for name in headers if name.startswith("access-control")]
    assert ask(server, "", method="POST")[0] == 501
    assert ask(server, "", method="OPTIONS")[0] == 501


def test_documents_that_could_run_are_sandboxed(producer: Producer) -> None:
    producer.bundle(files={"page.html": b"<script>1</script>", "s.svg": b"<svg/>"})
    producer.publish("b0001_quick")
    with watching(producer.session) as server:
        for number in (0, 1):
            status, headers, _ = ask(server, f"a/b0001_quick/{number}/x")
            assert status == 200
            assert "sandbox" in headers["content-security-policy"]


def test_the_server_listens_on_loopback_only(server: LiveServer) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_parts_of_a_file_are_served_for_seeking(producer: Producer) -> None:
    content = bytes(range(200))
    producer.bundle(files={"clip.mp4": content})
    producer.publish("b0001_quick")
    with watching(producer.session) as server:
        path = "a/b0001_quick/0/clip.mp4"
        status, headers, body = ask(server, path, Range="bytes=10-19")
        assert (status, body) == (206, content[10:20])
        assert headers["content-range"] == "bytes 10-19/200"
        assert headers["content-type"] == "video/mp4"
        assert ask(server, path, Range="bytes=190-")[2] == content[190:]
        assert ask(server, path, Range="bytes=-5")[2] == content[-5:]
        status, headers, _ = ask(server, path, Range="bytes=200-")
        assert (status, headers["content-range"]) == (416, "bytes */200")
        assert ask(server, path, method="HEAD")[1]["content-length"] == "200"


@pytest.mark.parametrize(
    ("header", "size", "expected"),
    [
        (None, 10, (0, 10, False)),
        ("bytes=0-0", 10, (0, 1, True)),
        ("bytes=5-", 10, (5, 10, True)),
        ("bytes=-3", 10, (7, 10, True)),
        ("bytes=-30", 10, (0, 10, True)),
        ("bytes=2-99", 10, (2, 10, True)),
        ("bytes=10-", 10, None),
        ("bytes=5-4", 10, None),
        ("bytes=-0", 10, None),
        ("bytes=0-", 0, None),
        ("bytes=-", 10, (0, 10, False)),
        ("bytes=0-1,4-5", 10, (0, 10, False)),
        ("lines=1-2", 10, (0, 10, False)),
    ],
)
def test_ranges_are_understood_as_the_standard_has_them(
    header: str | None, size: int, expected: tuple[int, int, bool] | None
) -> None:
    found = span_of(header, size)
    assert (found and (found.start, found.stop, found.partial)) == expected


def test_a_chosen_port_in_use_is_a_conflict_and_a_free_one_is_found_otherwise(
    hub: Hub, producer: Producer
) -> None:
    producer.seven_steps()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = hub("previews", "watch", producer.session, "--port", str(port), "--json")
        assert answer.code == Conflict.exit_code
        assert answer.document["error"]["code"] == "conflict"
    assert hub("previews", "watch", producer.session, "--port", "99999", "--json").code == 2
    with watching(producer.session) as first, watching(producer.session) as second:
        assert first.server_port != second.server_port


def test_watch_prints_one_document_and_ends_cleanly(producer: Producer, tmp_path: Path) -> None:
    producer.seven_steps()
    line = [sys.executable, "-m", "cli_hub", "previews", "watch", str(producer.session), "--json"]
    environment = os.environ | {"CLI_HUB_HOME": str(tmp_path / "home")}
    process = subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    try:
        assert process.stdout is not None
        text = b""
        end = time.monotonic() + 20
        while not text.rstrip().endswith(b"}") and time.monotonic() < end:
            text += process.stdout.readline()
        document = json.loads(text)
        jsonschema.validate(document, schemas.load("preview-watch"))
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert rest == b""
    assert process.returncode == 0


def test_open_without_a_browser_gives_the_path_and_succeeds(
    hub: Hub, producer: Producer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)

    answer = hub("previews", "open", producer.seven_steps(), "--json")

    jsonschema.validate(answer.document, schemas.load("preview-open"))
    assert answer.code == 0
    assert answer.document["opened"] is False
    assert Path(answer.document["path"]).is_file()
