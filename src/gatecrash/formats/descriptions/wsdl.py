"""What a SOAP service says of itself (WSDL 1.1): each operation of its ports is asked once, by an envelope of its own.

Of each input all elements are filled in, optional ones too, for each is a place to test; of a choice the first, of what may
repeat one. Ports of SOAP 1.1 are asked, those of 1.2 where nothing else binds their operations. Documents with a document type
are refused, so that no entity is opened.

Where a message has what says who calls, a header's token or an argument called `sessionId`, the login's goes.

Known misses: parts in other documents (`wsdl:import`), and schemas in others where the document is a file; names and passwords in
headers, as WS-Security has them, unless a profile signs so; attachments; WSDL 2.0.
References: WSDL 1.1, sections 2 and 3; SOAP 1.1, sections 4 and 6.1.1; SOAP 1.2 part 2, section 6.5; XML Schema part 1,
section 3.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import BinaryIO, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from gatecrash.core.errors import GatecrashError
from gatecrash.core.inventory.called_credentials import is_argument
from gatecrash.core.message import Exchange, Request
from gatecrash.core.points.walk import walk
from gatecrash.core.testing.operations.questions import what_is_called
from gatecrash.formats.capture import Malformed, UnreadableCapture
from gatecrash.formats.descriptions.callers import with_callers
from gatecrash.formats.descriptions.sample_text import FORMATS, text_for
from gatecrash.formats.descriptions.xml_tree import Node, tree
from gatecrash.formats.draft import MOST_BYTES, Draft, Hole, Server, names_a_thing, request_to, server_of

WHAT = "WSDL document"
NAMESPACE = "http://schemas.xmlsoap.org/wsdl/"
_SOAP_11, _SOAP_12 = NAMESPACE + "soap/", NAMESPACE + "soap12/"
_DEEPEST, _MOST_PARTS = 6, 2_000
_ENVELOPES = {
    _SOAP_11: "http://schemas.xmlsoap.org/soap/envelope/",
    _SOAP_12: "http://www.w3.org/2003/05/soap-envelope",
}
_PLAIN: Mapping[str, str] = {
    **dict.fromkeys(
        (
            *("int", "integer", "long", "short", "byte", "unsignedInt", "unsignedLong", "unsignedShort"),
            *("unsignedByte", "positiveInteger", "nonNegativeInteger"),
        ),
        "1",
    ),
    **dict.fromkeys(("decimal", "float", "double"), "1.5"),
    "boolean": "true",
    "dateTime": FORMATS["date-time"],
    "date": FORMATS["date"],
    "time": FORMATS["time"],
    "duration": FORMATS["duration"],
    "base64Binary": FORMATS["byte"],
    "anyURI": FORMATS["uri"],
}
_PLACE = re.compile(rb"""<(?:[\w.-]+:)?(?:import|include)\s[^<>]*?\bschemaLocation\s*=\s*["']([^"']+)["']""")
_DECLARATION = re.compile(rb"\A\s*<\?xml.*?\?>", re.DOTALL)
_TYPES_END = re.compile(rb"</(?:[\w.-]+:)?types\s*>")
_GROUPS = ("sequence", "all", "complexContent", "extension", "complexType")


class _Bound(NamedTuple):
    """An operation as a port binds it. soap: the namespace of its binding. style: `rpc` or `document`."""

    node: Node
    kind: Node
    soap: str
    style: str
    address: str


class _Where(NamedTuple):
    """Where an element is written. schema: what its type is told in. space: the namespace that names without a prefix have there."""

    schema: Node
    space: str


_NO_SCHEMA = Node("", "", {}, [])


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The service's operations as drafts. Raises UnreadableCapture where it is none."""
    data = stream.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise UnreadableCapture(f"The {WHAT} is larger than {MOST_BYTES // 1024 // 1024} MiB.")
    service = _Service(_parsed(data))
    for number, bound in enumerate(service.operations(), 1):
        try:
            yield service.draft(bound)
        except (ValueError, KeyError, RecursionError, GatecrashError) as error:
            yield Malformed(number, f"operation {bound.node.told('name')}: {error}")


def _holes(request: Request, having: Callable[[str], str]) -> Iterator[Hole]:
    """What names a thing among the arguments; `id` alone that of what the function is about. having: the one type of things that
    have such a member: where a function sets that (`setNote` with `id` and `note`), it is about the thing that has it.
    """
    points = walk(request).points
    thing = what_is_called(request)
    if thing in {one.point[-1].rpartition(":")[2].lower() for one in points if is_argument(one.point)}:
        thing = having(thing)
    for one in points:
        name = one.point[-1].rpartition(":")[2]
        if one.point[:2] == ("post", "xml") and names_a_thing(name):
            yield Hole(f"{thing}_{name}" if thing and name.lower() == "id" else name, one.point)


def schema_places(document: bytes) -> list[str]:
    """Where a document, or a schema, says that further schemas are; each once."""
    found = (place.decode("utf-8", "replace").replace("&amp;", "&") for place in _PLACE.findall(document))
    return list(dict.fromkeys(found))


def with_schemas(document: bytes, schemas: Iterable[bytes]) -> bytes:
    """The document with these schemas among its types; what is no XML, or has a document type, is left out."""
    end = _TYPES_END.search(document)
    if end is None:
        return document
    sound = b"".join(_DECLARATION.sub(b"", schema) for schema in schemas if _is_sound(schema))
    return document[: end.start()] + sound + document[end.start() :]


def _is_sound(schema: bytes) -> bool:
    try:
        return tree(schema, WHAT).name == "schema"
    except UnreadableCapture:
        return False


def _parsed(data: bytes) -> Node:
    definitions = tree(data, WHAT)
    if definitions.name != "definitions":
        raise UnreadableCapture(f"The {WHAT} begins with {definitions.name!r} instead of `definitions`.")
    return definitions


class _Service:
    """A document's parts by their names."""

    def __init__(self, document: Node) -> None:
        self._document = document
        self._messages = {each.told("name"): each for each in document.all("message")}
        self._kinds = {each.told("name"): each for each in document.all("portType")}
        schemas = [schema for types in document.all("types") for schema in types.all("schema")]
        self._elements = {each.told("name"): (schema, each) for schema in schemas for each in schema.all("element")}
        self._types = {
            each.told("name"): (schema, each) for schema in schemas for each in schema.all("complexType", "simpleType")
        }
        self._parts = 0

    def operations(self) -> list[_Bound]:
        """Each operation once, as the first of its ports binds it, those of SOAP 1.1 before others."""
        bindings = {each.told("name"): each for each in self._document.all("binding")}
        ports = [port for service in self._document.all("service") for port in service.all("port")]
        found: dict[tuple[str, str], _Bound] = {}
        for soap in (_SOAP_11, _SOAP_12):
            for port in ports:
                binding = bindings.get(port.told("binding"))
                kind = self._kinds.get(binding.told("type")) if binding is not None else None
                address = next((each for each in port.all("address") if each.namespace == soap), None)
                if binding is None or kind is None or address is None:
                    continue
                style = next((each.told("style") for each in binding.all("binding")), "") or "document"
                for each in binding.all("operation"):
                    key = (kind.told("name"), each.told("name"))
                    location = address.attributes.get("location", "")
                    found.setdefault(key, _Bound(each, kind, soap, style, location))
        return list(found.values())

    def draft(self, bound: _Bound) -> Draft:
        """An operation's request. Raises ValueError, KeyError."""
        self._parts = 0
        named = bound.node.first("operation")
        action = named.attributes.get("soapAction", "") if named is not None else ""
        style = (named.told("style") if named is not None else "") or bound.style
        content = self._wrapped(bound) if style == "rpc" else self._bare(bound)
        space = quoteattr(_ENVELOPES[bound.soap])
        text = (
            '<?xml version="1.0" encoding="UTF-8"?>'
            f"<soapenv:Envelope xmlns:soapenv={space}>{self._header(bound)}"
            f"<soapenv:Body>{content}</soapenv:Body></soapenv:Envelope>"
        )
        headers = [("Content-Type", "text/xml; charset=utf-8"), ("SOAPAction", f'"{action}"')]
        if bound.soap == _SOAP_12:
            headers = [("Content-Type", f'application/soap+xml; charset=utf-8; action="{action}"')]
        there = server_of(bound.address)
        asked = bound.address.partition("?")[2]
        target = (there.path or "/") + (f"?{asked}" if asked else "")
        server = Server(there.scheme, there.host, there.port)
        request = request_to(server, "POST", target, headers, text.encode())
        return with_callers(
            Draft(request=request, drafted=True, operation=True, holes=tuple(_holes(request, self._having)))
        )

    def _having(self, member: str) -> str:
        """The type of things that have a number of their own and such a member; empty where several do, or none."""
        names = {
            name: {each.told("name").lower() for each in _elements(kind)} for name, (_, kind) in self._types.items()
        }
        found = [name for name, told in names.items() if {"id", member} <= told]
        return found[0] if len(found) == 1 else ""

    def _header(self, bound: _Bound) -> str:
        """What stands before the body, as the binding of the operation says (WSDL 1.1, section 3.7)."""
        taken = bound.node.first("input")
        written = "".join(
            self._in_header(part, header)
            for header in (taken.all("header") if taken is not None else ())
            for part in self._messages[header.told("message")].all("part")
            if part.told("name") == header.told("part")
        )
        return f"<soapenv:Header>{written}</soapenv:Header>" if written else ""

    def _in_header(self, part: Node, header: Node) -> str:
        """The element that a part of a header names; of one that names a type, as toolkits of the style rpc write it, one
        that is called as the part is, in the header's own namespace.
        """
        name = part.told("name")
        if part.told("element"):
            return self._named(part)
        space = quoteattr(header.attributes.get("namespace") or self._document.attributes.get("targetNamespace", ""))
        content = self._typed(part, name, _DEEPEST, _Where(_NO_SCHEMA, ""))
        return f"<ns1:{name} xmlns:ns1={space}>{content}</ns1:{name}>"

    def _input(self, bound: _Bound) -> list[Node]:
        """The parts of what the operation takes."""
        name = bound.node.told("name")
        operation = next(each for each in bound.kind.all("operation") if each.told("name") == name)
        taken = operation.first("input")
        return self._messages[taken.told("message")].all("part") if taken is not None else []

    def _wrapped(self, bound: _Bound) -> str:
        """Of the style rpc: an element of the operation's name, with one for each part."""
        taken = bound.node.first("input")
        body = taken.first("body") if taken is not None else None
        space = (body.attributes.get("namespace") if body is not None else "") or self._document.attributes.get(
            "targetNamespace", ""
        )
        parts = "".join(
            f"<{part.told('name')}>{self._typed(part, part.told('name'), _DEEPEST, _Where(_NO_SCHEMA, ''))}</{part.told('name')}>"
            for part in self._input(bound)
        )
        name = bound.node.told("name")
        return f"<ns1:{name} xmlns:ns1={quoteattr(space)}>{parts}</ns1:{name}>"

    def _bare(self, bound: _Bound) -> str:
        """Of the style document: the element that each part names."""
        return "".join(map(self._named, self._input(bound)))

    def _named(self, part: Node) -> str:
        """The element that a part names. Raises ValueError where the document does not describe it."""
        name = part.told("element")
        if name not in self._elements:
            raise ValueError(f"the element {name or part.told('name')!r} is not described in this document")
        schema, element = self._elements[name]
        target = _target(schema)
        if _qualifies(schema):
            return f"<{name} xmlns={quoteattr(target)}>{self._content(element, name, _DEEPEST, _Where(schema, target))}</{name}>"
        inner = self._content(element, name, _DEEPEST, _Where(schema, ""))
        return f"<ns1:{name} xmlns:ns1={quoteattr(target)}>{inner}</ns1:{name}>"

    def _content(self, element: Node, name: str, levels: int, where: _Where) -> str:
        """What stands in an element, by the type that it names or has in it."""
        inner = element.first("complexType") or element.first("simpleType")
        return (
            self._of_type(inner, "", name, levels, where)
            if inner is not None
            else self._typed(element, name, levels, where)
        )

    def _typed(self, element: Node, name: str, levels: int, where: _Where) -> str:
        """What stands in an element or a part of a named type, which may be another schema's."""
        called = element.told("type")
        schema, kind = self._types.get(called, (where.schema, None))
        return self._of_type(kind, called, name, levels, where._replace(schema=schema))

    def _of_type(self, kind: Node | None, called: str, name: str, levels: int, where: _Where) -> str:
        self._parts += 1
        if self._parts > _MOST_PARTS:
            raise ValueError(f"its input has more than {_MOST_PARTS} parts")
        if kind is None:
            return escape(_PLAIN.get(called) or text_for({}, name))
        if kind.name == "simpleType":
            return self._simple(kind, name, levels, where)
        return self._inside(kind, levels, where) if levels else ""

    def _simple(self, kind: Node, name: str, levels: int, where: _Where) -> str:
        restriction = kind.first("restriction")
        if restriction is None:
            return escape(text_for({}, name))
        listed = restriction.first("enumeration")
        if listed is not None:
            return escape(listed.attributes.get("value", ""))
        base = restriction.told("base")
        _, found = self._types.get(base, (None, None)) if levels else (None, None)
        return self._of_type(found, base, name, max(levels - 1, 0), where)

    def _inside(self, group: Node, levels: int, where: _Where) -> str:
        """The elements of a complex type, those of what it extends first."""
        written = ""
        schema, base = (
            self._types.get(group.told("base"), (where.schema, None))
            if group.name == "extension"
            else (where.schema, None)
        )
        if base is not None and base.name == "complexType":
            written += self._inside(base, levels - 1, where._replace(schema=schema)) if levels else ""
        for each in group.children:
            if each.name == "element":
                written += self._element(each, levels - 1, where)
            elif each.name == "choice":
                written += self._inside(each._replace(children=each.children[:1]), levels, where)
            elif each.name in _GROUPS:
                written += self._inside(each, levels, where)
        return written

    def _element(self, element: Node, levels: int, where: _Where) -> str:
        """An element of a type, in its own namespace (XML Schema part 1, section 3.3.2). One with `ref` is written as the
        element to which it refers.
        """
        schema, one = self._elements.get(element.told("ref"), (where.schema, element))
        name = one.told("name")
        if not name or levels < 0:
            return ""
        space = _target(schema) if one is not element or _qualifies(schema) else ""
        declared = "" if space == where.space else f" xmlns={quoteattr(space)}"
        return f"<{name}{declared}>{self._content(one, name, levels, _Where(schema, space))}</{name}>"


def _elements(kind: Node) -> Iterator[Node]:
    """The elements that a type has itself."""
    for each in kind.children:
        if each.name == "element":
            yield each
        elif each.name in (*_GROUPS, "choice"):
            yield from _elements(each)


def _target(schema: Node) -> str:
    return schema.attributes.get("targetNamespace", "")


def _qualifies(schema: Node) -> bool:
    return schema.attributes.get("elementFormDefault") == "qualified"
