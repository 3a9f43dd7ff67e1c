"""What every reader of captured traffic yields: exchanges, and in their place a word on what could not be read.

A reader takes a binary stream and yields one item at a time, so that a capture of any size needs little memory. One
broken entry costs that entry, never the file.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, BinaryIO
from urllib.parse import SplitResult, urlsplit

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import DEFAULT_PORTS, Exchange, Headers, Request


class Malformed(msgspec.Struct, frozen=True):
    """An entry that could not be read: its place in the file, counted from 1, and why."""

    place: int
    why: str


class UnreadableCapture(UserError):
    """The file as a whole is no capture of a kind that is known here."""


Reader = Callable[[BinaryIO], Iterator[Exchange | Malformed]]

LineReader = Callable[[int, bytes], Exchange | Malformed]
"""Reads one line, given its place: for files and for logs that still grow."""

# A line of JSON holds two bodies of 10 MiB at most, escaped or in base64.
MOST_BYTES_A_LINE = 64 * 1024 * 1024

# The year 2200. What claims to be later is a number in another unit, and would not fit into an hour's field.
_LATEST = 7_258_118_400.0


def read_lines(stream: BinaryIO, one: LineReader) -> Iterator[Exchange | Malformed]:
    """Each line's exchange in the file's order; empty lines are passed over."""
    place = 0
    while line := stream.readline(MOST_BYTES_A_LINE + 1):
        place += 1
        if len(line) > MOST_BYTES_A_LINE:
            _skip_line(stream, line)
            yield Malformed(place, f"the line is longer than {MOST_BYTES_A_LINE} bytes")
        elif line.strip():
            yield one(place, line)


def _skip_line(stream: BinaryIO, begun: bytes) -> None:
    """Read to the end of a line that is too long to keep."""
    while begun and not begun.endswith(b"\n"):
        begun = stream.readline(MOST_BYTES_A_LINE)


def seconds_of(moment: float | str) -> float:
    """UNIX seconds out of such seconds, or out of an ISO 8601 moment with its offset.

    Raises ValueError with what is wrong.
    """
    if isinstance(moment, str):
        parsed = datetime.fromisoformat(moment)
        if parsed.tzinfo is None:
            raise ValueError(f"the time {shortened(moment)} has no offset; write it as 2026-01-31T12:00:00Z")
        moment = parsed.timestamp()
    if not 0 <= moment <= _LATEST:
        raise ValueError(f"the time {moment} is not in UNIX seconds")
    return float(moment)


class Address(msgspec.Struct, frozen=True):
    """Where a request went, out of its whole address."""

    scheme: str
    host: str
    port: int
    target: bytes


def address_of(url: str) -> Address:
    """An absolute address taken apart, the path and query kept byte for byte.

    Raises ValueError with what is wrong.
    """
    parts = urlsplit(url, allow_fragments=False)
    if parts.scheme.lower() not in DEFAULT_PORTS:
        raise ValueError(f"the address {shortened(url)} is not http or https")
    if not parts.hostname:
        raise ValueError(f"the address {shortened(url)} names no host")
    scheme = parts.scheme.lower()
    port = parts.port if parts.port is not None else DEFAULT_PORTS[scheme]
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode("ascii")
    return Address(scheme, host, port, _target(url, parts))


def _target(url: str, parts: SplitResult) -> bytes:
    """Everything behind the authority: cut out of the text, because taking apart and joining loses an empty query.

    What would end a request line is percent-encoded, as every client writes it (RFC 3986 section 2.1).
    """
    behind = url.partition("//")[2][len(parts.netloc) :].partition("#")[0]
    target = behind if behind.startswith("/") else "/" + behind
    return _BREAKING.sub(lambda found: b"%%%02X" % found[0][0], target.encode("utf-8", "surrogateescape"))


_BREAKING = re.compile(rb"[\x00-\x20\x7f]")
_TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_LINE_END = re.compile(rb"[\r\n\x00]")


def sendable(request: Request) -> Request:
    """The request, where it can stand on the wire as what it is; a line end in a header would begin another header.

    Raises ValueError with what is wrong (RFC 9110 sections 5 and 9.1).
    """
    if not _TOKEN.fullmatch(request.method.encode("utf-8", "surrogateescape")):
        raise ValueError(f"the method {request.method!r} is none")
    for name, value in request.headers:
        if not _TOKEN.fullmatch(name):
            raise ValueError(f"{name.decode('latin-1')!r} is no name of a header")
        if _LINE_END.search(value):
            raise ValueError(f"the header {name.decode('latin-1')} holds a line end or a zero byte")
    return request


def without_pseudo(headers: Headers) -> Headers:
    """The headers without HTTP/2's pseudo headers (RFC 9113 section 8.3), which some captures list among them."""
    return tuple(pair for pair in headers if not pair[0].startswith(b":"))


def first_said(fields: Mapping[str, Any], *names: str) -> str:
    """The first of these fields of a log's line that says something; `-` is how servers write that there is nothing."""
    for name in names:
        value = fields.get(name)
        if value is not None and value not in ("", "-"):
            return str(value)
    return ""


def header_bytes(text: object) -> bytes:
    """A header's name or value as bytes: Latin-1 where it fits, as on the wire (RFC 9110 section 5.5), else UTF-8."""
    words = "" if text is None else str(text)
    try:
        return words.encode("latin-1")
    except UnicodeEncodeError:
        return words.encode("utf-8", "surrogatepass")


def shortened(text: str, most: int = 80) -> str:
    """The text, cut for a message; what follows a question mark is left out, for it may hold a secret."""
    shown = text.partition("?")[0]
    return shown if len(shown) <= most else shown[:most] + "…"
