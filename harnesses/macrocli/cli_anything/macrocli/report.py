"""Collects what is wrong while a macro file is read, so that all of it can be told at once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TypeVar

from cli_anything.macrocli.nodes import Kind, Node
from cli_anything.macrocli.problems import Place, Problem, listed, suggestion

Value = TypeVar("Value")


class Report:
    """The problems and warnings of one file. Reading goes on after a problem is added."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []

    def add(
        self,
        place: Place,
        message: str,
        *,
        path: str = "",
        found: str = "",
        expected: str = "",
        hint: str = "",
        gap: bool = False,
    ) -> None:
        self.problems.append(Problem(place, message, path, found, expected, hint, gap))

    def warn(self, place: Place, message: str, *, path: str = "", hint: str = "") -> None:
        self.warnings.append(Problem(place, message, path, hint=hint))

    def mapping(self, node: Node, path: str, legal: Collection[str] | None = None) -> bool:
        """Whether *node* is a mapping; its keys outside *legal* become problems."""
        if node.kind is not Kind.MAP:
            self.add(
                node.place,
                f"must be a mapping, not {node.shown()}",
                path=path,
                found=node.shown(),
                expected="a mapping",
            )
            return False
        if legal is not None:
            self._check_keys(node, path, legal)
        return True

    def _check_keys(self, node: Node, path: str, legal: Collection[str]) -> None:
        for key, _ in node.entries:
            if key.spelling not in legal and not key.spelling.startswith("x-"):
                self.add(
                    key.place,
                    f"unknown key {key.spelling!r}",
                    path=path,
                    found=key.spelling,
                    expected=listed(legal),
                    hint=suggestion(key.spelling, legal),
                )

    def items(self, node: Node | None, path: str) -> tuple[Node, ...]:
        """The items of a list; nothing at all counts as an empty one."""
        if node is None or node.is_null:
            return ()
        if node.kind is not Kind.LIST:
            self.add(
                node.place,
                f"must be a list, not {node.shown()}",
                path=path,
                found=node.shown(),
                expected="a list",
            )
            return ()
        return node.items

    def scalar(
        self, node: Node, path: str, read: Callable[[Node], Value], expected: str, default: Value
    ) -> Value:
        """*node* read by *read*, which raises :class:`ValueError`; *default* after a problem."""
        if node.kind is Kind.SCALAR:
            try:
                return read(node)
            except ValueError as problem:
                said = str(problem)
        else:
            said = f"must be {expected}, not {node.shown()}"
        self.add(node.place, said, path=path, found=node.shown(), expected=expected)
        return default

    def text(self, node: Node | None, path: str) -> str:
        """Any scalar, as it was spelt; nothing gives the empty string."""
        if node is None or node.is_null:
            return ""
        return self.scalar(node, path, lambda found: found.spelling, "text", "")

    def boolean(self, node: Node | None, path: str, *, default: bool) -> bool:
        return (
            default if node is None else self.scalar(node, path, _boolean, "true or false", default)
        )

    def number(self, node: Node | None, path: str) -> float | None:
        return None if node is None else self.scalar(node, path, _number, "a number", None)

    def count(self, node: Node | None, path: str, *, default: int = 0, most: int = 1000) -> int:
        """A whole number from 0 to *most*; ``'2'`` counts as 2."""
        if node is None:
            return default

        def read(found: Node) -> int:
            number = int(found.spelling) if found.spelling.strip().isdigit() else -1
            if not 0 <= number <= most:
                raise ValueError(f"must be a whole number from 0 to {most}, not {found.shown()}")
            return number

        return self.scalar(node, path, read, f"a whole number from 0 to {most}", default)

    def texts(self, node: Node | None, path: str) -> tuple[str, ...]:
        """A list of scalars; a single scalar stands for a list of one."""
        if node is not None and node.kind is Kind.SCALAR and not node.is_null:
            return (node.spelling,)
        return tuple(
            self.text(item, f"{path}[{index}]") for index, item in enumerate(self.items(node, path))
        )


def _boolean(node: Node) -> bool:
    if isinstance(node.value, bool):
        return node.value
    raise ValueError(f"must be true or false, not {node.shown()}")


def _number(node: Node) -> float | None:
    if isinstance(node.value, int | float) and not isinstance(node.value, bool):
        return node.value
    raise ValueError(f"must be a number, not {node.shown()}")
