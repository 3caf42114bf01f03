"""Writing files so that a reader sees the old content or the new one, never half of it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


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
