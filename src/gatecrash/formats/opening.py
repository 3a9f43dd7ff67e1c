"""Which reader a capture wants: found by looking at its first bytes, never by the file's name."""

import gzip
import io
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from decimal import InvalidOperation
from typing import BinaryIO, NamedTuple, cast

import ijson

from gatecrash.core.message import Exchange
from gatecrash.formats.capture import LineReader, Malformed, Reader, UnreadableCapture
from gatecrash.formats.descriptions import graphql_schema, graphql_sdl, odata, openapi, swagger, wsdl
from gatecrash.formats.draft import DRAFTS
from gatecrash.formats.saved import curl, http_file, insomnia, postman
from gatecrash.formats.traffic import envoy_log, har, jsonl, nginx_log, proxy_xml

_GZIP = b"\x1f\x8b"
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LOOK = 64 * 1024


# Logs that may still grow, by kind.
LINE_READERS: dict[str, LineReader] = {
    "nginx": nginx_log.exchange,
    "envoy": envoy_log.exchange,
    "jsonl": jsonl.exchange,
}
# Logs show only the headers that their format names.
LOGS = frozenset({"nginx", "envoy"})


class Capture(NamedTuple):
    """A capture whose kind is known: "har", "xml", "jsonl", "nginx" or "envoy", and its items, read as they are asked for.

    blind: a log whose format names neither an Authorization header nor cookies, so that nothing can be said.
    drafted: no traffic but a description ("openapi", "swagger", "graphql", "wsdl", "odata", "postman", "insomnia",
    "curl", "http"), whose items are drafts.
    """

    kind: str
    items: Iterator[Exchange | Malformed]
    blind: bool = False

    @property
    def drafted(self) -> bool:
        """Whether nothing in it was ever sent."""
        return self.kind in DRAFTS


def opened(stream: BinaryIO) -> Capture:
    """A capture of any known kind, gzipped or not.

    Raises UnreadableCapture where the kind is not known; reading the items raises it where the data breaks off.
    """
    looked = io.BufferedReader(cast("io.RawIOBase", stream), _LOOK) if not hasattr(stream, "peek") else stream
    with _broken_off():
        plain = _unzipped(looked)
        if plain.peek(3)[:3] == _BYTE_ORDER_MARK:
            plain.read(3)
        beginning = plain.peek(_LOOK)[:_LOOK]
        kind, reader = _reader(beginning)
    return Capture(kind, _guarded(reader(cast("BinaryIO", plain))), kind in LOGS and is_blind(beginning))


def kind_of(beginning: bytes) -> str:
    """The kind of capture that begins so.

    Raises UnreadableCapture.
    """
    return _reader(beginning)[0]


def is_blind(beginning: bytes) -> bool:
    """Whether a log's first line has no field for the credentials that are most in use."""
    keys = _first_line(beginning).lower()
    return b"authorization" not in keys and b"cookie" not in keys


def _guarded(items: Iterator[Exchange | Malformed]) -> Iterator[Exchange | Malformed]:
    """The items, errors of decompression named as the file's."""
    with _broken_off():
        yield from items


@contextmanager
def _broken_off() -> Iterator[None]:
    """Name errors of decompression as what they are: the file's."""
    try:
        yield
    except (EOFError, OSError, zlib.error) as error:
        raise UnreadableCapture(f"The compressed capture is broken: {error}") from error


def _unzipped(stream: "BinaryIO | io.BufferedReader") -> io.BufferedReader:
    """The stream itself, or what it holds where it is gzipped."""
    buffered = cast("io.BufferedReader", stream)
    if buffered.peek(2)[:2] != _GZIP:
        return buffered
    return io.BufferedReader(cast("io.RawIOBase", gzip.GzipFile(fileobj=buffered)), _LOOK)


def _reader(beginning: bytes) -> tuple[str, Reader]:
    """The reader for what begins so."""
    text = beginning.lstrip()
    for kind, fits, reader in _KINDS:
        if fits(text):
            return kind, reader
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise UnreadableCapture("The capture is written in UTF-16. Save it as UTF-8.")
    shown = text[:40].decode("utf-8", "replace")
    raise UnreadableCapture(
        f"The capture begins with {shown!r}: neither HAR nor JSON lines, a JSON access log of nginx or Envoy, "
        "OpenAPI, Swagger, a GraphQL schema, WSDL, OData, a Postman collection, an Insomnia export, curl commands, requests as text "
        "nor a proxy's XML."
        if text
        else "The capture is empty."
    )


def _is_openapi(text: bytes) -> bool:
    """A member `openapi` at the top; sorted documents begin with their components, which may be long."""
    return _has_member(text, "openapi") or {"components"} <= _top_members(text) <= _OPENAPI_MEMBERS


def _is_swagger(text: bytes) -> bool:
    """A member `swagger` at the top, or members that only 2.0 has."""
    members = _top_members(text)
    return _has_member(text, "swagger") or bool(members & {"basePath", "definitions"} and members <= _SWAGGER_MEMBERS)


def _is_postman(text: bytes) -> bool:
    """A collection: its items beside its facts, or wrapped once more as Postman's API gives it."""
    members = _top_members(text)
    return {"info", "item"} <= members or "collection" in members or (members == {"info"} and b"_postman_id" in text)


def _is_graphql(text: bytes) -> bool:
    """The answer to an introspection query, or what it holds alone."""
    members = _top_members(text)
    answered = {"data"} <= members <= {"data", "errors", "extensions", "endpoint", "pages", "untold", "suggested"}
    return b'"__schema"' in text and (answered or "__schema" in members)


def _is_wsdl(text: bytes) -> bool:
    """An XML document whose first element defines a service."""
    return text.startswith(b"<") and _DEFINITIONS.search(text) is not None and wsdl.NAMESPACE.encode() in text


def _is_odata(text: bytes) -> bool:
    """An XML document whose first element holds the schemas of an OData service."""
    return odata.BEGINS.match(text) is not None


def _is_insomnia(text: bytes) -> bool:
    """An export of format 4, which says so, or a document of format 5, whose first member does."""
    if text.startswith(b"{"):
        return {"__export_format"} <= _top_members(text) or b'"collection.insomnia.rest/' in text[:200]
    return re.match(rb"type:\s*[\"']?collection\.insomnia\.rest/", text) is not None


def _is_xml(text: bytes) -> bool:
    """An XML document whose first element holds items."""
    return text.startswith(b"<") and _ITEMS.search(text) is not None


def _is_http(text: bytes) -> bool:
    """The line of a request, in capital letters."""
    return http_file.begins(text.decode("utf-8", "replace"))


def _is_curl(text: bytes) -> bool:
    """A line that calls curl."""
    return not text.startswith(b"{") and _CURL.search(text) is not None


# The first element, behind comments and instructions.
_DEFINITIONS = re.compile(rb"\A(?:<\?.*?\?>|<!--.*?-->|\s++)*+<(?:[\w.-]+:)?definitions\s", re.DOTALL)
_ITEMS = re.compile(rb"\A(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE\s+items\s*+\[.*?\]>|\s++)*+<items[\s>]", re.DOTALL)
_CURL = re.compile(rb"^[^\S\n]*+(?:[$>%][^\S\n]++)?(?:\w++=\S*+[^\S\n]++)*+curl(?:\.exe)?\s", re.MULTILINE)
_OPENAPI_MEMBERS = frozenset(
    ("components", "externalDocs", "info", "jsonSchemaDialect", "paths", "security", "servers", "tags", "webhooks")
)
_SWAGGER_MEMBERS = frozenset(
    [
        "basePath",
        "consumes",
        "definitions",
        "externalDocs",
        "host",
        "info",
        "parameters",
        "paths",
        "produces",
        "responses",
        "schemes",
        "security",
        "securityDefinitions",
        "tags",
    ]
)


def _has_member(text: bytes, name: str) -> bool:
    """Whether a JSON or YAML document has this member at its top."""
    if text.startswith(b"{"):
        return name in _top_members(text)
    return re.search(rb"^[\"']?" + name.encode() + rb"[\"']?\s*:", text, re.MULTILINE) is not None


def _top_members(text: bytes) -> set[str]:
    """The members of the first object, as far as its beginning shows them."""
    found: set[str] = set()
    if text.startswith(b"{"):
        # Cut off after its beginning, a second line begins, or an exponent beyond any number.
        with suppress(ijson.JSONError, UnicodeDecodeError, InvalidOperation):
            depth = 0
            # Without ijson's prefixes: they grow with each level, and thousands of them took minutes to write.
            for event, value in ijson.basic_parse(text):
                depth += _STEPS.get(event, 0)
                if depth == 1 and event == "map_key":
                    found.add(value)
    return found


_STEPS = {"start_map": 1, "start_array": 1, "end_map": -1, "end_array": -1}


def _is_har(text: bytes) -> bool:
    """One object whose first member is the log; other members may come first, so any early `"log":` on no full line counts."""
    return text.startswith(b"{") and b'"log"' in text and b'"url"' not in text.partition(b'"log"')[0]


def _is_jsonl(text: bytes) -> bool:
    """Each line is an object."""
    return text.startswith(b"{")


def _is_nginx(text: bytes) -> bool:
    """An object whose keys are nginx's variables, on a line of its own."""
    line = _first_line(text)
    return line.startswith(b"{") and (
        b'"request_uri"' in line or b'"request_method"' in line or (b'"request"' in line and b'"status"' in line)
    )


def _is_envoy(text: bytes) -> bool:
    """An object with Envoy's name for a status, on a line of its own."""
    line = _first_line(text)
    return line.startswith(b"{") and b'"response_code"' in line and b'"path"' in line


def _first_line(text: bytes) -> bytes:
    return text.lstrip().partition(b"\n")[0]


_KINDS: tuple[tuple[str, Callable[[bytes], bool], Reader], ...] = (
    ("openapi", _is_openapi, openapi.read),
    ("swagger", _is_swagger, swagger.read),
    ("graphql", _is_graphql, graphql_schema.read),
    ("graphql", graphql_sdl.fits, graphql_sdl.read),
    ("wsdl", _is_wsdl, wsdl.read),
    ("odata", _is_odata, odata.read),
    ("postman", _is_postman, postman.read),
    ("insomnia", _is_insomnia, insomnia.read),
    ("xml", _is_xml, proxy_xml.read),
    ("http", _is_http, http_file.read),
    ("curl", _is_curl, curl.read),
    ("har", _is_har, har.read),
    ("nginx", _is_nginx, nginx_log.read),
    ("envoy", _is_envoy, envoy_log.read),
    ("jsonl", _is_jsonl, jsonl.read),
)
