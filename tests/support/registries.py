"""Small registries for tests, written to files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def entry(name: str, **fields: Any) -> dict[str, Any]:
    """A complete raw entry; *fields* replace or add, and ``None`` stays a null."""
    return {
        "name": name,
        "display_name": name.title(),
        "version": "1.0",
        "description": f"What {name} does",
        "category": "testing",
        "install_cmd": f"pip install {name}",
        "entry_point": name,
        **fields,
    }


def lacking(record: dict[str, Any], *keys: str) -> dict[str, Any]:
    """*record* without *keys*."""
    return {key: value for key, value in record.items() if key not in keys}


def registry_text(*entries: Any, **meta: Any) -> str:
    """The text of a registry."""
    return json.dumps({"meta": meta, "clis": list(entries)}, indent=2, ensure_ascii=False)


def registry_file(folder: Path, *entries: Any, name: str = "registry.json", **meta: Any) -> Path:
    """A registry in *folder*."""
    file = folder / name
    file.write_text(registry_text(*entries, **meta), encoding="utf-8")
    return file
