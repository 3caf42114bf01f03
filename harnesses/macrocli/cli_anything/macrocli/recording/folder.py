"""Writes a recorded macro: one folder with the YAML, its pictures and its sequences."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import yaml

from cli_anything.kit.errors import UsageError
from cli_anything.macrocli.read_macro import parse_macro
from cli_anything.macrocli.recording.steps import Written
from cli_anything.macrocli.scaffold import refuse_existing


def write_folder(written: Written, folder: Path) -> Path:
    """Write everything to *folder*, which appears whole or not at all; gives the macro file."""
    name = f"{written.document['name']}.yaml"
    text = as_yaml(written.document)
    parse_macro(text, source=str(folder / name), folder=folder)
    refuse_existing(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".recording-") as temporary:
            whole = Path(temporary) / "macro"
            for relative, content in {**written.files, name: text.encode()}.items():
                path = whole / relative
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            shutil.move(whole, folder)
    except OSError as problem:
        raise UsageError(f"{folder} cannot be written: {problem.strerror}") from None
    return folder.absolute() / name


class _Dumper(yaml.SafeDumper):
    """Texts in double quotes where they are more than a plain word, mappings in their order."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    plain = text.replace("_", "").replace(".", "").isalpha() and text.isascii()
    style = None if plain else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def as_yaml(document: dict[str, Any]) -> str:
    """A macro as text; every text reads back as it is, whatever YAML version reads it."""
    dumped: str = yaml.dump(
        document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100
    )
    return dumped
