"""HAR 1.2: what browsers and proxies export. Read entry by entry, whatever the file's size.

Header order and duplicates are kept as the file has them; values that an exporter joined by line ends are headers of
their own. The body of a request comes from `postData.text`, or from `postData.params` where a form was exported without
its text; cookies and the query from their lists, where the headers and the address have none. Bodies in base64 are
decoded. An answer with status 0 was none: the browser cancelled or was offline; one to a GET whose text was left out is
truncated.

A WebSocket is its opening: browsers list what was said through it (`_webSocketMessages`), of which the answer has what the
server said, and the request what its client may say again (`core/testing/operations/sockets`).
"""

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, BinaryIO
from urllib.parse import quote_plus

import ijson
import msgspec

from gatecrash.core.message import Exchange, Headers, Request, Response, without_header
from gatecrash.core.testing.operations.sockets import as_opening, asked_through
from gatecrash.formats.capture import Malformed, UnreadableCapture, address_of, header_bytes, sendable, without_pseudo
from gatecrash.formats.descriptions.media import Part, multipart_body

VERSIONS = {"http/1.0": "1.0", "http/2": "2", "http/2.0": "2", "h2": "2", "h3": "2", "http/3": "2"}

Entry = Mapping[str, Any]


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The file's exchanges in its order.

    Raises UnreadableCapture where the file is no JSON, or stops being JSON half way.
    """
    place = 0
    try:
        for place, entry in enumerate(ijson.items(_Shallow(stream), "log.entries.item", use_float=True), 1):
            yield _exchange(place, entry)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        # Only the first line tells; ijson draws the place below it, all of it in bytes where the text is no UTF-8.
        said = error.args[0] if error.args else ""
        why = (
            (said.decode("utf-8", "replace") if isinstance(said, bytes) else str(error)).partition("\n")[0].rstrip(".")
        )
        raise UnreadableCapture(f"The HAR file is broken after entry {place}: {why}. Export it again.") from error


class _Shallow:
    """The stream, refused where brackets open by the thousand: ijson's work grows with the square of their depth."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._open = 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises UnreadableCapture."""
        piece = self._stream.read(size)
        opened = piece.count(b"[") + piece.count(b"{") - piece.count(b"]") - piece.count(b"}")
        if opened > _DENSE:  # brackets within texts add up over a large file, but not at this rate
            self._open += opened
        if self._open > _DEEPEST:
            raise UnreadableCapture("The HAR file is nested too deeply to be one.")
        return piece


_DENSE, _DEEPEST = 1000, 5000


def _exchange(place: int, entry: Any) -> Exchange | Malformed:
    """One entry, or why it is none."""
    for name, value in (
        ("entry", entry),
        ("entry's request", entry.get("request", {}) if isinstance(entry, dict) else {}),
    ):
        if not isinstance(value, dict):
            return Malformed(place, f"the {name} is no object")
    try:
        wait = _object(entry.get("timings")).get("wait")
        request = _request(entry["request"])
        response = _response(_object(entry.get("response")), reads=entry["request"].get("method") == "GET")
        if request.scheme in _SOCKETS:
            request, response = _through_socket(request, response, entry.get("_webSocketMessages"))
        return Exchange(
            request=request,
            response=response,
            started=_seconds(entry.get("startedDateTime")),
            elapsed=wait / 1000 if isinstance(wait, int | float) and wait >= 0 else None,
            connection=str(entry.get("connection") or ""),
        )
    except RecursionError:
        return Malformed(place, "the entry is nested too deeply")
    except KeyError as error:
        return Malformed(place, f"the entry has no {error.args[0]}")
    except (TypeError, ValueError, AttributeError, binascii.Error) as error:
        return Malformed(place, str(error))


_SOCKETS = {"ws": "http", "wss": "https"}


def _through_socket(request: Request, response: Response | None, messages: object) -> tuple[Request, Response | None]:
    """The opening of a WebSocket with the texts that were said through it."""
    listed = [each for each in messages if isinstance(each, dict)] if isinstance(messages, list) else []
    texts = [(each.get("type"), _text(each.get("data"), None)) for each in listed if each.get("opcode") == 1]
    opened = msgspec.structs.replace(request, scheme=_SOCKETS[request.scheme])
    said = asked_through(text for side, text in texts if side == "send")
    if response is not None and response.status == _SWITCHING:
        heard = b"\n".join(text for side, text in texts if side == "receive")
        response = msgspec.structs.replace(response, body=heard, truncated=False, size=None)
    return msgspec.structs.replace(as_opening(opened), body=said), response


_SWITCHING = 101


def _request(request: Entry) -> Request:
    """The request; a host that only HTTP/2's pseudo headers named stays in the address."""
    address = address_of(_with_query(str(request["url"]), request.get("queryString")))
    headers = _headers(request.get("headers"))
    if not _names(headers, _COOKIE) and (cookies := _listed(request.get("cookies"))):
        # Exporters that keep a browser's cookies apart from its headers tell them here alone.
        headers = (*headers, (b"Cookie", b"; ".join(header_bytes(f"{name}={value}") for name, value in cookies)))
    posted = _object(request.get("postData"))
    body = _posted(posted, headers)
    if body and (kind := header_bytes(posted.get("mimeType") or "")) and not _names(headers, _TYPE):
        headers = (*headers, (b"Content-Type", kind))  # exporters that leave headers out still tell it here
    size = request.get("bodySize")
    if not body and isinstance(size, int) and size > 0 and not _names(headers, _LENGTH):
        headers = (*headers, (b"Content-Length", str(size).encode()))  # says that the body is missing
    return sendable(
        Request(
            method=str(request["method"]),
            target=address.target,
            headers=headers,
            body=body,
            scheme=address.scheme,
            host=address.host,
            port=address.port,
            version=VERSIONS.get(str(request.get("httpVersion")).lower(), "1.1"),
        )
    )


_LENGTH, _TYPE, _COOKIE = b"content-length", b"content-type", b"cookie"


def _with_query(url: str, listed: object) -> str:
    """The address with its query, where an exporter tells that in its list alone."""
    pairs = [] if "?" in url else _listed(listed)
    before, mark, fragment = url.partition("#")
    written = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs)
    return f"{before}?{written}{mark}{fragment}" if written else url


def _listed(listed: object) -> list[tuple[str, str]]:
    """The names and values of a list; one without a name is left out."""
    items = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return [(str(item["name"]), str(item.get("value") or "")) for item in items if item.get("name")]


def _names(headers: Headers, wanted: bytes) -> bool:
    return any(name.lower() == wanted for name, _ in headers)


def _response(response: Entry, *, reads: bool) -> Response | None:
    """The answer; None where there was none. reads: it may be asked for again where its text is missing."""
    status = response.get("status")
    if not isinstance(status, int) or not 100 <= status <= 999:
        return None
    content = _object(response.get("content"))
    size = content.get("size")
    left_out = reads and not content.get("text") and isinstance(size, int) and size > 0
    return Response(
        status=status,
        # The body of a HAR file is decompressed already (HAR 1.2, content.text), whatever this header says.
        headers=without_header(_headers(response.get("headers")), b"Content-Encoding"),
        body=_text(content.get("text"), content.get("encoding")),
        reason=str(response.get("statusText") or "").encode("latin-1", "replace"),
        version=VERSIONS.get(str(response.get("httpVersion")).lower(), "1.1"),
        truncated=left_out,
        size=size if left_out else None,
    )


def _headers(listed: object) -> Headers:
    """The listed headers; one with no name is left out."""
    pairs = (
        [(item.get("name"), item.get("value")) for item in listed if isinstance(item, dict)]
        if isinstance(listed, list)
        else []
    )
    return without_pseudo(
        tuple(
            (header_bytes(name), line.strip())
            for name, value in pairs
            if name
            for line in header_bytes(value).split(b"\n")
        )
    )


def _posted(data: Entry, headers: Headers) -> bytes:
    """The posted body, put together from its parameters where the text is missing."""
    text = data.get("text")
    if isinstance(text, str) and text:
        return _text(text, data.get("encoding"))
    listed = data.get("params")
    parameters = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    kind = str(data.get("mimeType"))
    if kind.startswith("multipart/form-data") and parameters:
        return _multipart(parameters, headers)
    if not kind.startswith("application/x-www-form-urlencoded"):
        return b""
    pairs = ((str(item.get("name") or ""), str(item.get("value") or "")) for item in parameters)
    return "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs).encode()


def _multipart(parameters: Sequence[Entry], headers: Headers) -> bytes:
    """The parts between the boundary that the request names; none where it names none, or a file's content is missing."""
    kind = next((value for name, value in headers if name.lower() == b"content-type"), b"")
    boundary = _BOUNDARY.search(kind.decode("latin-1"))
    if boundary is None or any(item.get("fileName") and item.get("value") is None for item in parameters):
        return b""
    parts = (
        Part(
            str(item.get("name") or ""),
            str(item.get("value") or ""),
            str(item.get("fileName") or ""),
            str(item.get("contentType") or ""),
        )
        for item in parameters
    )
    return multipart_body(parts, boundary[1] or boundary[2]).data


_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^\s;"]+))', re.IGNORECASE)


def _text(text: object, encoding: object) -> bytes:
    """A body as bytes."""
    if not isinstance(text, str):
        return b""
    return (
        base64.b64decode("".join(text.split()), validate=True)
        if encoding == "base64"
        else text.encode("utf-8", "surrogatepass")
    )


def _object(value: object) -> Entry:
    """The value where it is an object, else an empty one: exporters leave out what they do not know."""
    return value if isinstance(value, dict) else {}


def _seconds(moment: object) -> float:
    """An ISO 8601 moment as UNIX seconds, 0 where none is told; raises ValueError for anything else.

    One that leaves its offset out, which HAR 1.2 asks for, is read as UTC: the same file must mean the same everywhere.
    """
    if moment is None:
        return 0.0
    if not isinstance(moment, str):
        raise TypeError("startedDateTime is no text")
    told = datetime.fromisoformat(moment)
    return (told if told.tzinfo is not None else told.replace(tzinfo=UTC)).timestamp()
