"""Registries of any size for measurements: the same entries for the same size, every time.

Names are made of syllables, descriptions of words whose frequency falls as in real text, so that
some words are in half of the entries and most in few.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SYLLABLES = re.findall(
    r"\w+",
    """
    ba be bi bo bu da de di do du fa fe fi fo ga ge gi go ka ke ki ko ku la le li lo lu ma me mi
    mo mu na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za
    zo
    """,
)
TELLING = re.findall(
    r"\w+",
    """
    video audio image render edit convert export import timeline subtitle caption mesh scene
    model  vector diagram chart document slide sheet note task calendar mail chat meeting
    browser page  query table database index search crawl deploy container cluster log metric
    trace debug profile  test mock build package release secret key encrypt scan network proxy
    router sensor device map  terrain molecule protein sequence simulate solve plot notebook
    train infer prompt agent workflow  macro record replay archive sync backup translate
    transcribe compress stream capture annotate
    """,
)
CATEGORIES = [
    "video",
    "audio",
    "image",
    "3d",
    "office",
    "data",
    "devops",
    "web",
    "ai",
    "science",
    "network",
    "security",
]


def entries(count: int) -> Iterator[dict[str, Any]]:
    """*count* entries."""
    chance = random.Random(20260)  # the same entries in every run
    filler = ["".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(4000)]
    vocabulary = TELLING + filler
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    for number in range(count):
        name = "".join(chance.choices(SYLLABLES, k=3)) + f"-{number:06d}"
        words = chance.choices(vocabulary, weights, k=14)
        yield {
            "name": name,
            "display_name": name.title(),
            "version": f"{number % 9}.{number % 7}.0",
            "description": f"{words[0].title()} {' '.join(words[1:8])} — {' '.join(words[8:])}",
            "requires": f"{words[2]} >= {number % 5}",
            "homepage": f"https://example.org/{name}",
            "source_url": None,
            "install_cmd": f"pip install git+https://example.org/{name}.git#subdirectory=harness",
            "entry_point": f"cli-anything-{name}",
            "skill_md": f"skills/cli-anything-{name}/SKILL.md",
            "category": chance.choice(CATEGORIES),
            "contributors": [{"name": words[3], "url": f"https://example.org/people/{words[3]}"}],
        }


def write(count: int, file: Path) -> Path:
    """A registry of *count* entries as *file*, unless it is there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        document = {"meta": {"description": "generated"}, "clis": list(entries(count))}
        file.write_text(json.dumps(document, indent=2, ensure_ascii=False), encoding="utf-8")
    return file


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("file", type=Path)
    chosen = parser.parse_args()
    print(write(chosen.count, chosen.file))


if __name__ == "__main__":
    main()
