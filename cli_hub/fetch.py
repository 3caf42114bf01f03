"""The only place where the hub opens the network.

Proxies (``HTTPS_PROXY`` …) are honoured by the client itself. Certificates are held against
what ``SSL_CERT_FILE`` or ``SSL_CERT_DIR`` names, else against the system's bundle and certifi's.
Nothing here is called unless the user asked for something that needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from cli_hub.errors import HubError, Offline
from cli_hub.values import dataclass

if TYPE_CHECKING:
    import ssl

_BUNDLES = (
    Path("/etc/ssl/certs/ca-certificates.crt"),  # Debian, Alpine, Arch
    Path("/etc/pki/tls/certs/ca-bundle.crt"),  # Fedora
    Path("/etc/ssl/ca-bundle.pem"),  # SUSE
)
_FOLDER = Path("/etc/ssl/certs")

LIMIT = 128 * 1024 * 1024
"""Bytes an answer may have; a registry of 100,000 entries stays well below."""

TIMEOUT = 20.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said. *body* is empty for 304 (not modified)."""

    url: str
    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class FetchFailed(HubError):
    """The server answered, but not with what was asked for."""

    code = "fetch_failed"


def fetch(
    url: str,
    *,
    headers: Mapping[str, str] | None = None,
    limit: int = LIMIT,
    timeout: float = TIMEOUT,
) -> Answer:
    """GET *url*, following redirects. Status 200 and 304 are answers.

    Raises :class:`Offline` when no answer could be had, :class:`FetchFailed` for any other status,
    for an answer above *limit* bytes, and for one shorter than the server announced.
    """
    import httpx  # 90 ms: only what opens the network pays

    try:
        with (
            httpx.Client(follow_redirects=True, timeout=timeout, verify=_trusted()) as client,
            client.stream("GET", url, headers=dict(headers or {})) as response,
        ):
            if response.status_code not in (200, 304):
                raise FetchFailed(f"{url} answered {response.status_code}")
            body = bytearray()
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > limit:
                    raise FetchFailed(f"{url} sent more than {limit} bytes")
            return Answer(str(response.url), response.status_code, bytes(body), response.headers)
    except httpx.RemoteProtocolError as problem:
        raise FetchFailed(f"{url} broke off its answer: {problem}") from problem
    except (httpx.TooManyRedirects, httpx.DecodingError) as problem:
        raise FetchFailed(f"{url} cannot be read: {problem}") from problem
    except (httpx.UnsupportedProtocol, httpx.InvalidURL) as problem:
        raise FetchFailed(f"{url} is not an address to fetch: {problem}") from problem
    except httpx.TransportError as problem:
        raise Offline(
            f"{url} cannot be reached: {problem or type(problem).__name__}",
            hint="check the network and its proxy settings, or use --offline with what is cached",
        ) from problem


def system_certificates() -> tuple[Path | None, Path | None]:
    """The file and the folder of the system's own authorities; a minimal container has none.

    The usual places come first: to ask OpenSSL for its own costs six milliseconds.
    """
    bundle = next((path for path in _BUNDLES if path.is_file()), None)
    if bundle is None:
        import ssl

        places = ssl.get_default_verify_paths()
        bundle, folder = Path(places.openssl_cafile), Path(places.openssl_capath)
        return bundle if bundle.is_file() else None, folder if _has_files(folder) else None
    return bundle, _FOLDER if _has_files(_FOLDER) else None


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _trusted() -> ssl.SSLContext:
    import ssl

    context = ssl.create_default_context()
    places = ssl.get_default_verify_paths()  # the variables are already looked at
    own = {places.cafile, places.capath} - {None, places.openssl_cafile, places.openssl_capath}
    if not own:
        import certifi  # httpx brings it

        context.load_verify_locations(certifi.where())
    return context
