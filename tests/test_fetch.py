"""Whom the hub trusts when it opens the network."""

from __future__ import annotations

import ssl
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
import trustme

from cli_hub.errors import Offline
from cli_hub.fetch import fetch, system_certificates
from cli_hub.process import Command, run

COMPANY = trustme.CA(organization_name="a company's own authority")


class Hello(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *_: object) -> None:
        """Nothing is asked of it."""


@contextmanager
def https_server() -> Iterator[str]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    COMPANY.issue_cert("127.0.0.1").configure_cert(context)
    server = HTTPServer(("127.0.0.1", 0), Hello)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"https://127.0.0.1:{server.server_address[1]}/registry.json"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_an_unknown_authority_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)

    with https_server() as url, pytest.raises(Offline, match="certificate"):
        fetch(url)


def test_a_companys_authority_is_believed_when_a_variable_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = tmp_path / "company.pem"
    COMPANY.cert_pem.write_to_path(str(bundle))
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))

    with https_server() as url:
        assert fetch(url).body == b"hello"


def test_opening_the_network_is_paid_by_those_who_open_it() -> None:
    code = "import sys, cli_hub.fetch; sys.exit('httpx' in sys.modules or 'ssl' in sys.modules)"

    assert run(Command((sys.executable, "-c", code)), timeout=60).exit_code == 0


def test_installers_are_told_of_every_authority_that_openssl_trusts_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    system, told = (ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) for _ in range(2))
    system.set_default_verify_paths()

    file, folder = system_certificates()

    if file or folder:
        told.load_verify_locations(file, folder)
    assert set(system.get_ca_certs(binary_form=True)) <= set(told.get_ca_certs(binary_form=True))
