"""The two hubs that are measured beside each other, each in an environment of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import uv

REPOSITORY = Path(__file__).parents[1]
PUBLIC_HUB = "cli-anything-hub==0.4.1"


def make_environment(folder: Path, *packages: str, seed: bool = False) -> Path:
    """An environment in *folder* with *packages*; the folder of its programs."""
    engine = uv.find_uv_bin()
    quiet = {"check": True, "capture_output": True}
    extra = ["--seed"] if seed else []
    subprocess.run([engine, "venv", *extra, "--python", sys.executable, folder], **quiet)  # type: ignore[call-overload]
    subprocess.run(
        [engine, "pip", "install", "--compile-bytecode", "--python", folder, *packages],
        **quiet,  # type: ignore[call-overload]
    )
    return folder / "bin"


def tell_public_hub(home: Path, entries: Sequence[dict[str, Any]]) -> None:
    """Let the public hub of the person at *home* believe it has just fetched *entries*."""
    cache = home / ".cli-hub"
    cache.mkdir(parents=True, exist_ok=True)
    for file, known in (("registry_cache", list(entries)), ("public_registry_cache", [])):
        (cache / f"{file}.json").write_text(
            json.dumps({"_cached_at": time.time(), "data": {"meta": {}, "clis": known}})
        )


def public_hub_variables(home: Path) -> dict[str, str]:
    return {"PATH": os.defpath, "HOME": str(home), "CLI_HUB_NO_ANALYTICS": "1"}
