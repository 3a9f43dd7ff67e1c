"""The XML in which intercepting proxies save chosen items: each with its address, its raw request and its raw answer.

    <items><item><time>…</time><url>…</url><host ip="…">…</host><port>…</port><protocol>…</protocol>
      <request base64="true">…</request><response base64="true">…</response></item>…</items>

Read item by item, whatever the file's size. Requests go to `protocol`, `host` and `port`, or to `url` where those are left
out; the request's own bytes say the rest. Without base64, XML has taken the carriage returns away already. A document type
that declares elements is passed over, one that declares entities is refused.
"""

import base64
import binascii
from collections.abc import Iterator
from email.utils import mktime_tz, parsedate_tz
from typing import BinaryIO
from xml.parsers import expat

from gatecrash.core.message import DEFAULT_PORTS, Exchange, Request
from gatecrash.formats.capture import Malformed, UnreadableCapture, address_of, sendable
from gatecrash.formats.saved.raw_message import request_line, response_of, taken_apart

_PIECE = 256 * 1024
_MOST_BYTES_AN_ITEM = 64 * 1024 * 1024
_FIELDS = frozenset({"time", "url", "host", "port", "protocol", "request", "response"})


def read(stream: BinaryIO) -> Iterator[Exchange | Malformed]:
    """The file's exchanges in its order.

    Raises UnreadableCapture where the file is no XML, or stops being XML half way.
    """
    items = _Items()
    place = 0
    try:
        while piece := stream.read(_PIECE):
            items.parser.Parse(piece)
            for item in items.taken():
                place += 1
                yield _exchange(place, item)
        items.parser.Parse(b"", True)
    except expat.ExpatError as error:
        raise UnreadableCapture(
            f"The XML of the proxy is broken after item {place}: {error}. Save the items again, with base64."
        ) from error


class _Items:
    """The items that have ended, each its fields' texts; `name@base64` beside those that are encoded."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._began
        self.parser.EndElementHandler = self._ended
        self.parser.CharacterDataHandler = self._said
        self.parser.EntityDeclHandler = self._declared
        self._done: list[dict[str, str]] = []
        self._item: dict[str, str] | None = None
        self._field = ""
        self._text: list[str] = []
        self._size = 0

    def taken(self) -> list[dict[str, str]]:
        """Those that ended since the last time."""
        done, self._done = self._done, []
        return done

    def _began(self, name: str, attributes: dict[str, str]) -> None:
        if name == "item":
            self._item, self._size = {}, 0
        elif self._item is not None and name in _FIELDS:
            self._field, self._text = name, []
            if attributes.get("base64", "").lower() == "true":
                self._item[f"{name}@base64"] = "true"

    def _said(self, text: str) -> None:
        if self._field:
            self._size += len(text)
            if self._size > _MOST_BYTES_AN_ITEM:
                raise UnreadableCapture(f"An item of the XML is larger than {_MOST_BYTES_AN_ITEM // 1024 // 1024} MiB.")
            self._text.append(text)

    def _ended(self, name: str) -> None:
        if self._item is None:
            return
        if name == "item":
            self._done.append(self._item)
            self._item = None
        elif name == self._field:
            self._item[name] = "".join(self._text)
            self._field = ""

    def _declared(self, name: str, *_: object) -> None:
        raise UnreadableCapture(f"The XML declares the entity {name}, which no proxy writes. Nothing of it was read.")


def _exchange(place: int, item: dict[str, str]) -> Exchange | Malformed:
    """One item, or why it is none."""
    try:
        if "request" not in item:
            return Malformed(place, "the item has no request")
        return Exchange(_request(item), response_of(_raw(item, "response")), started=_seconds(item.get("time", "")))
    except binascii.Error:
        return Malformed(place, "the item's base64 is broken")
    except ValueError as error:
        return Malformed(place, str(error))


def _request(item: dict[str, str]) -> Request:
    first, headers, body = taken_apart(_raw(item, "request"))
    method, target, version = request_line(first)
    scheme, host = item.get("protocol", "").strip().lower(), item.get("host", "").strip().lower()
    if scheme in DEFAULT_PORTS and host:
        port = int(item.get("port", "").strip() or DEFAULT_PORTS[scheme])
    else:
        said = address_of(item.get("url", "").strip())
        scheme, host, port = said.scheme, said.host, said.port
    if b"://" in target.partition(b"?")[0]:  # to a proxy the whole address is written (RFC 9112 section 3.2.2)
        target = address_of(target.decode("latin-1")).target
    return sendable(Request(method, target, headers, body, scheme, host.strip("[]"), port, version))


def _raw(item: dict[str, str], name: str) -> bytes:
    text = item.get(name, "")
    return base64.b64decode("".join(text.split()), validate=True) if f"{name}@base64" in item else text.encode()


def _seconds(text: str) -> float:
    """A date as Java writes it, in UNIX seconds; 0 where it says nothing that is known."""
    parsed = parsedate_tz(text)
    try:
        return max(0.0, float(mktime_tz(parsed))) if parsed else 0.0
    except (OverflowError, ValueError):
        return 0.0
