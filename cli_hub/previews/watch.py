"""Watching a preview: file events refresh the feed, the server pushes it to the pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from cli_hub.previews.feed import Feed
from cli_hub.previews.places import locate
from cli_hub.previews.server import LiveServer, bind

_LOOK_SECONDS = 1.0
"""Network folders may have no events: the files are looked at this often in any case."""

_QUIET_SECONDS = 0.01
_QUIET_ROUNDS = 4


@contextmanager
def watching(reference: Path, *, port: int | None = None) -> Iterator[LiveServer]:
    """Serve the live page of *reference* until the block ends; the server runs in threads.

    Raises what :func:`~cli_hub.previews.places.locate` and
    :func:`~cli_hub.previews.server.bind` raise.
    """
    feed = Feed(locate(reference))
    feed.refresh()
    server = bind(feed, port)
    something = threading.Event()
    observer = Observer()
    observer.schedule(_Bell(something), str(feed.place.folder), recursive=False)
    keeper = threading.Thread(target=_keep_current, args=(feed, something), daemon=True)
    serving = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True
    )
    observer.start()
    keeper.start()
    serving.start()
    try:
        yield server
    finally:
        observer.stop()
        server.close()
        something.set()
        for thread in (observer, keeper, serving):
            thread.join(timeout=5)


class _Bell(FileSystemEventHandler):
    """Rings for any event in the folder."""

    def __init__(self, something: threading.Event) -> None:
        self._something = something

    def dispatch(self, event: FileSystemEvent) -> None:
        del event  # what happened is read from the files themselves
        self._something.set()


def _keep_current(feed: Feed, something: threading.Event) -> None:
    while not feed.closed:
        if something.wait(_LOOK_SECONDS):
            _until_quiet(something)
        feed.refresh()


def _until_quiet(something: threading.Event) -> None:
    """A publish writes several files: wait for the last, shortly, and read once for all."""
    for _ in range(_QUIET_ROUNDS):
        something.clear()
        if not something.wait(_QUIET_SECONDS):
            return
