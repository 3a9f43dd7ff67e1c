"""Descriptions in XML as elements with their attributes; what has a document type is refused, so that no entity is opened."""

from typing import NamedTuple
from xml.parsers import expat

from gatecrash.formats.capture import UnreadableCapture


class Node(NamedTuple):
    """An element: its namespace, its local name, its attributes (by local names) and the elements in it."""

    namespace: str
    name: str
    attributes: dict[str, str]
    children: list["Node"]

    def all(self, *names: str) -> list["Node"]:
        """The children of these names."""
        return [each for each in self.children if each.name in names]

    def first(self, name: str) -> "Node | None":
        """The first child of that name."""
        return next(iter(self.all(name)), None)

    def told(self, name: str) -> str:
        """An attribute; of a qualified name its local part."""
        return self.attributes.get(name, "").rpartition(":")[2]


def tree(data: bytes, what: str) -> Node:
    """The outermost element of an XML document. what: the kind of document, for people. Raises UnreadableCapture."""
    top = Node("", "", {}, [])
    stack = [top]

    def begin(name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        node = Node(namespace, local, {each.rpartition(" ")[2]: value for each, value in attributes.items()}, [])
        stack[-1].children.append(node)
        stack.append(node)

    def refuse(*_told: object) -> None:
        raise UnreadableCapture(f"The {what} has a document type, which none needs.")

    parser = expat.ParserCreate(namespace_separator=" ")
    parser.StartElementHandler = begin
    parser.EndElementHandler = lambda _name: stack.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise UnreadableCapture(f"The {what} is no XML: {error}.") from error
    return top.children[0]
