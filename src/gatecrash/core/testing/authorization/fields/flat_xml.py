"""An object that a request sends as XML, each property an element of its own: `<user><name>Ann</name><city>York</city></user>`.

properties_of(request)             {"name": "Ann", "city": "York"}; None for what is no such document
with_elements(request, values)     the request with these elements in the same root, in the order of the values
"""

import re
from typing import Any, Final
from xml.sax.saxutils import escape, unescape

import msgspec

from gatecrash.core.message import Request, with_header

_ROOT: Final = re.compile(r"\s*+(?:<\?xml[^<>]*+>\s*+)?<([A-Za-z_][\w.-]*+)(?:\s[^<>]*+)?+(?<!/)>")
_ELEMENT: Final = re.compile(r"\s*+<([A-Za-z_][\w.-]*+)>([^<>]*+)</\1\s*+>")
_END: Final = re.compile(r"\s*+</([A-Za-z_][\w.-]*+)\s*+>\s*+")
_ENTITIES: Final = {"&quot;": '"', "&apos;": "'"}
_LONGEST: Final = 64 * 1024

Properties = dict[str, Any]


def is_xml(request: Request) -> bool:
    """Whether a request says that its body is XML."""
    return b"xml" in (request.first(b"Content-Type") or b"").lower() and bool(request.body)


def properties_of(request: Request) -> Properties | None:
    """What the elements right below the root hold; None where one of them holds others, or there is none."""
    found = _read(request)
    return None if found is None else found[1]


def with_elements(request: Request, values: Properties) -> Request:
    """The same root with these elements and no others."""
    found = _read(request)
    if found is None:
        return request
    head, _, end = found
    body = (head + "".join(_written(name, value) for name, value in values.items()) + end).encode()
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


def _read(request: Request) -> tuple[str, Properties, str] | None:
    """What stands before the elements, they themselves, and what stands behind them."""
    if len(request.body) > _LONGEST:
        return None
    text = request.body.decode("utf-8", "replace")
    root = _ROOT.match(text)
    if root is None:
        return None
    values: Properties = {}
    place = root.end()
    while (element := _ELEMENT.match(text, place)) is not None:
        if element[1] in values:
            return None
        values[element[1]] = unescape(element[2], _ENTITIES)
        place = element.end()
    end = _END.fullmatch(text, place)
    return (text[: root.end()], values, text[place:]) if end is not None and end[1] == root[1] and values else None


def _written(name: str, value: Any) -> str:
    if isinstance(value, list):
        return "".join(_written(name, each) for each in value)
    if isinstance(value, dict):
        return f"<{name}>{''.join(_written(below, each) for below, each in value.items())}</{name}>"
    return f"<{name}>{escape(str(value).lower() if isinstance(value, bool) else str(value))}</{name}>"
