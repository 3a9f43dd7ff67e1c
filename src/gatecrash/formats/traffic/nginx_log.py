"""nginx's access log in JSON: one object a line whose keys are named after nginx's own variables.

    log_format gatecrash escape=json '{"msec":"$msec","request_method":"$request_method","scheme":"$scheme",'
        '"http_host":"$http_host","request_uri":"$request_uri","status":"$status","connection":"$connection",'
        '"http_authorization":"$http_authorization","http_cookie":"$http_cookie",'
        '"sent_http_set_cookie":"$sent_http_set_cookie"}';

Any log whose keys keep these names is understood: `http_*` are the request's headers, `sent_http_*` and `upstream_http_*`
the answer's, `cookie_*` single cookies. A variable writes `-` as `_`, so a header of the request stands under both names
where only one of them is not known to be meant. Needed are `request_uri` with `request_method`, or `request`. nginx tells an
absent header from an empty one nowhere, so an empty value is an absent one. The whole format is in deploy/nginx.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from typing import Any, BinaryIO

import orjson

from gatecrash.core.auth.families import api_keys
from gatecrash.core.auth.parameters import HEADERS
from gatecrash.core.message import Exchange, Headers, Request, Response
from gatecrash.formats.capture import Malformed, address_of, first_said, read_lines, seconds_of

# 444: closed without an answer; 499: the client went before one came (nginx, ngx_http_request.h). 0: none was begun.
UNANSWERED = frozenset({0, 444, 499})
# Variables that begin like a header's and are none, or are read on their own.
_NO_HEADERS = frozenset({"http_host", "http_version", "http_status"})
_KNOWN = frozenset((*HEADERS, *(row.name for row in api_keys.HEADERS)))
# By the dashed name, in capitals, that their variable reads like.
_UNDERSCORED = {name.replace("_", "-"): name for name in _KNOWN if "_" in name}
_VERSIONS = {"HTTP/1.0": "1.0", "HTTP/2.0": "2", "HTTP/2": "2", "HTTP/3.0": "2", "HTTP/3": "2"}

Fields = Mapping[str, Any]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The log's exchanges in its order."""
    return read_lines(stream, exchange)


def exchange(place: int, raw: bytes) -> Exchange | Malformed:
    """One line, or why it is none."""
    try:
        fields = _fields(raw)
        return Exchange(
            request=_request(fields),
            response=_response(fields),
            started=_started(fields),
            connection=first_said(fields, "connection"),
            client=first_said(fields, "remote_addr"),
        )
    except RecursionError:
        return Malformed(place, "the line is nested too deeply")
    except ValueError as error:
        return Malformed(place, str(error))


def _fields(raw: bytes) -> Fields:
    """The line's object. Bytes that are no UTF-8 are one character each: nginx writes what clients sent as it came."""
    try:
        fields = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        try:
            fields = orjson.loads(raw.decode("latin-1"))
        except orjson.JSONDecodeError:
            raise ValueError(f"the line is no JSON ({error.msg}); write the log with escape=json") from error
    if not isinstance(fields, dict):
        raise ValueError("the line is no JSON object")  # noqa: TRY004 - told as every other fault of a line
    return fields


def _request(fields: Fields) -> Request:
    method, target, version = _line(fields)
    secure = first_said(fields, "https") == "on"
    scheme = first_said(fields, "scheme") or ("https" if secure else "http")
    host = first_said(fields, "http_host") or _host(fields)
    # An absolute target names the host itself (RFC 9112 section 3.2.2).
    address = address_of(
        target if target.startswith(("http://", "https://")) else f"{scheme}://{host}{target.removeprefix('*')}"
    )
    return Request(
        method,
        b"*" if target == "*" else address.target,
        ((b"Host", host.encode()), *_sent(fields), *_cookies(fields)),
        first_said(fields, "request_body").encode(),
        address.scheme,
        address.host,
        address.port,
        version,
    )


def _line(fields: Fields) -> tuple[str, str, str]:
    """Method, target and version, out of their own variables or of the request line."""
    words = first_said(fields, "request").split(" ")
    whole = words if len(words) == 3 else ["", "", ""]
    method = first_said(fields, "request_method") or whole[0]
    target = first_said(fields, "request_uri") or whole[1] or first_said(fields, "uri")
    if not method or not target:
        raise ValueError("the line names no request_method and request_uri: nginx could not read that request")
    return method, target, _VERSIONS.get(first_said(fields, "server_protocol") or whole[2], "1.1")


def _host(fields: Fields) -> str:
    """The host that nginx chose, with the port it listens on."""
    host, port = first_said(fields, "host", "server_name"), first_said(fields, "server_port")
    return f"{host}:{port}" if port else host


def _sent(fields: Fields) -> Headers:
    """The request's headers; one whose variable may stand for two names under both."""
    return tuple((name, value) for dashed, value in _headers(fields, "http_") for name in _names(dashed))


# A log names few headers, in each line the same.
@lru_cache(maxsize=1024)
def _names(dashed: bytes) -> tuple[bytes, ...]:
    """What the header may be called: nginx writes the variable of CLIENT_SECRET like that of Client-Secret."""
    name = dashed.upper().decode("latin-1")
    if "-" not in name or name in _KNOWN:
        return (dashed,)
    known = _UNDERSCORED.get(name)
    return (known.encode(),) if known else (dashed, dashed.replace(b"-", b"_"))


def _headers(fields: Fields, prefix: str) -> Headers:
    """The headers among the variables; nginx has written dashes as underscores."""
    return tuple(
        (name[len(prefix) :].replace("_", "-").title().encode(), str(value).strip().encode())
        for name, value in fields.items()
        if name.startswith(prefix)
        and name not in _NO_HEADERS
        and isinstance(value, str)
        and value not in ("", "-")
        and len(name) > len(prefix)
    )


def _cookies(fields: Fields) -> Headers:
    """A Cookie header put together from single cookies, where the log has those and no header."""
    if first_said(fields, "http_cookie"):
        return ()
    pairs = [f"{name[7:]}={value}" for name, value in fields.items() if name.startswith("cookie_") and value]
    return ((b"Cookie", "; ".join(pairs).encode()),) if pairs else ()


def _response(fields: Fields) -> Response | None:
    """The answer; None where none was given or the log does not tell."""
    written = first_said(fields, "status", "upstream_status")
    if not written:
        return None
    if not written.isdigit() or not (int(written) in UNANSWERED or 100 <= int(written) <= 999):
        raise ValueError(f"the status {written[:20]} is no HTTP status")
    if int(written) in UNANSWERED:
        return None
    sent = _headers(fields, "sent_http_")
    names = {name for name, _ in sent}
    upstream = tuple(pair for pair in _headers(fields, "upstream_http_") if pair[0] not in names)
    return Response(int(written), (*sent, *upstream))


def _started(fields: Fields) -> float:
    """When the request came: nginx writes the line at its end, so the time it took is taken off."""
    ended = _ended(fields)
    took = first_said(fields, "request_time")
    try:
        return max(ended - float(took), 0.0) if took else ended
    except ValueError:
        raise ValueError(f"the request_time {took[:20]} is no number") from None


def _ended(fields: Fields) -> float:
    if written := first_said(fields, "msec"):
        try:
            return seconds_of(float(written))
        except ValueError:
            raise ValueError(f"the msec {written[:20]} is no time") from None
    if written := first_said(fields, "time_iso8601"):
        return seconds_of(written)
    if written := first_said(fields, "time_local"):
        return seconds_of(datetime.strptime(written, "%d/%b/%Y:%H:%M:%S %z").timestamp())
    raise ValueError("the line has no time: log msec, time_iso8601 or time_local")
