"""What every reader of captured traffic yields: exchanges, and in their place a word on what could not be read.

A reader takes a binary stream and yields one item at a time, so that a capture of any size needs little memory. One
broken entry costs that entry, never the file.
"""

from collections.abc import Callable, Iterator
from typing import BinaryIO
from urllib.parse import SplitResult, urlsplit

import msgspec

from gatecrash.core.errors import UserError
from gatecrash.core.message import DEFAULT_PORTS, Exchange, Headers


class Malformed(msgspec.Struct, frozen=True):
    """An entry that could not be read: its place in the file, counted from 1, and why."""

    place: int
    why: str


class UnreadableCapture(UserError):
    """The file as a whole is no capture of a kind that is known here."""


Reader = Callable[[BinaryIO], Iterator[Exchange | Malformed]]


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
    return Address(scheme, parts.hostname, port, _target(url, parts))


def _target(url: str, parts: SplitResult) -> bytes:
    """Everything behind the authority: cut out of the text, because taking apart and joining loses an empty query."""
    behind = url.partition("//")[2][len(parts.netloc) :].partition("#")[0]
    target = behind if behind.startswith("/") else "/" + behind
    return target.encode("utf-8", "surrogateescape")


def without_pseudo(headers: Headers) -> Headers:
    """The headers without HTTP/2's pseudo headers (RFC 9113 section 8.3), which some captures list among them."""
    return tuple(pair for pair in headers if not pair[0].startswith(b":"))


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
