"""The fixed words of a registry: categories, platforms, kinds of need and of entry."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from types import MappingProxyType


class Kind(StrEnum):
    """Which half of the catalogue an entry belongs to."""

    HARNESS = "harness"
    """An agent-native command line over a real application."""
    PUBLIC = "public"
    """A command line its own vendor or community publishes."""


class Platform(StrEnum):
    LINUX = "linux"
    MACOS = "macos"
    WINDOWS = "windows"


class NeedKind(StrEnum):
    """What an entry needs beside its own package."""

    BINARY = "binary"
    """A program on PATH. ``probe`` is the argv that prints its version."""
    APPLICATION = "application"
    """Software that need not be on PATH: a desktop app, a game, a plug-in."""
    ENV = "env"
    """An environment variable that must be set (an API key, say)."""
    SERVICE = "service"
    """Something that answers at ``url``."""
    ACCOUNT = "account"
    """A login or licence; nothing here can check it, so it is only told."""


CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "3d": "modelling, rendering and animation of three-dimensional scenes",
        "ai": "models, inference, generation through model services, agents",
        "audio": "recording, editing, mixing and speech",
        "automation": "workflows, macros, scheduling, glue between services",
        "cad": "parametric and technical design, printing of parts",
        "cloud": "hosting, infrastructure as code, cloud accounts",
        "communication": "chat, mail, meetings, social networks",
        "data": "tables, files of records, conversion and queries over them",
        "data-science": "statistics, notebooks, experiments, reporting",
        "database": "stores and their administration, vectors included",
        "debugging": "debuggers, profilers, traces",
        "design": "interfaces, prototypes, illustration, textiles",
        "development": "source code, version control, builds, linters, packages",
        "devops": "processes, containers, deployment, monitoring, terminals",
        "diagrams": "charts of structure: flow, sequence, architecture",
        "documents": "conversion, typesetting, PDF, e-books, recognition of text",
        "education": "courses, flash cards, teaching",
        "files": "copying, syncing, archiving, backup, renaming",
        "finance": "accounting, markets, invoices, currencies",
        "game": "playing and steering games",
        "gamedev": "engines and tools that games are made with",
        "generation": "services that write documents, slides, sites or media",
        "geospatial": "maps, projections, geographic data",
        "graphics": "frames, shaders, meshes, point clouds",
        "image": "raster and vector pictures",
        "iot": "devices, home automation, firmware",
        "knowledge": "notes, outlines, wikis",
        "mobile": "phones, emulators, app stores",
        "music": "notation, composition, libraries of songs",
        "network": "DNS, HTTP, proxies, routers, diagnosis",
        "office": "text documents, spreadsheets, slides, references",
        "osint": "research about companies and people from open sources",
        "project-management": "tickets, boards, time",
        "science": "physics, chemistry, biology, mathematics",
        "scientific": "scientific data and its presentation",
        "search": "finding things on the web, feeds",
        "security": "secrets, keys, scanning, signing",
        "streaming": "live video, capture, broadcast",
        "system": "the machine: disks, packages, monitoring",
        "testing": "mocks, load, browsers under test, quality gates",
        "video": "editing, encoding, captions, downloads",
        "web": "browsers, sites, shops, content management",
    }
)
"""Every category an entry may have, with what belongs into it."""

STRATEGIES: tuple[str, ...] = ("pip", "npm", "uv", "brew", "script", "command", "bundled")
"""What ``install.strategy`` may say."""


@cache
def capabilities() -> frozenset[str]:
    """The words of the capability vocabulary; ``docs/capabilities.md`` says what they mean."""
    return frozenset(Path(__file__).with_name("capabilities.txt").read_text("utf-8").split())
