"""Writing files so that a reader sees the old content or the new one, never half of it."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cli_anything.kit.errors import Conflict, HarnessError, UsageError


class CannotWrite(HarnessError):
    """The disk, or its permissions, did not let a file be written."""

    code = "cannot_write"

    def __init__(self, target: Path, problem: OSError) -> None:
        super().__init__(f"{target} cannot be written: {problem.strerror or problem}")


def write_atomically(target: Path, content: bytes) -> None:
    """Replace *target* by *content*; it is on disk before the name points to it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        Path(draft).chmod(0o644)
        Path(draft).replace(target)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def write_json(target: Path, document: Any) -> None:
    """Replace *target* by *document* as indented UTF-8 JSON with a final line feed."""
    text = json.dumps(document, indent=2, ensure_ascii=False) + "\n"
    write_atomically(target, text.encode("utf-8"))


@contextmanager
def drafting(target: Path, *, overwrite: bool) -> Iterator[Path]:
    """A path to write to; it becomes *target* in one step when the block succeeds.

    The draft lies in a hidden folder beside *target* and keeps its suffix, by which programs know
    what to write. Whatever ends the block early, Ctrl-C included, leaves nothing behind. Raises
    :class:`Conflict` when *target* exists and may not be replaced, :class:`UsageError` when it is a
    folder, :class:`CannotWrite`.
    """
    _refuse(target, overwrite=overwrite)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.stem}."))
    except OSError as problem:
        raise CannotWrite(target, problem) from problem
    try:
        draft = folder / f"draft{target.suffix}"
        yield draft
        _refuse(target, overwrite=overwrite)
        try:
            draft.replace(target)
        except OSError as problem:
            raise CannotWrite(target, problem) from problem
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _refuse(target: Path, *, overwrite: bool) -> None:
    if target.is_dir():
        raise UsageError(f"{target} is a folder", hint="give the name of a file")
    if target.exists() and not overwrite:
        raise Conflict(f"{target} exists already", hint="add --overwrite to replace it")
