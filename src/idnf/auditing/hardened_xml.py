"""XML of strangers, read by the standard library's expat into plain nodes: no entities, no document types, bounded.

Entities are how a small file becomes a large one, and external ones how a reader is made to open other files; both need
a document type, so none is taken. Depth, size and the number of elements are bounded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from idnf.logic.errors import InvalidArgument

MOST_BYTES = 20_000_000
"""The largest document that is read."""

MOST_DEPTH = 64
MOST_NODES = 500_000


@dataclass
class XmlNode:
    """An element: its name without namespace, its attributes, the text in it, and the elements in it."""

    name: str
    attributes: dict[str, str]
    text: str = ""
    children: list[XmlNode] = field(default_factory=list)

    def all(self, *path: str) -> Iterator[XmlNode]:
        """Yield the elements at the end of a path of names."""
        if not path:
            yield self
            return
        for child in self.children:
            if child.name == path[0]:
                yield from child.all(*path[1:])

    def first(self, *path: str) -> XmlNode | None:
        """Return the first element at the end of a path of names, None if there is none."""
        return next(self.all(*path), None)

    def words(self, *path: str) -> str:
        """Return the text of the first element at the end of a path; nothing if there is none."""
        found = self.first(*path)
        return "" if found is None else found.text.strip()

    def below(self, name: str) -> Iterator[XmlNode]:
        """Yield the elements of a name at any depth."""
        for child in self.children:
            if child.name == name:
                yield child
            yield from child.below(name)


def parse_xml(data: bytes, what: str) -> XmlNode:
    """Return the root of a document.

    Parameters
    ----------
    data : bytes
    what : str
        What messages call the document.

    Examples
    --------
    >>> parse_xml(b"<a xmlns='urn:x'><b c='1'>text</b></a>", "a.xml").words("b")
    'text'
    >>> parse_xml(b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "a.xml")
    Traceback (most recent call last):
        ...
    idnf.logic.errors.InvalidArgument: a.xml must be XML without a document type, which may hold entities; got one.
    """
    if len(data) > MOST_BYTES:
        raise InvalidArgument(what, f"have at most {MOST_BYTES:,} bytes", f"{len(data):,}")
    builder = _Builder(what)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = builder.refuse_doctype
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.add_text
    try:
        parser.Parse(data, True)
    except InvalidArgument:
        raise
    except (ValueError, LookupError) as error:  # of an encoding that the parser does not know
        raise InvalidArgument(what, "be well-formed XML", str(error)) from error
    except expat.ExpatError as error:
        raise InvalidArgument(
            what, "be well-formed XML", f"{expat.ErrorString(error.code)} in line {error.lineno}"
        ) from error
    return builder.top.children[0]


class _Builder:
    """The nodes of a document, as its parser meets them."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.top = XmlNode("", {})
        self.open = [self.top]
        self.count = 0

    def refuse_doctype(self, *_: object) -> None:
        raise InvalidArgument(self.what, "be XML without a document type, which may hold entities", "one")

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if self.count > MOST_NODES:
            raise InvalidArgument(self.what, f"have at most {MOST_NODES:,} elements", "more")
        if len(self.open) > MOST_DEPTH:
            raise InvalidArgument(self.what, f"be nested at most {MOST_DEPTH} deep", "deeper")
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        node = XmlNode(name.rpartition(" ")[2], plain)
        self.open[-1].children.append(node)
        self.open.append(node)

    def end(self, _name: str) -> None:
        self.open.pop()

    def add_text(self, text: str) -> None:
        self.open[-1].text += text
