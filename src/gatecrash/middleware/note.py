"""What is noted of one request, and the JSON line it becomes: the collector's documented call (docs/sources.md)."""

import base64
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

_encoder = msgspec.json.Encoder()

Pairs = Sequence[tuple[bytes, bytes]]


class Note(NamedTuple):
    """One request. target: path and query as they came. host: of the Host header, "" where there was none.

    started: UNIX seconds. status: None where no answer was given. body: only what was asked for.
    """

    method: str
    scheme: str
    host: str
    target: bytes
    headers: Pairs
    started: float
    status: int | None
    answered: Pairs
    client: str
    body: bytes = b""


def line_of(note: Note) -> bytes:
    """The note as one line, its end included."""
    line: dict[str, object] = {
        "method": note.method,
        "url": f"{note.scheme}://{note.host}{shown(note.target)}",
        "headers": _texts(note.headers),
        "time": note.started,
        "client": note.client,
    }
    if note.status is not None:
        line["status"] = note.status
        line["response_headers"] = _texts(note.answered)
    if note.body:
        line["body_base64"] = base64.b64encode(note.body).decode()
    return _encoder.encode(line) + b"\n"


def shown(target: bytes) -> str:
    """A target as a URL can hold it: bytes that it cannot are escaped (RFC 3986 section 2.1), all else stays."""
    if target.isascii() and target.isalnum():
        return target.decode()
    return "".join(chr(byte) if 0x21 <= byte <= 0x7E and byte != 0x23 else f"%{byte:02X}" for byte in target)


def _texts(pairs: Pairs) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in pairs]
