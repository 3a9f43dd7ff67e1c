"""What a request's body says, read as servers read it: behind its content coding, and JSON that is not quite JSON."""

import json
from collections.abc import Iterable

import orjson

from gatecrash.core.message import Request
from gatecrash.core.points.codec import LIMITS, Unreadable
from gatecrash.core.points.places import body_buffer


def plain_body(request: Request) -> bytes:
    """The body behind its content coding (RFC 9110 section 8.4); empty where the coding is not read, or is a bomb."""
    try:
        return body_buffer(request, LIMITS).parts[0].value
    except Unreadable:
        return b""


def json_fields(body: bytes, wanted: Iterable[bytes]) -> dict[str, object] | None:
    """The fields of a JSON object; None where the body is none. wanted: names without which a broken body is not read."""
    try:
        fields = orjson.loads(body)
    except orjson.JSONDecodeError:
        fields = _loosely(body) if any(name in body for name in wanted) else None
    return fields if isinstance(fields, dict) else None


def _loosely(body: bytes) -> object:
    """Also what many servers take though RFC 8259 does not: a byte order mark, NaN, half a surrogate pair, no UTF-8."""
    try:
        return json.loads(body.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError):
        return None


def json_text(value: object) -> bytes:
    """A JSON scalar as text; containers and null are no credentials, so they become the empty placeholder."""
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass")
    return str(value).encode() if isinstance(value, int) and not isinstance(value, bool) else b""
