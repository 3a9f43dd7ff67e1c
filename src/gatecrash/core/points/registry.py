"""All codecs in order. Adding one: its file in formats/, its line here, its test file, the changelog."""

import re
from typing import Final

from gatecrash.core.message import Request
from gatecrash.core.points.codec import Codec
from gatecrash.core.points.formats.base64 import BASE64
from gatecrash.core.points.formats.cookie import COOKIE
from gatecrash.core.points.formats.csv import CSV
from gatecrash.core.points.formats.form import FORM
from gatecrash.core.points.formats.graphql import GRAPHQL
from gatecrash.core.points.formats.grpc import GRPC, GRPC_TEXT
from gatecrash.core.points.formats.gzip import DEFLATE, GZIP
from gatecrash.core.points.formats.header import HEADER
from gatecrash.core.points.formats.json import JSON, JSON_LINES
from gatecrash.core.points.formats.jwt import JWT
from gatecrash.core.points.formats.list import LIST
from gatecrash.core.points.formats.literal import LITERAL
from gatecrash.core.points.formats.msgpack import MESSAGE_PACK
from gatecrash.core.points.formats.multipart import Multipart, boundary_of
from gatecrash.core.points.formats.path import ACTION, PATH, URI
from gatecrash.core.points.formats.percent import PERCENT
from gatecrash.core.points.formats.query import QUERY
from gatecrash.core.points.formats.xml import XML
from gatecrash.core.points.formats.zip import ZIP

# What reads the request target, in the order in which points are listed.
TARGET: Final[tuple[Codec, ...]] = (URI, PATH, ACTION, QUERY)

# What reads headers: every one whole, and Cookie besides.
HEADERS: Final[tuple[Codec, ...]] = (HEADER, COOKIE)

# What may be found inside a value, tried in this order; a value has one reading.
INSIDE: Final[tuple[Codec, ...]] = (GZIP, ZIP, GRAPHQL, JSON_LINES, JSON, JWT, XML, FORM, BASE64, PERCENT, CSV)

SHORTEST: Final = 7  # nothing shorter is clear: `{"a":1}`; but for a padded word, `MQ==`
PAD: Final = b"="
_BY_FIRST_BYTE: Final[tuple[tuple[Codec, ...], ...]] = tuple(
    tuple(codec for codec in INSIDE if byte in codec.first_bytes) for byte in range(256)
)
# Never guessed, and read where a point names them.
_BY_STEP: Final[dict[str, Codec]] = {codec.step: codec for codec in (*INSIDE, LIST, LITERAL, MESSAGE_PACK, GRPC)}
_CODINGS: Final[dict[bytes, Codec]] = {b"gzip": GZIP, b"x-gzip": GZIP, b"deflate": DEFLATE}

_MEDIA: Final = re.compile(rb"[ \t]*+([^;, \t]*+)")
_JSON_START: Final = re.compile(rb"[ \t\r\n]*+[{\[]")
_XML_START: Final = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+<[?A-Za-z]")
_FORM_START: Final = re.compile(rb"[\w.\-\[\]%]++=", re.ASCII)
_LINES: Final = frozenset(
    {
        b"application/x-ndjson",
        b"application/ndjson",
        b"application/jsonl",
        b"application/x-jsonlines",
        b"application/jsonlines",
    }
)
_PACKED: Final = frozenset({b"application/msgpack", b"application/x-msgpack", b"application/vnd.msgpack"})
# gRPC over HTTP2 (Content-Type), gRPC-Web; messages of other kinds than Protocol Buffers' say so (`+json`).
_FRAMED: Final = re.compile(rb"application/grpc(?:-web(?P<text>-text)?)?(?:\+proto)?")
_TABLES: Final = frozenset({b"text/csv", b"application/csv", b"text/tab-separated-values"})
# Types that say nothing: what is sent where nobody thought of one.
_UNSAID: Final = frozenset({b"", b"text/plain", b"application/octet-stream"})
# What a body of a type unknown here may be by its looks (`application/json-rpc`, `application/x-amz-json-1.1`).
_TOLD_BY_LOOKS: Final = frozenset({JSON_LINES, JSON, XML, FORM, CSV})


def inside(step: str) -> Codec | None:
    """The codec that a point's step names, inside a value."""
    return _BY_STEP.get(step)


def guess(value: bytes) -> Codec | None:
    """The codec whose encoding a value clearly has; None for nearly all values."""
    if len(value) < SHORTEST:
        return BASE64 if value.endswith(PAD) and BASE64.looks(value) else None
    for codec in _BY_FIRST_BYTE[value[0]]:
        if codec.looks(value):
            return codec
    return None


def coding(request: Request) -> tuple[str, Codec | None]:
    """The body's content coding: its name ("" for none), and what reads it (None where nothing of ours does)."""
    named = b",".join(request.all(b"content-encoding")).strip().lower()
    if named in (b"", b"identity"):
        return "", None
    return named.decode("ascii", "backslashreplace"), _CODINGS.get(named)


def body_codecs(request: Request, body: bytes) -> tuple[tuple[Codec, bool], ...]:
    """What may read the decoded body, the first that can does; and whether the request declares it so.

    The Content-Type decides. Where it says nothing or what nobody here knows, or says form (every client's habit) over
    what is JSON, the first bytes decide; a body that then cannot be read is no malformed one, but one of another kind.
    """
    declared = request.first(b"content-type") or b""
    match = _MEDIA.match(declared)
    media = match[1].lower() if match else b""
    if media == b"multipart/form-data":
        boundary = boundary_of(declared)
        return ((Multipart(boundary), True),) if boundary else ()
    if media == b"application/x-www-form-urlencoded":
        return ((JSON, False), (FORM, True)) if _JSON_START.match(body) else ((FORM, True),)
    if media.endswith((b"/json", b"+json")):
        return ((JSON_LINES, True),) if JSON_LINES.looks(body) else ((JSON, True),)
    if media in _LINES:
        return ((JSON_LINES, True),)
    if media in _PACKED:
        return ((MESSAGE_PACK, True),)
    if (framed := _FRAMED.fullmatch(media)) is not None:
        return ((GRPC_TEXT if framed["text"] else GRPC, True),)
    if media in _TABLES:
        return ((CSV, True),)
    if media == b"application/graphql":
        return ((GRAPHQL, True),)
    if media.endswith((b"/xml", b"+xml")):
        return ((XML, True),)
    return _sniffed(body) if media in _UNSAID else _looking(body)


def _looking(body: bytes) -> tuple[tuple[Codec, bool], ...]:
    """As any value would be read, so that what is found in the body can be written there, too."""
    codec = guess(body)
    return ((codec, False),) if codec in _TOLD_BY_LOOKS else ()


def _sniffed(body: bytes) -> tuple[tuple[Codec, bool], ...]:
    if _JSON_START.match(body):
        return ((JSON_LINES, False),) if JSON_LINES.looks(body) else ((JSON, False),)
    if _XML_START.match(body):
        return ((XML, False),)
    return ((FORM, False),) if _FORM_START.match(body) else ()
