"""JSON lines of our own: one exchange a line, for gateways, SDKs and scripts.

    {"method": "GET", "url": "https://api.example.com/users/7", "headers": [["Authorization", "Bearer …"]],
     "body": "…", "time": 1767225600.25, "status": 200, "response_headers": {"Content-Type": "application/json"},
     "response_body": "…", "elapsed": 0.012, "connection": "c1", "client": "192.0.2.7"}

`method` and `url` are needed. Headers are an object, or a list of pairs where order and duplicates matter. Bodies are
text, or base64 under `body_base64` and `response_body_base64`. Without `status` no answer was seen. `time` is UNIX
seconds, or an ISO 8601 moment with its offset. `"drafted": true` says in a file of a request without an
answer that nobody has sent it yet, and that it is to be sent once; `"public": true` that a request is meant for everybody,
whatever its sender had at hand. Other fields are passed over, so that a line may carry more.
"""

import base64
import binascii
from collections.abc import Iterator
from typing import Any, BinaryIO

import msgspec

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.formats.capture import (
    Malformed,
    address_of,
    header_bytes,
    read_lines,
    seconds_of,
    sendable,
    without_pseudo,
)
from gatecrash.formats.draft import Draft

_Headers = dict[str, str | list[str]] | list[tuple[str, str]]


class Line(msgspec.Struct, frozen=True):
    """One line as it is written."""

    method: str
    url: str
    headers: _Headers = {}
    body: str | None = None
    body_base64: str | None = None
    time: float | str = 0.0
    status: int | None = None
    response_headers: _Headers = {}
    response_body: str | None = None
    response_body_base64: str | None = None
    elapsed: float | None = None
    connection: str = ""
    client: str = ""
    version: str = "1.1"
    drafted: bool = False
    public: bool = False


_decoder = msgspec.json.Decoder(Line)


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The file's exchanges in its order; empty lines are passed over."""
    return read_lines(stream, _sent_or_drafted)


def exchange(place: int, raw: bytes) -> Exchange | Malformed:
    """One line, or why it is none."""
    try:
        line = _decoder.decode(raw)
        return Exchange(
            request=_request(line),
            response=_response(line),
            started=seconds_of(line.time),
            elapsed=line.elapsed,
            connection=line.connection,
            client=line.client,
        )
    except RecursionError:
        return Malformed(place, "the line is nested too deeply")
    except (ValueError, binascii.Error) as error:
        return Malformed(place, str(error))


def _sent_or_drafted(place: int, raw: bytes) -> Exchange | Malformed:
    """Of a file, which its user gives, a line may want to be sent, and say whom it is for; what services report was sent already."""
    found = exchange(place, raw)
    if isinstance(found, Malformed):
        return found
    line = _decoder.decode(raw)
    if line.drafted and found.response is None:
        return Draft(request=found.request, drafted=True, operation=True, public=line.public)
    meant: Exchange = msgspec.structs.replace(found, public=True) if line.public else found
    return meant


def line_of(exchange: Exchange) -> bytes:
    """One exchange as such a line, with its end; what `exchange` reads is what was written."""
    request, response = exchange.request, exchange.response
    told: dict[str, Any] = {
        "method": request.method,
        "url": request.origin + request.target.decode("latin-1"),
        "headers": _written(request.headers),
        "time": exchange.started,
        **({"body_base64": base64.b64encode(request.body).decode()} if request.body else {}),
        **({"drafted": True} if exchange.drafted else {}),
        **({"public": True} if exchange.public else {}),
    }
    if response is not None:
        told |= {"status": response.status, "response_headers": _written(response.headers)}
        told |= {"response_body_base64": base64.b64encode(response.body).decode(), "elapsed": exchange.elapsed}
    return msgspec.json.encode(told) + b"\n"


def _written(headers: Headers) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, value in headers]


def _request(line: Line) -> Request:
    """The request of a line."""
    address = address_of(line.url)
    body = _body(line.body, line.body_base64)
    headers = _headers(line.headers)
    return sendable(
        Request(line.method, address.target, headers, body, address.scheme, address.host, address.port, line.version)
    )


def _response(line: Line) -> Response | None:
    """The answer of a line; None where no status was written."""
    if line.status is None:
        return None
    if not 100 <= line.status <= 999:
        raise ValueError(f"the status {line.status} is no HTTP status")
    body = _body(line.response_body, line.response_body_base64)
    return Response(line.status, _headers(line.response_headers), body, version=line.version)


def _headers(written: _Headers) -> Headers:
    """Headers in either notation, in order."""
    pairs = list(written) if isinstance(written, list) else []
    if isinstance(written, dict):
        for name, values in written.items():
            pairs += [(name, value) for value in ([values] if isinstance(values, str) else values)]
    return without_pseudo(tuple((header_bytes(name), header_bytes(value).strip()) for name, value in pairs if name))


def _body(text: str | None, encoded: str | None) -> bytes:
    """A body in either notation."""
    if encoded is not None:
        return base64.b64decode(encoded, validate=True)
    return (text or "").encode()
