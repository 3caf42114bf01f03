"""XML attributes, edited in place.

Elements are found with ElementTree's subset of XPath. Names are taken as they are written, prefix
included (``svg:g``), so a default namespace needs no declaration in the path. A path that starts
with ``/`` begins at the document, any other at the root element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.parsers import expat

from cli_anything.macrocli.edits import EditFailed

_ATTRIBUTE = re.compile(rb"""\s+([^\s=/>"']+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG_NAME = re.compile(rb"<[^\s/>]+")
_DECLARED = re.compile(rb"""\A(?:\xef\xbb\xbf)?<\?xml[^>]*encoding=["']([^"']+)["']""")


@dataclass(slots=True)
class _Document:
    """The elements of a file, each with the offset of its start tag."""

    encoding: str
    holder: ElementTree.Element = field(default_factory=lambda: ElementTree.Element("document"))
    offsets: dict[ElementTree.Element, int] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)


def get_attribute(content: bytes, xpath: str, name: str) -> str:
    """The attribute of the one element at *xpath*; raises :class:`EditFailed`."""
    document = _read(content)
    element = _find(document, xpath, every=False)[0]
    value = element.get(_stored(name))
    if value is None:
        raise EditFailed(f"the element at {xpath} has no attribute {name}")
    return value


def set_attribute(
    content: bytes, xpath: str, name: str, value: str, *, every: bool
) -> tuple[bytes, int]:
    """*content* with the attribute set on the element at *xpath*, and on how many.

    More than one element is refused unless *every* is true.
    """
    if not re.fullmatch(r"[^\s=/>\"'<&]+", name):
        raise EditFailed(f"{name!r} cannot name an attribute")
    document = _read(content)
    elements = _find(document, xpath, every=every)
    for element in sorted(elements, key=lambda found: -document.offsets[found]):
        content = _write(content, document.offsets[element], name, value, document.encoding)
    _read(content)
    return content, len(elements)


def _read(content: bytes) -> _Document:
    declared = _DECLARED.match(content)
    encoding = declared[1].decode("ascii", "replace").lower() if declared else "utf-8"
    if content[:2] in (b"\xff\xfe", b"\xfe\xff") or "utf-16" in encoding or "utf-32" in encoding:
        raise EditFailed("XML in UTF-16 or UTF-32 is not edited; save it as UTF-8 first")
    document = _Document(encoding)
    stack = [document.holder]
    allowed = 10 * len(content) + 1_000_000
    texts: dict[ElementTree.Element, list[str]] = {}
    parser = expat.ParserCreate()
    parser.ordered_attributes = True

    def start(tag: str, attributes: list[str]) -> None:
        pairs = zip(attributes[::2], attributes[1::2], strict=True)
        stored = {_stored(name, document): text for name, text in pairs}
        element = ElementTree.SubElement(stack[-1], _stored(tag, document), stored)
        document.offsets[element] = parser.CurrentByteIndex
        stack.append(element)

    def end(_tag: str) -> None:
        stack.pop()

    def characters(text: str) -> None:
        nonlocal allowed
        allowed -= len(text)
        if allowed < 0:
            raise EditFailed("not XML this reads: its entities make it grow without bound")
        # Enough for predicates on an element's text: [name='x'].
        if len(stack[-1]) == 0:
            texts.setdefault(stack[-1], []).append(text)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, LookupError) as problem:
        raise EditFailed(f"not XML: {problem}") from None
    for element, pieces in texts.items():
        element.text = "".join(pieces)
    return document


def _stored(name: str, document: _Document | None = None) -> str:
    """``svg:g`` as ``{svg}g``, which is how paths with prefixes look names up."""
    prefix, colon, local = name.partition(":")
    if not colon:
        return name
    if document is not None:
        document.prefixes[prefix] = prefix
    return f"{{{prefix}}}{local}"


def _find(document: _Document, xpath: str, *, every: bool) -> Sequence[ElementTree.Element]:
    start, path = document.holder[0], xpath
    if xpath.startswith("/"):
        start, path = document.holder, f".{xpath}"
    try:
        found = start.findall(path, document.prefixes)
    except (SyntaxError, KeyError) as problem:
        raise EditFailed(f"{xpath!r} is not a path this understands: {problem}") from None
    if not found:
        raise EditFailed(f"no element is at {xpath}")
    if len(found) > 1 and not every:
        raise EditFailed(f"{len(found)} elements are at {xpath}; narrow it, or set all: true")
    return found


def _write(content: bytes, offset: int, name: str, value: str, encoding: str) -> bytes:
    tag = _TAG_NAME.match(content, offset)
    if tag is None:
        raise EditFailed("the element comes from an entity and cannot be edited in place")
    position = tag.end()
    while attribute := _ATTRIBUTE.match(content, position):
        if attribute[1].decode(encoding) == name:
            start, end = attribute.span(2)
            quote = content[start : start + 1]
            return content[: start + 1] + _escape(value, quote, encoding) + content[end - 1 :]
        position = attribute.end()
    added = b" " + name.encode(encoding) + b'="' + _escape(value, b'"', encoding) + b'"'
    return content[:position] + added + content[position:]


def _escape(value: str, quote: bytes, encoding: str) -> bytes:
    value = value.replace("&", "&amp;").replace("<", "&lt;")
    value = value.replace('"', "&quot;") if quote == b'"' else value.replace("'", "&apos;")
    for control in "\n\r\t":
        value = value.replace(control, f"&#{ord(control)};")
    return value.encode(encoding, "xmlcharrefreplace")
