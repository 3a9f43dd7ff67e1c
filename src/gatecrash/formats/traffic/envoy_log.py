"""Envoy's access log in JSON (`json_format`): its usual field names, and the headers of both sides as objects.

    json_format:
      start_time: "%START_TIME%"
      method: "%REQ(:METHOD)%"
      scheme: "%REQ(:SCHEME)%"
      authority: "%REQ(:AUTHORITY)%"
      path: "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%"
      response_code: "%RESPONSE_CODE%"
      connection_id: "%CONNECTION_ID%"
      request_headers: {authorization: "%REQ(AUTHORIZATION)%", cookie: "%REQ(COOKIE)%"}
      response_headers: {www-authenticate: "%RESP(WWW-AUTHENTICATE)%", set-cookie: "%RESP(SET-COOKIE)%"}

Needed are `method` and `path`. What Envoy does not have it writes as `-` or null, which both mean absent. A response code
of 0 says that no answer was given. The whole format is in deploy/envoy.
"""

from collections.abc import Iterator, Mapping
from typing import Any, BinaryIO

import orjson

from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.formats.capture import (
    Malformed,
    address_of,
    first_said,
    header_bytes,
    read_lines,
    seconds_of,
    without_pseudo,
)

_VERSIONS = {"HTTP/1.0": "1.0", "HTTP/2": "2", "HTTP/3": "2"}

Fields = Mapping[str, Any]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The log's exchanges in its order."""
    return read_lines(stream, exchange)


def exchange(place: int, raw: bytes) -> Exchange | Malformed:
    """One line, or why it is none."""
    try:
        fields = orjson.loads(raw)
        if not isinstance(fields, dict):
            return Malformed(place, "the line is no JSON object")
        return Exchange(
            request=_request(fields),
            response=_response(fields),
            started=_started(fields),
            connection=first_said(fields, "connection_id"),
            client=first_said(fields, "downstream_remote_address"),
        )
    except orjson.JSONDecodeError as error:
        return Malformed(place, f"the line is no JSON ({error.msg})")
    except RecursionError:
        return Malformed(place, "the line is nested too deeply")
    except ValueError as error:
        return Malformed(place, str(error))


def _request(fields: Fields) -> Request:
    method, path = first_said(fields, "method"), first_said(fields, "path", "x_envoy_original_path")
    if not method or not path:
        raise ValueError("the line names no method and path")
    host = first_said(fields, "authority")
    # Envoy names the scheme of the client's side in x-forwarded-proto.
    scheme = first_said(fields, "scheme", "x_forwarded_proto") or "http"
    address = address_of(f"{scheme}://{host}{path.removeprefix('*')}")
    return Request(
        method,
        b"*" if path == "*" else address.target,
        ((b"host", header_bytes(host)), *_headers(fields.get("request_headers"))),
        first_said(fields, "request_body").encode(),
        address.scheme,
        address.host,
        address.port,
        _VERSIONS.get(first_said(fields, "protocol"), "1.1"),
    )


def _headers(written: object) -> Headers:
    """The headers of one side, without those that were not there."""
    if not isinstance(written, dict):
        return ()
    return without_pseudo(
        tuple(
            (header_bytes(name), header_bytes(value).strip())
            for name, value in written.items()
            if name and name.lower() != "host" and isinstance(value, str) and value not in ("", "-")
        )
    )


def _response(fields: Fields) -> Response | None:
    """The answer; None where none was given or the log does not tell."""
    written = first_said(fields, "response_code")
    if written in ("", "0"):
        return None
    if not written.isdigit() or not 100 <= int(written) <= 999:
        raise ValueError(f"the response_code {written[:20]} is no HTTP status")
    return Response(int(written), _headers(fields.get("response_headers")))


def _started(fields: Fields) -> float:
    written = first_said(fields, "start_time")
    if not written:
        raise ValueError("the line has no start_time")
    try:
        return seconds_of(float(written))
    except ValueError:
        return seconds_of(written)
