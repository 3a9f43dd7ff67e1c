"""The head of a message: start line and headers, kept byte for byte, with what they say about the body's length.

Requests are read strictly, since whoever reads them differently could be smuggled past (RFC 9112 section 11.2).
Answers are read as leniently as browsers and curl do, since a tester must be able to test broken servers.
"""

import msgspec

from gatecrash.core.errors import GatecrashError
from gatecrash.core.message import Headers

MAX_HEAD = 256 * 1024
"""Bytes of a head, or of a trailer section."""

TOKEN = b"!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""The bytes of a token (RFC 9110 section 5.6.2)."""

HOP = frozenset(
    (
        b"connection",
        b"keep-alive",
        b"proxy-connection",
        b"te",
        b"upgrade",
        b"proxy-authorization",
        b"proxy-authenticate",
        b"proxy-authentication-info",
    )
)
"""Fields that concern one hop only (RFC 9110 section 7.6.1)."""

_FRAMING = frozenset((b"content-length", b"transfer-encoding", b"connection", b"upgrade"))
_MAX_KINDS = 4096
_kinds: dict[bytes, bytes] = {}
"""What a name means for the message: a framing header's own, `hop`, or nothing. Spellings of tokens only."""

_OPTIONS = {each: (each.lower(),) for each in (b"keep-alive", b"Keep-Alive", b"close", b"Close")}
_METHODS = {each.encode(): each for each in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT")}
_VERSIONS = {b"HTTP/1.1": "1.1", b"HTTP/1.0": "1.0"}


class BrokenMessage(GatecrashError):
    """The peer's bytes are no HTTP/1.x message. too_large: they are, but over a limit."""

    def __init__(self, text: str, *, too_large: bool = False) -> None:
        super().__init__(text)
        self.too_large = too_large


class Framing(msgspec.Struct):
    """What the headers say about the body and the connection.

    length: Content-Length. chunked: the last transfer coding is `chunked`. coded: there is a Transfer-Encoding at all.
    options: the Connection header's options in lower case. upgrade: the Upgrade header's value in lower case.
    hop: there is a header that concerns this hop only.
    """

    length: int | None = None
    chunked: bool = False
    coded: bool = False
    options: tuple[bytes, ...] = ()
    upgrade: bytes = b""
    hop: bool = False


class RequestHead(msgspec.Struct):
    """A request's start line and headers. version: "1.0", "1.1" or "2".

    block: the header lines as they came, each behind its line end, where nothing of them has to change on the way; else
    empty.
    """

    method: str
    target: bytes
    version: str
    headers: Headers
    framing: Framing
    block: bytes = b""

    @property
    def keep_alive(self) -> bool:
        """Whether the client wants to go on with this connection (RFC 9112 section 9.3)."""
        framing = self.framing
        return wants_keep_alive(self.version, framing) if framing.options else self.version != "1.0"


class ResponseHead(msgspec.Struct):
    """An answer's start line and headers. block: as in a request's."""

    status: int
    reason: bytes
    version: str
    headers: Headers
    framing: Framing
    block: bytes = b""

    @property
    def keep_alive(self) -> bool:
        """Whether the server lets this connection go on. Length beside chunked is suspicious: closed afterwards."""
        framing = self.framing
        if framing.coded and framing.length is not None:
            return False
        return wants_keep_alive(self.version, framing) if framing.options else self.version != "1.0"


def wants_keep_alive(version: str, framing: Framing) -> bool:
    """The version's default, changed by the Connection header."""
    if b"close" in framing.options:
        return False
    return version != "1.0" or b"keep-alive" in framing.options


def end_of_head(data: bytes | bytearray) -> tuple[int, int] | None:
    """Where the head ends and where the body starts; None while the empty line has not come.

    A bare LF ends a line too (RFC 9112 section 2.2 lets a recipient take it), so the earliest empty line wins.
    """
    found = data.find(b"\r\n\r\n")
    bare = data.find(b"\n\n", 0, found if found >= 0 else len(data))
    if bare >= 0:
        return bare, bare + 2
    if found >= 0:
        return found, found + 4
    mixed = data.find(b"\n\r\n")
    return (mixed, mixed + 3) if mixed >= 0 else None


def read_request_head(head: bytes) -> RequestHead:
    """The head without its empty line, strictly.

    Raises BrokenMessage.
    """
    return _request_head(*(_cut(head) or _cut_strictly(head)))


class RequestHeads:
    """Reads the heads of one connection: behind another first line, a client mostly sends the same headers again.

    They are then the very same object as before, by which others may know them too.
    """

    __slots__ = ("_behind", "_block", "_framing", "_headers")

    def __init__(self) -> None:
        self._block = self._behind = b""
        self._headers: Headers = ()
        self._framing = Framing()

    def __call__(self, head: bytes) -> RequestHead:
        """As `read_request_head`."""
        end = head.find(b"\r\n")
        line, block = head[:end], head[end:]
        if end > 0 and block == self._block and not (10 in line or 13 in line or 0 in line):
            return _request_head(line, self._headers, block, self._framing)
        line, headers, block, framing = _cut(head) or _cut_strictly(head)
        # What asks for another protocol is changed on its way; what is large is not held for a connection that idles.
        if not framing.upgrade and len(block) <= _MAX_BLOCK:
            self._block, self._headers, self._framing = block, headers, framing
            self._behind = block + b"\r\n\r\n" if block else b""
        return _request_head(line, headers, block, framing)

    def again(self, data: bytes) -> RequestHead | None:
        """The head, where the data is a whole one with the same headers and nothing else. Raises BrokenMessage."""
        behind = self._behind
        if not behind or not data.endswith(behind):
            return None
        line = data[: -len(behind)]
        if 10 in line or 13 in line or 0 in line or len(data) > MAX_HEAD:
            return None
        return _request_head(line, self._headers, self._block, self._framing)


def _request_head(line: bytes, headers: Headers, block: bytes, framing: Framing) -> RequestHead:
    method, _, rest = line.partition(b" ")
    target, _, protocol = rest.rpartition(b" ")
    name = _METHODS.get(method) or _unusual_method(method)
    if not name or not target or b" " in target:
        raise BrokenMessage("The request line is not `METHOD target HTTP/1.1`.")
    version = _VERSIONS.get(protocol) or _unusual_version(protocol)
    if framing.coded and (framing.length is not None or not framing.chunked):
        raise BrokenMessage(
            "The request has Transfer-Encoding beside Content-Length, or one that does not end in chunked."
        )
    return RequestHead(name, target, version, headers, framing, b"" if framing.hop else block)


class ResponseHeads:
    """Reads the heads of one connection's answers: the one that comes again byte for byte is the very same object."""

    __slots__ = ("_known", "_read")

    def __init__(self) -> None:
        self._known = b""
        self._read: ResponseHead | None = None

    def __call__(self, head: bytes) -> ResponseHead:
        """As `read_response_head`."""
        known = self._read
        if known is not None and head == self._known:
            return known
        read = read_response_head(head)
        if len(head) <= _MAX_BLOCK:
            self._known, self._read = head, read
        return read


def read_response_head(head: bytes) -> ResponseHead:
    """The head without its empty line, leniently.

    Raises BrokenMessage.
    """
    line, headers, block, framing = _cut(head) or _cut_leniently(head)
    protocol, _, rest = line.partition(b" ")
    code, _, reason = rest.strip(b" ").partition(b" ")
    if len(code) != 3 or not code.isdigit() or code < b"100":
        raise BrokenMessage(f"The answer's first line is not `HTTP/1.1 200 OK` but {_shown(line)}.")
    version = _VERSIONS.get(protocol) or _unusual_version(protocol)
    return ResponseHead(int(code), reason, version, headers, framing, b"" if framing.hop else block)


_Line = tuple[tuple[bytes, bytes], bytes]
"""Name and value of a header line, and what it means for the message."""

_MAX_LINES, _MAX_LINE, _MAX_BLOCK = 4096, 128, 8192
_REPEATED = frozenset(
    b"accept accept-encoding accept-language accept-ranges access-control-allow-origin alt-svc cache-control connection "
    b"content-encoding content-language content-length content-type date expires host keep-alive origin pragma priority "
    b"sec-ch-ua sec-ch-ua-mobile sec-ch-ua-platform sec-fetch-dest sec-fetch-mode sec-fetch-site server "
    b"strict-transport-security te transfer-encoding upgrade user-agent vary via x-content-type-options x-frame-options "
    b"x-powered-by".split()
)
"""Fields of which the same line comes with message after message, and which hold no credential, so that none stays here."""

_lines: dict[bytes, _Line] = {}
"""The lines of these fields that were read before."""

_Cut = tuple[bytes, Headers, bytes, Framing]
"""Start line, headers, the lines they came in (empty where these were irregular), and what they say."""


def _cut(head: bytes) -> _Cut | None:
    """The head where every line is `Name: value`; None for a closer look.

    A name that was seen before is a token, so its line needs no other check.
    """
    line, *fields = head.split(b"\r\n")
    if not len(fields) == head.count(b"\n") == head.count(b"\r") or 0 in head:
        return None
    framing = Framing()
    headers: list[tuple[bytes, bytes]] = []
    for field in fields:
        known = _lines.get(field) or _read_line(field)
        if known is None:
            return None
        pair, kind = known
        if kind:
            _take(framing, kind, pair[1])
        headers.append(pair)
    return line, tuple(headers), head[len(line) :], framing


def _read_line(line: bytes) -> _Line | None:
    """A header line, remembered where it is likely to come again; None where it is no `Name: value`."""
    name, colon, value = line.partition(b":")
    kind = _kinds.get(name)
    if kind is None:
        if not name or name.translate(None, TOKEN):
            return None
        kind = _kind_of(name)
    if not colon:
        return None
    read = (name, value.strip(b" \t")), kind
    if len(line) <= _MAX_LINE and name.lower() in _REPEATED:
        if len(_lines) >= _MAX_LINES:
            _lines.clear()
        _lines[line] = read
    return read


def _cut_strictly(head: bytes) -> _Cut:
    """A blank before the colon or a folded line is refused (RFC 9112 sections 5.1 and 5.2), a bare LF is taken."""
    if 0 in head or head.count(b"\r") != head.count(b"\r\n"):
        raise BrokenMessage("The request's head holds a NUL or a bare carriage return.")
    first, *lines = head.replace(b"\r\n", b"\n").split(b"\n")
    headers = tuple([_strict_header(line) for line in lines])
    return first, headers, b"", framing_of(headers)


def _strict_header(line: bytes) -> tuple[bytes, bytes]:
    name, colon, value = line.partition(b":")
    if not colon or not name or name.translate(None, TOKEN):
        raise BrokenMessage(f"This header line of the request is not `Name: value`: {_shown(name)}.")
    return name, value.strip(b" \t")


def _cut_leniently(head: bytes) -> _Cut:
    first, *lines = head.replace(b"\r\n", b"\n").split(b"\n")
    headers = _odd_headers(lines)
    return first, headers, b"", framing_of(headers)


def framing_of(headers: Headers) -> Framing:
    """What these headers say about the body and the connection.

    Raises BrokenMessage where Content-Length is no number, or two differ (RFC 9112 section 6.3).
    """
    framing = Framing()
    for name, value in headers:
        kind = _kinds.get(name)
        if kind is None:
            kind = _kind_of(name)
        if kind:
            _take(framing, kind, value)
    return framing


def _unusual_method(method: bytes) -> str:
    """Any token; nothing where it is none."""
    return "" if method.translate(None, TOKEN) else method.decode()


def _kind_of(name: bytes) -> bytes:
    """What a spelling means; remembered, so that no token is looked at twice."""
    lowered = name.lower()
    kind = lowered if lowered in _FRAMING else b"hop" if lowered in HOP else b""
    if len(_kinds) < _MAX_KINDS and name and not name.translate(None, TOKEN):
        _kinds[name] = kind
    return kind


def _take(framing: Framing, kind: bytes, value: bytes) -> None:
    if kind == b"content-length":
        plain = framing.length is None and len(value) <= 18 and value.isdigit()
        framing.length = int(value) if plain else _length(value, framing.length)
    elif kind == b"transfer-encoding":
        framing.coded = True
        framing.chunked = value.rpartition(b",")[2].strip().lower() == b"chunked"
    else:
        framing.hop = True
        if kind == b"connection":
            framing.options += _OPTIONS.get(value) or _options(value)
        elif kind == b"upgrade":
            framing.upgrade = value.lower()


def _options(value: bytes) -> tuple[bytes, ...]:
    return tuple([option.strip().lower() for option in value.split(b",") if option.strip()])


def _length(value: bytes, known: int | None) -> int:
    """The number of a Content-Length, which may be a list of equal ones (RFC 9112 section 6.3)."""
    parts = {part.strip() for part in value.split(b",")}
    if len(parts) != 1 or not (digits := parts.pop()).isdigit() or len(digits) > 18:
        raise BrokenMessage(f"Content-Length is {_shown(value)}, which is no length.")
    length = int(digits)
    if known is not None and known != length:
        raise BrokenMessage(f"Two Content-Length headers differ: {known} and {length}.")
    return length


def _odd_headers(lines: list[bytes]) -> Headers:
    """Folded lines and blanks before the colon: rare, so they have their own slower way."""
    headers: list[tuple[bytes, bytes]] = []
    for line in lines:
        if line[:1] in (b" ", b"\t") and headers:
            # obs-fold: a user agent replaces the fold by a space (RFC 9112 section 5.2).
            name, value = headers.pop()
            headers.append((name, b" ".join(part for part in (value, line.strip(b" \t")) if part)))
            continue
        name, colon, value = line.partition(b":")
        if not colon or not name.strip(b" \t"):
            raise BrokenMessage(f"This header line of the answer has no name and colon: {_shown(line)}.")
        headers.append((name.rstrip(b" \t"), value.strip(b" \t")))
    return tuple(headers)


def _unusual_version(protocol: bytes) -> str:
    if protocol[:7] == b"HTTP/1." and protocol[7:].isdigit() and len(protocol) == 8:
        return "1.1"
    raise BrokenMessage(f"The protocol is {_shown(protocol)}, not HTTP/1.1.")


def _shown(value: bytes) -> str:
    """The first bytes for a message; never a header's value, which may be a secret."""
    return repr(value[:40])[1:]
