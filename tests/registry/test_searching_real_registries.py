"""Searches of the registries there really are: the published ones, and the hub's own."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from cli_hub.config import Settings
from cli_hub.paths import Paths
from cli_hub.registry.index import Index, open_index
from cli_hub.registry.search import search
from tests.support.requirements import require_corpus


def names_for(index: Index, query: str) -> list[str]:
    return [hit.name for hit in search(index, query)]


def test_published_queries_find_what_is_relevant(index_of: Callable[..., Index]) -> None:
    corpus = require_corpus()
    index = index_of(*sorted((corpus / "registry").glob("*.json")))
    ranks, recalls = [], []
    for case in json.loads((corpus / "queries.json").read_text(encoding="utf-8")):
        names, relevant = names_for(index, case["query"]), case["relevant"]
        if not relevant:
            assert names == []
            continue
        ranks.append(
            max((1 / (names.index(one) + 1) for one in relevant if one in names), default=0)
        )
        recalls.append(len(set(names[:3]) & set(relevant)) / len(relevant))

    assert sum(ranks) / len(ranks) >= 0.88
    assert sum(recalls) / len(recalls) >= 0.93


BROAD = {
    "edit a photo": {"gimp", "krita", "imagemagick", "sharp-cli"},
    "photoeditor": {"gimp", "krita", "imagemagick", "sharp-cli"},
    "cut a movie": {"ffmpeg", "auto-editor", "kdenlive", "shotcut"},
    "videoeditor": {"ffmpeg", "auto-editor", "kdenlive", "shotcut"},
    "trasncribe": {"videocaptioner", "whisper-ctranslate2"},
    "convert docx to pdf": {"libreoffice", "unoserver", "pandoc"},
    "resize pictures": {"sharp-cli", "imagemagick"},
    "bledner": {"blender"},
    "blenderrender": {"blender"},
    "libre office": {"libreoffice"},
    "gimpp": {"gimp"},
    "3d printing": {"openscad", "meerk40t"},
    "render a scene": {"blender"},
    "send an email": {"himalaya"},
    "ocr a scan": {"ocrmypdf"},
    "merge pdfs": {"pdfly"},
    "pdfmerge": {"pdfly"},
    "screenrecorder": {"openscreen", "quietshrink"},
    "music notation": {"musescore", "python-ly"},
    "record audio": {"audacity", "sox"},
    "vector graphics": {"inkscape", "svgo"},
    "spreadsheet": {"libreoffice", "xlsx2csv"},
    "smart home": {"node-red", "python-kasa"},
    "translate text": {"deep-translator"},
    "download youtube video": {"yt-dlp"},
    "webscraper": {"shot-scraper"},
    "browser automation": {"agent-browser", "browser", "playwright"},
    "kubernetes deployment": {"kubectl"},
    "manage passwords": {"bitwarden", "1password-cli"},
    "geographic maps": {"qgis", "mapshaper"},
    "http requests": {"httpie"},
    "draw a flowchart": {"drawio", "graphviz-wasm"},
    "time tracking": {"watson"},
    "billable hours": {"watson"},
    "scrape a website": {"scrapy", "trafilatura"},
    "spell checking": {"codespell"},
    "fuzzing": {"schemathesis"},
    "regular expression": {"ast-grep", "semgrep"},
    "plain text accounting": {"beancount"},
    "pcb": {"gerbonara"},
    "research papers": {"papis", "zotero"},
    "proofreading": {"codespell"},
    "remove background noise from a podcast": {"audacity", "sox"},
    "download youtube playlist": {"yt-dlp"},
    "machine learning": {"huggingface", "unimol_tools", "dvc"},
}
"""Queries, and entries of which a person would expect one among the first three."""


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return open_index(Paths(tmp_path_factory.mktemp("home")), Settings())


@pytest.mark.parametrize("query", sorted(BROAD))
def test_the_embedded_catalogue_answers_in_the_first_three(query: str, embedded: Index) -> None:
    assert set(names_for(embedded, query)[:3]) & BROAD[query]


@pytest.mark.parametrize(
    "query",
    ["knit a sweater pattern", "sweaterpattern", "bake bread", "weather forecast on mars",
     "unicorns", "qwertyuiop", "skateboard", "lawnmower", "astrology"],
)  # fmt: skip
def test_the_embedded_catalogue_has_no_noise(query: str, embedded: Index) -> None:
    assert names_for(embedded, query) == []
