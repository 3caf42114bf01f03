"""Write ``docs/catalogue.md`` from the two registry files; ``--check`` only compares.

Run it after a change of either registry:  .venv/bin/python scripts/catalogue_page.py
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cli_hub.registry.vocabulary import CATEGORIES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "catalogue.md"


def main(arguments: Sequence[str]) -> int:
    wanted = page(entries("registry.json"), entries("public_registry.json"))
    if "--check" in arguments:
        current = PAGE.read_text(encoding="utf-8") == wanted
        print("docs/catalogue.md is current" if current else "docs/catalogue.md is out of date")
        return 0 if current else 1
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


def entries(file: str) -> list[dict[str, Any]]:
    """The entries of one of the registry files beside this folder."""
    document = json.loads((ROOT / file).read_text(encoding="utf-8"))
    return list(document["clis"])


def page(harnesses: Sequence[Mapping[str, Any]], public: Sequence[Mapping[str, Any]]) -> str:
    """The whole page."""
    everything = [*harnesses, *public]
    by_category = defaultdict(list)
    for entry in everything:
        by_category[entry["category"]].append(entry)
    strategies = Counter(entry["install"]["strategy"] for entry in everything)
    lines = [
        "# Catalogue",
        "",
        f"{len(everything)} entries in {len(by_category)} categories: {len(harnesses)} harnesses"
        f" (`registry.json`) and {len(public)} third-party command lines"
        " (`public_registry.json`).",
        "Installed by " + ", ".join(f"{name} {n}" for name, n in strategies.most_common()) + ".",
        "",
        f"{sum(map(is_proven, everything))} are verified: `cli-hub registry verify` installed the"
        " package into a throw-away environment",
        "and its command started there. The others carry the reason; `cli-hub info NAME` shows it.",
        "What the capabilities of an entry mean is in [capabilities.md](capabilities.md).",
    ]
    for category in sorted(by_category):
        lines += ["", f"## {category}", "", sentence(CATEGORIES[category]), ""]
        lines += ["| name | what for | installs by | verified |", "|---|---|---|---|"]
        lines += map(row, sorted(by_category[category], key=lambda one: str(one["name"])))
    return "\n".join(lines) + "\n"


def row(entry: Mapping[str, Any]) -> str:
    """One line of a table."""
    name, home = entry["name"], entry.get("homepage")
    shown = f"[{name}]({home})" if home else name
    version = entry["verified"]["version"] if is_proven(entry) else "no"
    what = entry["description"].replace("|", "\\|")
    return f"| {shown} | {what} | {entry['install']['strategy']} | {version} |"


def is_proven(entry: Mapping[str, Any]) -> bool:
    return bool(entry.get("verified", {}).get("entry_point"))


def sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
