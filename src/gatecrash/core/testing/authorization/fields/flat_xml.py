"""An object that a request sends as XML, each property an element of its own: `<user><name>Ann</name><city>York</city></user>`.

Of a message by SOAP it is what the operation's element holds, or the only element there that holds others (SOAP 1.1 section 4.3);
its elements may have a prefix and attributes, as of their types, which they keep.

properties_of(request)             {"name": "Ann", "city": "York"}; None for what is no such document
with_elements(request, values)     the request with these elements in the same root, in the order of the values
"""

import re
from typing import Any, Final, NamedTuple
from xml.sax.saxutils import escape, unescape

import msgspec

from gatecrash.core.inventory.protocols.soap import first_element
from gatecrash.core.message import Request, with_header

_NAME: Final = r"[A-Za-z_][\w.-]*+"
_PREFIXED: Final = rf"(?:{_NAME}:)?+{_NAME}"
_ROOT: Final = re.compile(rf"\s*+(?:<\?xml[^<>]*+>\s*+)?<({_NAME})(?:\s[^<>]*+)?+(?<!/)>")
_ELEMENT: Final = re.compile(rf"\s*+(<({_NAME})>)([^<>]*+)</\2\s*+>")
_CALLED: Final = re.compile(rf"<(?:{_NAME}:)?+Body(?:\s[^<>]*+)?+>\s*+<({_PREFIXED})(?:\s[^<>]*+)?+(?<!/)>")
_WRAPPED: Final = re.compile(rf"\s*+<({_PREFIXED})(?:\s[^<>]*+)?+(?<!/)>(?=\s*+<(?!/))")
_ARGUMENT: Final = re.compile(rf"\s*+(<({_PREFIXED})(?:\s[^<>]*+)?+(?<!/)>)([^<>]*+)</\2\s*+>")
_END: Final = re.compile(rf"\s*+</({_PREFIXED})\s*+>(?:\s*+</{_PREFIXED}\s*+>)*+\s*+")
_ENTITIES: Final = {"&quot;": '"', "&apos;": "'"}
_LONGEST: Final = 64 * 1024

Properties = dict[str, Any]


def is_xml(request: Request) -> bool:
    """Whether a request says that its body is XML."""
    return b"xml" in (request.first(b"Content-Type") or b"").lower() and bool(request.body)


class _Sent(NamedTuple):
    """A root and what it holds. head, end: what stands before and behind the elements. opening: how each begins, by its name."""

    head: str
    values: Properties
    opening: dict[str, str]
    end: str

    def written(self, values: Properties) -> str:
        """The document with these elements; those that it did not have are in the namespace of the others."""
        first = next(iter(self.opening.values()))
        prefix = first[1:].partition(":")[0] + ":" if ":" in first.split()[0] else ""
        return self.head + "".join(self._element(name, value, prefix) for name, value in values.items()) + self.end

    def _element(self, name: str, value: Any, prefix: str) -> str:
        if isinstance(value, list):
            return "".join(self._element(name, each, prefix) for each in value)
        opening = self.opening.get(name, f"<{prefix}{name}>")
        closing = f"</{opening[1:-1].split()[0]}>"
        if isinstance(value, dict):
            return opening + "".join(self._element(below, each, prefix) for below, each in value.items()) + closing
        return opening + escape(str(value).lower() if isinstance(value, bool) else str(value)) + closing


def properties_of(request: Request) -> Properties | None:
    """What the elements right below the root hold; None where one of them holds others, or there is none."""
    found = _read(request)
    return None if found is None else found.values


def with_elements(request: Request, values: Properties) -> Request:
    """The same root with these elements and no others."""
    found = _read(request)
    if found is None:
        return request
    body = found.written(values).encode()
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


def _read(request: Request) -> _Sent | None:
    if len(request.body) > _LONGEST:
        return None
    text = request.body.decode("utf-8", "replace")
    by_soap = first_element(request.body) is not None
    root = _argument_of(text) if by_soap else _ROOT.match(text)
    element_at = _ARGUMENT.match if by_soap else _ELEMENT.match
    if root is None:
        return None
    values: Properties = {}
    opening: dict[str, str] = {}
    place = root.end()
    while (element := element_at(text, place)) is not None:
        name = element[2].rpartition(":")[2]
        if name in values:
            return None
        values[name], opening[name] = unescape(element[3], _ENTITIES), element[1]
        place = element.end()
    end = _END.fullmatch(text, place)
    if end is None or end[1] != root[1] or not values:
        return None
    return _Sent(text[: root.end()], values, opening, text[place:])


def _argument_of(text: str) -> re.Match[str] | None:
    """The element of the operation, or the one within it that holds others."""
    called = _CALLED.search(text)
    return called and (_WRAPPED.match(text, called.end()) or called)
