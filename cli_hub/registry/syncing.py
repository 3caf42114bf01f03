"""Bringing a source's files here: from disk, from the network, or from the last good copy.

A source that fails is told by name. Its own last good copy may answer for it, with a warning that
tells the age; another source never does.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from cli_hub import config, fetch
from cli_hub.digests import sha256_of
from cli_hub.errors import BadDocument, HubError, NotFound, Offline, RequirementMissing
from cli_hub.fetch import Answer, FetchFailed
from cli_hub.paths import Paths
from cli_hub.registry.copies import Copy, Shelf
from cli_hub.registry.sources import Source, SourceKind
from cli_hub.values import dataclass

WAIT = 10.0
"""Seconds a registry server may be silent before its last good copy answers."""


class Fetcher(Protocol):
    """:func:`cli_hub.fetch.fetch`, or what a test puts in its place."""

    def __call__(
        self, url: str, *, headers: Mapping[str, str] | None = None, timeout: float = WAIT
    ) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Access:
    """How sources may be reached in this invocation."""

    paths: Paths
    offline: bool = False
    refresh: bool = False
    strict: bool = False
    """Whether a failure is raised even where a last good copy could answer."""
    wait: float = WAIT
    fetch: Fetcher = fetch.fetch
    environment: Callable[[str], str | None] = config.environment_value
    now: Callable[[], float] = time.time


@dataclass(frozen=True, slots=True)
class Held:
    """What is here of one source."""

    source: Source
    files: tuple[Path, ...]
    warnings: tuple[str, ...] = ()
    copy: Copy | None = None
    """The copy that *files* are, where they are one."""


def hold(source: Source, access: Access) -> Held:
    """The files of *source*, fetched when they must be.

    Raises :class:`Offline`, :class:`FetchFailed`, :class:`BadDocument` or :class:`NotFound`, each
    naming the source, when it fails and there is no good copy.
    """
    if source.kind is SourceKind.EMBEDDED:
        return Held(source, source.files)
    if source.kind is SourceKind.FILE and source.files[0].is_file():
        return Held(source, source.files)
    shelf = Shelf.of(source, access.paths)
    copy = shelf.read()
    if source.kind is SourceKind.FILE:
        missing = NotFound(
            f"{source}: there is no such file", hint="cli-hub registry sources list shows them"
        )
        return fall_back(source, shelf, copy, missing, access)
    if copy and (access.offline or (not access.refresh and _fresh(source, copy, access))):
        warnings = (f"{source}: offline, {_told(copy, access)}",) if access.offline else ()
        return Held(source, (shelf.body(copy),), warnings, copy)
    if access.offline:
        raise Offline(
            f"{source}: offline, and nothing of it is cached",
            hint="run once without --offline, or name a registry file in CLI_HUB_REGISTRY",
            details={"source": source.name},
        )
    try:
        return _fetched(source, shelf, copy, access)
    except (Offline, FetchFailed, BadDocument) as problem:
        return fall_back(source, shelf, copy, problem, access)


def fall_back(
    source: Source, shelf: Shelf, copy: Copy | None, problem: HubError, access: Access
) -> Held:
    """Answer from the last good copy of the same source, or raise *problem* naming the source."""
    if copy is None or access.strict:
        if str(source) not in problem.message:
            problem.message = f"{source}: {problem.message}"
            problem.args = (problem.message,)
        problem.details.setdefault("source", source.name)
        raise problem
    warning = f"{source}: {problem.message.removeprefix(f'{source}: ')}; {_told(copy, access)}"
    return Held(source, (shelf.body(copy),), (warning,), copy)


def check_file(source: Source) -> None:
    """Raise :class:`BadDocument` unless the registry file can be read whole."""
    from cli_hub.registry.reading import RegistryReader

    with source.files[0].open("rb") as stream:
        for _record in RegistryReader(stream, str(source.files[0])):
            pass


def state_of(source: Source) -> str:
    """What tells that a registry file changed, without reading it; empty for other sources."""
    if source.kind is not SourceKind.FILE or not source.files[0].is_file():
        return ""
    found = source.files[0].stat()
    return f"{found.st_size}:{found.st_mtime_ns}"


def keep_file(source: Source, access: Access) -> None:
    """Keep a copy of a registry file that was read whole, unless there is one of it as it is."""
    origin, shelf = state_of(source), Shelf.of(source, access.paths)
    copy = shelf.read() if origin else None
    if not origin or (copy and copy.origin == origin):
        return
    content = source.files[0].read_bytes()
    fresh = Copy(sha256_of(content), access.now(), access.now(), origin=origin)
    with suppress(OSError):  # a cache that cannot be written costs the fallback, not the answer
        shelf.keep(content, fresh)


def _fresh(source: Source, copy: Copy, access: Access) -> bool:
    return copy.age(access.now()) < source.max_age


def _fetched(source: Source, shelf: Shelf, copy: Copy | None, access: Access) -> Held:
    answer = access.fetch(
        source.location, headers=_headers(source, copy, access), timeout=access.wait
    )
    now = access.now()
    if answer.status == 304 and copy:
        copy = replace(copy, checked_at=now)
        shelf.note(copy)
        return Held(source, (shelf.body(copy),), copy=copy)
    check_answer(answer.body, source.location)
    fresh = Copy(
        sha256_of(answer.body),
        fetched_at=now,
        checked_at=now,
        etag=answer.headers.get("etag", ""),
        last_modified=answer.headers.get("last-modified", ""),
    )
    try:
        shelf.keep(answer.body, fresh)
    except OSError as problem:
        raise HubError(
            f"{source}: what was fetched cannot be kept: {problem}",
            hint="make room for it, or set CLI_HUB_HOME to a folder that may be written",
        ) from problem
    return Held(source, (shelf.body(fresh),), copy=fresh)


def check_answer(content: bytes, name: str) -> None:
    """Raise :class:`BadDocument` unless *content* is a registry with something usable in it."""
    from cli_hub.registry.entry import Entry  # with the reader 5 ms, for what was just fetched
    from cli_hub.registry.fields import BadField
    from cli_hub.registry.reading import RegistryReader

    if content.lstrip()[:1] == b"<":
        raise BadDocument(name, "the answer is a web page, not a registry")
    usable = broken = 0
    for record, _line in RegistryReader(io.BytesIO(content), name):
        try:
            Entry.parse(record)
            usable += 1
        except BadField:
            broken += 1
    if broken and not usable:
        raise BadDocument(name, f"none of its {broken} entries can be read")


def _headers(source: Source, copy: Copy | None, access: Access) -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if copy and copy.etag:
        headers["If-None-Match"] = copy.etag
    if copy and copy.last_modified:
        headers["If-Modified-Since"] = copy.last_modified
    if source.token_env:
        headers["Authorization"] = f"Bearer {_token(source, access)}"
    return headers


def _token(source: Source, access: Access) -> str:
    from urllib.parse import urlsplit

    parts = urlsplit(source.location)
    if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise BadDocument(
            source.location, f"the token in {source.token_env} is only sent over https"
        )
    token = (access.environment(source.token_env) or "").strip()
    if not token:
        raise RequirementMissing(
            f"{source} needs the variable {source.token_env}, which is not set",
            hint=f"set {source.token_env}, or remove token_env from the source",
            details={"source": source.name, "variable": source.token_env},
        )
    return token


def _told(copy: Copy, access: Access) -> str:
    return f"answering from the copy of {ago(copy.age(access.now()))} ago"


def ago(seconds: float) -> str:
    """``40 seconds``, ``3 hours``, ``2 days``: the largest unit that fits."""
    for unit, length in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            number = int(seconds // length)
            return f"{number} {unit}{'s' if number != 1 else ''}"
    return f"{int(seconds)} seconds"
