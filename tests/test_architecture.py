"""Where things may happen: processes, network, environment, shells. Layers are import-linter's."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
HUB = ROOT / "cli_hub"
SOURCES = sorted(HUB.rglob("*.py"))
HARNESS_SOURCES = sorted((ROOT / "harnesses").glob("*/cli_anything/**/*.py"))


@cache
def names_used(path: Path) -> frozenset[str]:
    return frozenset(_names_used(path))


def _names_used(path: Path) -> Iterator[str]:
    """Dotted names of everything that is imported or reached by attribute."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield ast.unparse(node)


def modules_using(prefix: str) -> set[str]:
    return {
        path.relative_to(HUB).as_posix()
        for path in SOURCES
        if any(name == prefix or name.startswith(f"{prefix}.") for name in names_used(path))
    }


def modules_calling(prefix: str) -> set[str]:
    return {
        path.relative_to(HUB).as_posix()
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(prefix)
    }


def test_processes_start_in_one_module() -> None:
    assert {name.partition("/")[0] for name in modules_using("subprocess")} == {"process"}
    assert modules_calling("subprocess.") == {"process/starting.py"}
    for other in ("os.exec", "os.spawn", "os.posix_spawn", "os.fork", "multiprocessing", "pty."):
        assert modules_calling(other) <= {"process/starting.py"}


def test_the_network_opens_in_one_module() -> None:
    assert modules_using("httpx") == {"fetch.py"}
    assert modules_using("urllib.request") == set()


def test_the_environment_is_read_where_settings_are_made_and_handed_to_children() -> None:
    assert modules_using("os.environ") <= {"config.py", "paths.py", "process/starting.py"}
    assert modules_using("os.getenv") == set()


def test_no_shell_is_ever_given_a_line() -> None:
    def gives_shell(node: ast.AST) -> bool:
        if isinstance(node, ast.keyword):
            return node.arg == "shell"
        return isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.system", "os.popen"}

    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in (*SOURCES, *HARNESS_SOURCES)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if gives_shell(node)
    ]

    assert found == []


def test_namespace_packages_have_no_module_that_would_hide_the_others() -> None:
    assert list((ROOT / "harnesses").glob("*/cli_anything/__init__.py")) == []
