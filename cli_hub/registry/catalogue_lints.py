"""What can only be seen across entries and files: duplicates, twins and look-alikes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from cli_hub.registry.entry import Entry
from cli_hub.registry.faults import Finding, error, warning
from cli_hub.registry.spelling import distance, folded, shapes
from cli_hub.strategies import Strategy, Uninstallable

_LIKE = str.maketrans({"0": "o", "1": "l", "5": "s", "3": "e"})
_SHORTEST = 5


@dataclass(slots=True)
class Across:
    """Remembers every entry seen so far, and what the next one has in common with them."""

    _names: dict[str, str] = field(default_factory=dict)
    _packages: dict[str, str] = field(default_factory=dict)
    _shapes: dict[str, str] = field(default_factory=dict)
    _bare: dict[str, str] = field(default_factory=dict)

    def look(
        self, entry: Entry, install: Strategy | Uninstallable, place: str
    ) -> Iterator[Finding]:
        """Findings about *entry*, which stands at *place* (``file:line``), against those before.

        *install* is what its installation was parsed to.
        """
        key = entry.name.casefold()
        if key in self._names:
            yield error("duplicate", "name", f"the name is taken: {self._names[key]}")
            return
        yield from self._aliases(entry)
        yield from self._look_alike(entry)
        yield from self._twin(entry, install)
        self._names[key] = f"{entry.name} in {place}"
        for alias in entry.aliases:
            self._names.setdefault(alias.casefold(), f"{entry.name} in {place}, as an alias")

    def remember(self, name: str) -> None:
        """Hold later entries against *name* of another catalogue, which may have them too."""
        form = folded(name)
        self._learn(form, _shapes(form), name)

    def _aliases(self, entry: Entry) -> Iterator[Finding]:
        for number, alias in enumerate(entry.aliases):
            if alias.casefold() in self._names:
                taken = self._names[alias.casefold()]
                yield error("duplicate", f"aliases[{number}]", f"{alias} is taken: {taken}")

    def _look_alike(self, entry: Entry) -> Iterator[Finding]:
        form = folded(entry.name)
        around = _shapes(form)
        other = self._similar(form, around)
        if other and other != entry.name:
            yield warning("look-alike", "name", f"it is easily taken for {other}")
        self._learn(form, around, entry.name)

    def _similar(self, form: str, around: set[str]) -> str:
        plain = _plain(form)
        if plain in self._bare:
            return self._bare[plain]
        for shape in sorted(around & self._shapes.keys()):
            other = self._shapes[shape]
            near = distance(form, folded(other), 1) == 1
            if near and not _only_digits_differ(form, folded(other)):
                return other
        return ""

    def _learn(self, form: str, around: set[str], name: str) -> None:
        self._bare.setdefault(_plain(form), name)
        for shape in around:
            self._shapes.setdefault(shape, name)

    def _twin(self, entry: Entry, install: Strategy | Uninstallable) -> Iterator[Finding]:
        if isinstance(install, Uninstallable):
            return
        document = install.as_document()
        document.pop("version", None)
        what = repr(document)
        if what in self._packages and install.package:
            yield warning(
                "same-package",
                "install" if "install" in entry.raw else "install_cmd",
                f"{self._packages[what]} installs the same package",
            )
        self._packages.setdefault(what, entry.name)


def _shapes(form: str) -> set[str]:
    """What two names that are nearly spelt alike share; nothing for short names, which all are."""
    return shapes(form) if len(form) >= _SHORTEST else set()


def _plain(form: str) -> str:
    """Digits that look like letters as those letters, unless the name is told apart by numbers."""
    return form.translate(_LIKE)


def _only_digits_differ(one: str, other: str) -> bool:
    return "".join(c for c in one if not c.isdigit()) == "".join(
        c for c in other if not c.isdigit()
    )
