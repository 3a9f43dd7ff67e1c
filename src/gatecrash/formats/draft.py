"""Requests written from a description of an API: what a document of operations yields in place of captured exchanges.

A draft is an exchange without an answer whose importer wants it to be sent once, to learn what the target answers. Its
holes are the values that name things on the target; answers may teach better ones than the document could.
"""

from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from gatecrash.core.message import DEFAULT_PORTS, Exchange, Headers, Request
from gatecrash.core.point import Point
from gatecrash.core.testing.known.declared import Meant
from gatecrash.core.testing.places.left_out import LeftOut
from gatecrash.formats.capture import header_bytes, sendable, shortened

MOST_BYTES = 64 * 1024 * 1024
"""A description is read as a whole."""

DRAFTS = frozenset({"openapi", "swagger", "graphql", "wsdl", "odata", "postman", "insomnia", "curl", "http"})
"""The kinds of file that yield drafts."""


SECURED_ITSELF, SECURED_WITH_ALL = "operation", "document"
"""Whether an operation says itself that it needs credentials, or the document says so of all that say nothing else."""


class Hole(msgspec.Struct, frozen=True):
    """A value in a draft that names something on the target.

    name: the parameter's. point: where the value stands. given: the document showed the value itself. loose: it need not
    name anything; it asks for less, as a filter does, and finds something only where it is one of the values that are there.
    counted: nothing but a whole number may stand there.
    """

    name: str
    point: Point
    given: bool = False
    loose: bool = False
    counted: bool = False


class Credential(msgspec.Struct, frozen=True):
    """Where a description says that a credential goes. scheme: basic, bearer, api_key or other; word: before its value.

    guessed: whether the description tells no word, and may mean another one.
    """

    scheme: str
    point: Point
    word: str = ""
    guessed: bool = False


class Taught(msgspec.Struct, frozen=True):
    """A value that whoever saved a request keeps of its answer. name: as what. steps: the members and places that lead to it."""

    name: str
    steps: tuple[str, ...]

    def value_in(self, answer: Any) -> str | int | None:
        """The value in a JSON answer; None where it has none there."""
        for step in self.steps:
            if isinstance(answer, dict):
                answer = answer.get(step)
            elif isinstance(answer, list) and step.isdigit() and int(step) < len(answer):
                answer = answer[int(step)]
            else:
                return None
        return answer if isinstance(answer, str | int) and not isinstance(answer, bool) else None


class Draft(Exchange, frozen=True, array_like=True):
    """One request of a description. holes: what answers may fill better. wants: the credentials that it says are needed.

    spare: the same with nothing that the document calls optional; None where that is all there is. places: of what it wants.
    thing: what the document calls that which is answered, where the request's path does not say so.
    secured: which part of the document says that it needs credentials (SECURED_ITSELF, SECURED_WITH_ALL); "" where none does.
    meant: whom the operation is for by the document's words. sender: who was let in, where the first identity of a
    profile was not.
    left_out: what is optional and was refused, of a request that is answered well without. operation: whether the
    document describes what may be asked, and nobody wrote this one request. kept: whether it would delete what was
    there before, by its own words or by what answers tell, and is not sent. called: what the document calls the
    application, and the words that it has for it. taught: what is kept of its answer for others to be asked with.
    stranger: whether it is kept because it would change an account that was there before.
    """

    holes: tuple[Hole, ...] = ()
    wants: tuple[str, ...] = ()
    spare: Request | None = None
    places: tuple[Credential, ...] = ()
    thing: str = ""
    secured: str = ""
    meant: Meant | None = None
    sender: str = ""
    left_out: tuple[LeftOut, ...] = ()
    operation: bool = False
    kept: bool = False
    called: tuple[str, ...] = ()
    taught: tuple[Taught, ...] = ()
    stranger: bool = False


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Draft, dec_hook=lambda kind, value: kind(value))  # points


def packed(draft: Draft) -> bytes:
    """The draft with all that it is, for where exchanges alone are known."""
    return _encoder.encode(draft)


def sender_of(exchange: Exchange) -> str:
    """Which identity a described request is sent as; empty for the first, and for what was recorded."""
    return exchange.sender if isinstance(exchange, Draft) else ""


def is_of_a_stranger(exchange: Exchange) -> bool:
    """Whether it is described, and is not sent because of whose account it would change."""
    return isinstance(exchange, Draft) and exchange.stranger


def is_kept(exchange: Exchange) -> bool:
    """Whether it is described, and is not sent."""
    return isinstance(exchange, Draft) and exchange.kept


def is_of_a_page(exchange: Exchange) -> bool:
    """Whether it is a form or a call that a page of a site offers, and nobody wrote or sent it: it says where it stood (RFC 9110
    section 10.1.3), as no description does.
    """
    return isinstance(exchange, Draft) and exchange.operation and exchange.request.first(b"Referer") is not None


def left_out_of(exchange: Exchange) -> tuple[LeftOut, ...]:
    """The optional parameters that a described request goes without; none of what was recorded."""
    return exchange.left_out if isinstance(exchange, Draft) else ()


def unpacked(packed_draft: bytes) -> Draft:
    """The draft again, also of what was stored as an exchange: a draft without holes. Raises msgspec.DecodeError."""
    return _decoder.decode(packed_draft)


class Server(msgspec.Struct, frozen=True):
    """Where a description says its operations are; host is empty where it does not say. path: before every operation's."""

    scheme: str = "http"
    host: str = ""
    port: int = 80
    path: str = ""

    @property
    def authority(self) -> str:
        """As a Host header writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if DEFAULT_PORTS[self.scheme] == self.port else f"{host}:{self.port}"


def server_of(address: str) -> Server:
    """An absolute address, or a path without a host. Raises ValueError with what is wrong."""
    parts = urlsplit(address, allow_fragments=False)
    path = parts.path.rstrip("/")
    if not parts.netloc and not parts.scheme:
        return Server(path=path if not path or path.startswith("/") else "/" + path)
    scheme = parts.scheme.lower() or "http"
    if scheme not in DEFAULT_PORTS or scheme.startswith("ws"):
        raise ValueError(f"the server {shortened(address)} is not http or https")
    if not parts.hostname:
        raise ValueError(f"the server {shortened(address)} names no host")
    return Server(scheme, parts.hostname, parts.port or DEFAULT_PORTS[scheme], path)


def request_to(
    server: Server, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
) -> Request:
    """A request to the server. target: path and query, percent-encoded already, behind the server's own path.

    Raises ValueError where its method or a header cannot be sent.
    """
    written: Headers = tuple((header_bytes(name), header_bytes(value)) for name, value in headers)
    if server.host:
        written = ((b"Host", server.authority.encode("idna" if not server.authority.isascii() else "ascii")), *written)
    if body:
        written = (*written, (b"Content-Length", str(len(body)).encode()))
    whole = server.path + (target if target.startswith("/") else "/" + target)
    request = Request(
        method=method,
        target=quote(whole, safe="/?&=%:@!$'()*+,;~-._[]", errors="surrogateescape").encode(),
        headers=written,
        body=body,
        scheme=server.scheme,
        host=server.host,
        port=server.port,
    )
    return sendable(request)


def path_holes(target: str, before: str, values: Iterable[tuple[str, str, bool]]) -> tuple[Hole, ...]:
    """The holes of a path template: those segments that are one parameter and nothing else.

    target: the template, as `/users/{user_id}`. before: the server's path. values: name, marked form, and whether given.
    """
    segments = (before + target).partition("?")[0][1:].split("/")
    return tuple(
        Hole(name, Point(("path", str(segments.index(marked)))), given)
        for name, marked, given in values
        if marked in segments
    )


def query(pairs: Iterable[tuple[str, str]]) -> str:
    """A query with its question mark; empty without any pair."""
    written = urlencode(list(pairs), quote_via=quote, safe="")
    return f"?{written}" if written else ""


def names_a_thing(name: str) -> bool:
    """Whether a parameter's name says that its value names something on the target: `id`, `user_id`, `orderId`, `uuid`, `dog_no`."""
    lower = name.lower()
    return lower in _NAMING or name.endswith(("_id", "Id", "ID", "-id", "_uuid", "Uuid", "_guid", "_slug", "_no"))


_NAMING = frozenset({"id", "uuid", "guid", "slug", "_id", "oid"})
