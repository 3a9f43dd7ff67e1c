"""HTTP messages as text in a file: a head, an empty line, the body (RFC 9112 section 2.1).

Tools save what they saw, and people edit what tools saved: lines end with or without a carriage return, `HTTP/2` stands in
the first line, a chunked body is still chunked or not any more, Content-Length is that of another body. What counts here is
what follows the empty line.
"""

import re

from gatecrash.core.message import Headers, Response, first_value, without_header
from gatecrash.formats.capture import without_pseudo

_EMPTY_LINE = re.compile(rb"\r?\n\r?\n")
_FIRST = re.compile(rb"([^\s]+)[ \t]+((?:/|\*|https?://|\{\{).*?)(?:[ \t]+HTTP/([\d.]+))?[ \t]*")
_STATUS = re.compile(rb"HTTP/([\d.]+)[ \t]+(\d{3})(?:[ \t]+(.*))?")
_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?\r?\n")


def taken_apart(raw: bytes) -> tuple[bytes, Headers, bytes]:
    """The first line, the headers in their order, and the body without its chunks. Raises ValueError where a header is none."""
    raw = raw.lstrip(b"\r\n")
    parted = _EMPTY_LINE.search(raw)
    head, body = (raw[: parted.start()], raw[parted.end() :]) if parted else (raw.rstrip(b"\r\n"), b"")
    first, *lines = [line.rstrip(b"\r") for line in head.split(b"\n")]
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        name, colon, value = line.partition(b":") if not line.startswith(b":") else (b":", b":", b"")
        if not colon:
            raise ValueError(f"the line {line[:40].decode('latin-1')!r} of the head is no header")
        headers.append((name, value.strip()))
    found = without_pseudo(tuple(headers))
    coding = first_value(found, b"transfer-encoding")
    if coding is not None:
        found, body = without_header(found, b"transfer-encoding"), _joined(body)
    return first, found, body


def request_line(first: bytes) -> tuple[str, bytes, str]:
    """Method, target and version ("1.1" where none is written). Raises ValueError."""
    found = _FIRST.fullmatch(first)
    if found is None:
        raise ValueError(f"the line {first[:40].decode('latin-1')!r} begins no request")
    return found[1].decode("latin-1"), found[2], _version(found[3])


def response_of(raw: bytes) -> Response | None:
    """The answer; None where nothing was saved. Raises ValueError."""
    if not raw.strip():
        return None
    first, headers, body = taken_apart(raw)
    found = _STATUS.fullmatch(first)
    if found is None:
        raise ValueError(f"the line {first[:40].decode('latin-1')!r} begins no answer")
    return Response(int(found[2]), headers, body, reason=found[3] or b"", version=_version(found[1]))


def _version(written: bytes | None) -> str:
    """As messages here name it."""
    return {b"1.0": "1.0", b"2": "2", b"2.0": "2", b"3": "2"}.get(written or b"", "1.1")


def _joined(body: bytes) -> bytes:
    """The chunks' contents (RFC 9112 section 7.1); the body itself where it is chunked no more."""
    joined: list[bytes] = []
    at = 0
    while found := _SIZE.match(body, at):
        size = int(found[1], 16)
        piece = body[found.end() : found.end() + size]
        if len(piece) < size:
            return body
        if not size:
            return b"".join(joined)
        joined.append(piece)
        at = found.end() + size
        at += 2 if body.startswith(b"\r\n", at) else 1 if body.startswith(b"\n", at) else 0
    return body
