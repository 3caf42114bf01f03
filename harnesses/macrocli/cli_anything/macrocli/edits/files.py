"""Reads and replaces the files that edits work on."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cli_anything.macrocli.edits import EditFailed

_BOM = b"\xef\xbb\xbf"
SIZE_LIMIT = 256_000_000
"""Bytes of a file that is edited; a larger one is refused instead of filling the memory."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """The text of a file, and whether it began with a byte order mark."""

    text: str
    bom: bool

    def encoded(self, text: str) -> bytes:
        """*text* as the file should hold it."""
        return (_BOM if self.bom else b"") + text.encode("utf-8")


def read_bytes(path: Path) -> bytes:
    """The content of *path*; raises :class:`EditFailed` in words a person can act on."""
    try:
        if path.is_file() and path.stat().st_size > SIZE_LIMIT:
            raise EditFailed(f"{path} is larger than {SIZE_LIMIT} bytes")
        return path.read_bytes()
    except FileNotFoundError:
        raise EditFailed(f"there is no file {path}") from None
    except OSError as problem:
        raise EditFailed(f"{path} cannot be read: {problem.strerror}") from None


def read_text(path: Path) -> TextFile:
    """The text of a UTF-8 file with its line ends as they are."""
    content = read_bytes(path)
    bom = content.startswith(_BOM)
    try:
        return TextFile(content[len(_BOM) if bom else 0 :].decode("utf-8"), bom)
    except UnicodeDecodeError as problem:
        raise EditFailed(f"{path} is not UTF-8 text (byte {problem.start})") from None


def write_bytes(path: Path, content: bytes) -> None:
    """Replace *path* in one step, keeping its mode; a reader sees the old file or the new one."""
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise EditFailed(f"{path} is not a regular file")
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
        temporary = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        _give_mode(temporary, target)
        temporary.replace(target)
    except FileNotFoundError:
        raise EditFailed(f"there is no folder {target.parent}") from None
    except OSError as problem:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise EditFailed(f"{path} cannot be written: {problem.strerror}") from None


def copy(source: Path, target: Path, *, overwrite: bool) -> int:
    """Copy one file in one step and return its size; its mode comes along."""
    if not source.exists():
        raise EditFailed(f"there is no file {source}")
    if not source.is_file():
        raise EditFailed(f"{source} is not a regular file")
    target = target / source.name if target.is_dir() else target
    if target.exists() and source.samefile(target):
        return target.stat().st_size
    if target.exists() and not overwrite:
        raise EditFailed(f"{target} is already there and overwrite is false")
    temporary = target.with_name(f".{target.name[:40]}.{os.getpid()}.part")
    try:
        shutil.copyfile(source, temporary)
        shutil.copymode(source, temporary)
        temporary.replace(target)
    except FileNotFoundError:
        raise EditFailed(f"there is no folder {target.parent}") from None
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise EditFailed(f"{target} cannot be written: {problem.strerror}") from None
    return target.stat().st_size


def _give_mode(temporary: Path, target: Path) -> None:
    """A replaced file keeps its mode; a new one gets what the umask leaves."""
    if target.exists():
        shutil.copymode(target, temporary)
        return
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
