"""How each kind of condition is checked. A check only looks; it never changes anything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cli_anything.macrocli.conditions.model import Verdict, World

FILE_TYPES = (
    "png", "jpeg", "gif", "bmp", "webp", "tiff", "svg", "pdf", "zip", "gzip", "mp4", "webm",
    "wav", "mp3", "ogg", "json", "xml", "text", "empty",
)  # fmt: skip

_MAGIC: tuple[tuple[str, int, bytes], ...] = (
    ("png", 0, b"\x89PNG\r\n\x1a\n"),
    ("jpeg", 0, b"\xff\xd8\xff"),
    ("gif", 0, b"GIF8"),
    ("bmp", 0, b"BM"),
    ("webp", 8, b"WEBP"),
    ("tiff", 0, b"II*\x00"),
    ("tiff", 0, b"MM\x00*"),
    ("pdf", 0, b"%PDF-"),
    ("zip", 0, b"PK\x03\x04"),
    ("zip", 0, b"PK\x05\x06"),
    ("gzip", 0, b"\x1f\x8b"),
    ("mp4", 4, b"ftyp"),
    ("webm", 0, b"\x1aE\xdf\xa3"),
    ("wav", 8, b"WAVE"),
    ("mp3", 0, b"ID3"),
    ("mp3", 0, b"\xff\xfb"),
    ("ogg", 0, b"OggS"),
)
_HEAD = 4096
_MTIME_SLACK = 0.05
"""Seconds a file system's clock may lag behind ours (jiffies on Linux)."""


def file_exists(arguments: Mapping[str, Any], _world: World) -> Verdict:
    path: Path = arguments["path"]
    if path.is_dir():
        return Verdict(
            met=False, reason=f"{path} is a folder, not a file (dir_exists checks those)"
        )
    return _verdict(path.exists(), f"{path} exists", f"there is no file {path}")


def dir_exists(arguments: Mapping[str, Any], _world: World) -> Verdict:
    path: Path = arguments["path"]
    return _verdict(path.is_dir(), f"{path} is a folder", f"there is no folder {path}")


def file_size_gt(arguments: Mapping[str, Any], world: World) -> Verdict:
    path: Path = arguments["path"]
    there = file_exists(arguments, world)
    if not there.met:
        return there
    size = path.stat().st_size
    said = f"{path} has {size} bytes"
    return Verdict(met=size > arguments["bytes"], reason=said)


def file_newer_than_start(arguments: Mapping[str, Any], world: World) -> Verdict:
    path: Path = arguments["path"]
    there = file_exists(arguments, world)
    if not there.met:
        return there
    written = path.stat().st_mtime
    return _verdict(
        written >= world.started_at - _MTIME_SLACK,
        f"{path} was written by this run",
        f"{path} is {world.started_at - written:.1f} s older than this run",
    )


def file_type(arguments: Mapping[str, Any], world: World) -> Verdict:
    there = file_exists(arguments, world)
    if not there.met:
        return there
    found = detect_types(arguments["path"])
    said = f"{arguments['path']} is {' or '.join(found) if found else 'of an unknown type'}"
    return Verdict(met=arguments["type"] in found, reason=said)


def detect_types(path: Path) -> tuple[str, ...]:
    """The types the content of a file has; JSON, SVG and XML are text too."""
    with path.open("rb") as stream:
        head = stream.read(_HEAD)
        if not head:
            return ("empty",)
        for name, offset, magic in _MAGIC:
            if head[offset : offset + len(magic)] == magic:
                return (name,)
        if b"\0" in head or not _is_utf8(head):
            return ()
        found = ["text"]
        start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
        if start[:1] in (b"{", b"[", b'"') and _is_json(head + stream.read()):
            found.append("json")
    if start.startswith((b"<?xml", b"<svg", b"<!DOCTYPE")):
        found.append("xml")
    if b"<svg" in head:
        found.append("svg")
    return tuple(found)


def _is_utf8(head: bytes) -> bool:
    try:
        head.decode()
    except UnicodeDecodeError as problem:
        return problem.start >= len(head) - 3 and len(head) == _HEAD  # cut inside a character
    return True


def _is_json(content: bytes) -> bool:
    try:
        json.loads(content.decode("utf-8-sig"))
    except ValueError:
        return False
    return True


def file_contains(arguments: Mapping[str, Any], world: World) -> Verdict:
    there = file_exists(arguments, world)
    if not there.met:
        return there
    wanted = arguments["text"].encode()
    with arguments["path"].open("rb") as stream:
        kept = b""
        while chunk := stream.read(1_000_000):
            if wanted in kept + chunk:
                return Verdict(met=True, reason=f"{arguments['path']} contains it")
            kept = (kept + chunk)[-len(wanted) :] if wanted else b""
    return Verdict(met=False, reason=f"{arguments['path']} does not contain {arguments['text']!r}")


def json_path(arguments: Mapping[str, Any], world: World) -> Verdict:
    there = file_exists(arguments, world)
    if not there.met:
        return there
    path: Path = arguments["path"]
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except ValueError as problem:
        return Verdict(met=False, reason=f"{path} is not JSON: {problem}")
    walked = []
    for key in arguments["key"].split("."):
        walked.append(key)
        try:
            value = value[int(key)] if isinstance(value, list) else value[key]
        except (KeyError, IndexError, TypeError, ValueError):
            return Verdict(met=False, reason=f"{path} has no {'.'.join(walked)}")
    wanted = arguments["equals"]
    if wanted is None:
        return Verdict(met=True, reason=f"{path} has {arguments['key']}")
    said = f"{arguments['key']} is {json.dumps(value, ensure_ascii=False)}"
    return Verdict(met=_same(value, wanted), reason=said)


def image_not_blank(arguments: Mapping[str, Any], world: World) -> Verdict:
    there = file_exists(arguments, world)
    if not there.met:
        return there
    try:
        from PIL import Image, UnidentifiedImageError
    except ImportError:
        return Verdict(met=False, reason="Pillow is needed to look at pictures (extra: visual)")
    path: Path = arguments["path"]
    try:
        with Image.open(path) as picture:
            bands = picture.convert("RGB").split()
            plain = all(low == high for low, high in (band.getextrema() for band in bands))
    except (UnidentifiedImageError, OSError) as problem:
        return Verdict(met=False, reason=f"{path} is not a picture: {problem}")
    return _verdict(not plain, f"{path} has more than one colour", f"{path} is of one colour only")


def process_running(arguments: Mapping[str, Any], _world: World) -> Verdict:
    import psutil

    wanted = arguments["name"]
    for process in psutil.process_iter(["name", "cmdline", "status"]):
        if process.info["status"] == psutil.STATUS_ZOMBIE:
            continue
        command = process.info["cmdline"] or []
        # The kernel keeps 15 characters of a name; the command line has all of it.
        if wanted in (process.info["name"], Path(command[0]).name if command else ""):
            return Verdict(met=True, reason=f"{wanted} runs as process {process.pid}")
    return Verdict(met=False, reason=f"no process is called {wanted}")


def env_var(arguments: Mapping[str, Any], world: World) -> Verdict:
    name, wanted = arguments["name"], arguments["equals"]
    value = world.environment.get(name)
    if value is None:
        return Verdict(met=False, reason=f"{name} is not set")
    if wanted is None:
        return Verdict(met=True, reason=f"{name} is set")
    # The value may be a credential: it is compared and never shown.
    return _verdict(value == wanted, f"{name} is as wanted", f"{name} has another value")


def port_open(arguments: Mapping[str, Any], _world: World) -> Verdict:
    import socket

    where = f"{arguments['host']}:{arguments['port']}"
    if not 0 < arguments["port"] < 65536:
        return Verdict(met=False, reason=f"{arguments['port']} is not a port")
    try:
        socket.create_connection((arguments["host"], arguments["port"]), timeout=2).close()
    except OSError as problem:
        return Verdict(met=False, reason=f"{where} does not answer: {problem.strerror or problem}")
    return Verdict(met=True, reason=f"{where} accepts connections")


def window_exists(arguments: Mapping[str, Any], world: World) -> Verdict:
    from cli_anything.macrocli.desktop.windows import DesktopUnavailable, find_windows

    try:
        found = find_windows(arguments["title"], world.environment)
    except DesktopUnavailable as problem:
        return Verdict(met=False, reason=str(problem))
    return _verdict(
        bool(found),
        f"there is a window with {arguments['title']!r} in its title",
        f"no window has {arguments['title']!r} in its title",
    )


def equals(arguments: Mapping[str, Any], _world: World) -> Verdict:
    left, right = arguments["left"], arguments["right"]
    same = _same(left, right)
    return Verdict(met=same, reason=f"{left!r} {'is' if same else 'is not'} {right!r}")


def always(arguments: Mapping[str, Any], _world: World) -> Verdict:
    return Verdict(met=arguments["value"], reason=f"always: {str(arguments['value']).lower()}")


def _same(left: Any, right: Any) -> bool:
    """Equality that does not take ``1`` for ``true``."""
    return bool(left == right) and isinstance(left, bool) is isinstance(right, bool)


def _verdict(met: bool, yes: str, no: str) -> Verdict:
    return Verdict(met=met, reason=yes if met else no)
