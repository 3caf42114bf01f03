"""The only place where the hub opens the network.

Proxies (``HTTPS_PROXY`` …) and certificate bundles (``SSL_CERT_FILE``) are honoured by the
client itself. Nothing here is called unless the user asked for something that needs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cli_hub.errors import HubError, Offline

LIMIT = 64 * 1024 * 1024
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
            httpx.Client(follow_redirects=True, timeout=timeout) as client,
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
