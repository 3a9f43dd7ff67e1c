"""The fields of a form, and the same form with others: urlencoded, in parts with files among them, or in the query of a
request without a body.

fields_of(request)              {"name": "Ann", "tags": ["a", "b"]}; None for what is no form
with_fields(request, values)    the request with these fields; files stay as they are
"""

from typing import Any
from urllib.parse import parse_qsl, urlencode

import msgspec

from gatecrash.core.message import Request, with_header
from gatecrash.core.points.codec import LEAF, LIMITS, Part, Unreadable
from gatecrash.core.points.formats.multipart import (
    BARE_FILE_NAME,
    EXTENDED_FILE_NAME,
    FILE_NAME,
    Multipart,
    boundary_of,
)

_OF_FILES = (FILE_NAME, BARE_FILE_NAME, EXTENDED_FILE_NAME)
_CHANGES = frozenset({"POST", "PUT", "PATCH"})

Fields = dict[str, Any]


def is_of_parts(request: Request) -> bool:
    """Whether a request sends a form in parts, as those with files are."""
    return b"multipart/form-data" in (request.first(b"Content-Type") or b"").lower()


def is_in_query(request: Request) -> bool:
    """Whether a changing request sends its fields in its address, and no body."""
    return request.method.upper() in _CHANGES and not request.body and bool(request.query)


def fields_of(request: Request) -> Fields | None:
    """What a form sends by its names; of several fields of one name a list. Files are none of them."""
    if is_of_parts(request):
        return _collected([(each.steps[0], each.value.decode("utf-8", "replace")) for each in _texts(request)])
    if b"form-urlencoded" in (request.first(b"Content-Type") or b"").lower():
        return _collected(parse_qsl(request.body.decode("utf-8", "replace"), keep_blank_values=True))
    return None


def query_of(request: Request) -> Fields:
    """The fields in a request's address."""
    return _collected(parse_qsl((request.query or b"").decode("utf-8", "replace"), keep_blank_values=True))


def with_fields(request: Request, values: Fields) -> Request:
    """The same form with these fields and no others."""
    if is_in_query(request):
        target = request.path + b"?" + _encoded(values)
        moved: Request = msgspec.structs.replace(request, target=target)
        return moved
    body = _in_parts(request, values) if is_of_parts(request) else _encoded(values)
    headers = with_header(request.headers, b"Content-Length", str(len(body)).encode())
    changed: Request = msgspec.structs.replace(request, body=body, headers=headers)
    return changed


def _collected(pairs: list[tuple[str, str]]) -> Fields:
    found: dict[str, list[str]] = {}
    for name, value in pairs:
        found.setdefault(name, []).append(value)
    return {name: values if len(values) > 1 else values[0] for name, values in found.items()}


def _encoded(values: Fields) -> bytes:
    return urlencode({name: _text(value) for name, value in values.items()}, doseq=True).encode()


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _delimiter(request: Request) -> bytes:
    return boundary_of(request.first(b"Content-Type") or b"") or b""


def _texts(request: Request) -> list[Part]:
    """The parts of a form that are no files."""
    try:
        parts = Multipart(_delimiter(request)).parts(request.body, LIMITS, 0)
    except Unreadable:
        return []
    files = {each.steps[0] for each in parts if each.kind in _OF_FILES}
    return [each for each in parts if each.kind == LEAF and each.steps[0] not in files]


def _in_parts(request: Request, values: Fields) -> bytes:
    """The body with values in the place of those that were there; what is new stands before its end, what is not named is left out."""
    todo = {name: [*value] if isinstance(value, list) else [value] for name, value in values.items()}
    made: list[bytes] = []
    cut = 0
    for part in _texts(request):
        given = todo.get(part.steps[0])
        if given:
            made += [request.body[cut : part.start], _bytes(given.pop(0))]
            cut = part.end
        else:
            made.append(request.body[cut : part.begin])
            cut = part.finish
    dashes = b"--" + _delimiter(request)
    front, _, end = request.body[cut:].rpartition(dashes + b"--")
    added = [_part(dashes, name, value) for name, left in todo.items() for value in left]
    return b"".join([*made, front, *added, dashes, b"--", end])


def _part(dashes: bytes, name: str, value: Any) -> bytes:
    head = b'Content-Disposition: form-data; name="' + name.replace('"', "%22").encode() + b'"'
    return b"\r\n".join([dashes, head, b"", _bytes(value), b""])


def _bytes(value: Any) -> bytes:
    return str(_text(value)).encode()
