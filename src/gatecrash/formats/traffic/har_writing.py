"""Exchanges written as HAR 1.2, one entry at a time, so that a record of any size needs little memory.

A body that is no text goes in base64, with the member `encoding` that HAR has for answers and that is used for requests
too (HAR 1.2 allows further members whose names begin with an underscore; readers that know none pass it over).
"""

import base64
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl

from gatecrash.core.message import Exchange, Headers, Request, Response

_VERSIONS = {"1.0": "HTTP/1.0", "1.1": "HTTP/1.1", "2": "HTTP/2"}


def har(exchanges: Iterable[Exchange], version: str) -> Iterator[bytes]:
    """The document in pieces. version: of the program that writes it."""
    creator = json.dumps({"name": "Gatecrash", "version": version})
    yield b'{"log": {"version": "1.2", "creator": ' + creator.encode() + b', "entries": ['
    between = b"\n"
    for exchange in exchanges:
        yield between + json.dumps(entry(exchange), ensure_ascii=False).encode("utf-8", "replace")
        between = b",\n"
    yield b"\n]}}\n"


def entry(exchange: Exchange) -> dict[str, Any]:
    """One exchange; times that are not known are -1, as HAR wants it."""
    wait = -1.0 if exchange.elapsed is None else exchange.elapsed * 1000
    return {
        "startedDateTime": datetime.fromtimestamp(exchange.started, UTC).isoformat(),
        "time": max(wait, 0.0),
        "request": _request(exchange.request),
        "response": _response(exchange.response),
        "cache": {},
        "timings": {"send": 0, "wait": max(wait, 0.0), "receive": 0},
        "connection": exchange.connection,
    }


def _request(request: Request) -> dict[str, Any]:
    told: dict[str, Any] = {
        "method": request.method,
        "url": request.url,
        "httpVersion": _VERSIONS[request.version],
        "cookies": [],
        "headers": _headers(request.headers),
        "queryString": [
            {"name": name, "value": value}
            for name, value in parse_qsl((request.query or b"").decode("latin-1"), keep_blank_values=True)
        ],
        "headersSize": -1,
        "bodySize": len(request.body),
    }
    if request.body:
        kind = (request.first(b"Content-Type") or b"").decode("latin-1")
        told["postData"] = {"mimeType": kind, **_text(request.body)}
    return told


def _response(response: Response | None) -> dict[str, Any]:
    """The answer; status 0 where none came, as browsers write it."""
    if response is None:
        response = Response(0)
    kind = (response.first(b"Content-Type") or b"").decode("latin-1")
    return {
        "status": response.status,
        "statusText": response.reason.decode("latin-1"),
        "httpVersion": _VERSIONS[response.version],
        "cookies": [],
        "headers": _headers(response.headers),
        "content": {"size": len(response.body), "mimeType": kind, **_text(response.body)},
        "redirectURL": (response.first(b"Location") or b"").decode("latin-1"),
        "headersSize": -1,
        "bodySize": len(response.body),
    }


def _headers(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name.decode("latin-1"), "value": value.decode("latin-1")} for name, value in headers]


def _text(body: bytes) -> dict[str, str]:
    try:
        return {"text": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"text": base64.b64encode(body).decode(), "encoding": "base64"}
