"""WebSockets (RFC 6455): their opening is a GET, and what is said through them stands where other requests have a body.

opens_socket(request)     whether a request asks for one
as_opening(request)       the request with all that an opening needs, and no extension that would change its messages
asked_through(messages)   those of a client's recorded messages that only ask, one a line, as the opening's body

The body of an opening holds the client's messages, that of its answer what the server said, one a line each. A GET changes
nothing, so no message may: only those are sent that say by their kind that they ask or listen (`{"type": "subscribe"}`,
`{"action": "getRows"}`), up to the first that brings a credential, as whoever says that he is somebody is let in by it.
"""

import re
from collections.abc import Iterable, Iterator

import msgspec
import orjson

from gatecrash.core.message import Headers, Request, with_header, without_header
from gatecrash.core.testing.operations.questions import reads

_MOST_MESSAGES, _LONGEST = 5, 8 * 1024
_PROTOCOL = b"websocket"
# RFC 6455 section 4.1; the key is the example of section 1.3: it keeps caches from answering, and nothing else.
_NEEDED: Headers = (
    (b"Upgrade", _PROTOCOL),
    (b"Connection", b"Upgrade"),
    (b"Sec-WebSocket-Version", b"13"),
    (b"Sec-WebSocket-Key", b"dGhlIHNhbXBsZSBub25jZQ=="),
)
_KINDS = ("type", "action", "event", "op", "operation", "cmd", "command", "method", "kind")
# What has a server tell from now on, and what is said before anything is asked (`connection_init` of GraphQL over WebSocket).
_LISTENS = re.compile(r"sub(?:scribe)?|listen|watch|ping|hello|connection_init", re.IGNORECASE)
_SECRET = re.compile(
    rb"\"[\w-]*(?:token|auth|passw|pwd|secret|session|credential|api_?key|jwt|ticket)[\w-]*\"\s*:|eyJ", re.IGNORECASE
)
_CHANGES = re.compile(rb"\bmutation\b")


def opens_socket(request: Request) -> bool:
    """Whether it asks for a change to WebSocket."""
    upgrade = request.first(b"Upgrade")
    return upgrade is not None and upgrade.strip().lower() == _PROTOCOL and request.method.upper() == "GET"


def as_opening(request: Request) -> Request:
    """As it can be sent: exporters leave out what a browser writes by itself, and messages are read as they are."""
    headers = without_header(request.headers, b"Sec-WebSocket-Extensions")
    for name, value in _NEEDED:
        if request.first(name) is None or name in (b"Upgrade", b"Connection"):
            headers = with_header(headers, name, value)
    opening: Request = msgspec.structs.replace(request, headers=headers)
    return opening


def asked_through(messages: Iterable[bytes]) -> bytes:
    """Of each kind of message the first, at most five; nothing behind one that may be a credential."""
    return b"\n".join(dict(_asked(messages)).values())


def _asked(messages: Iterable[bytes]) -> Iterator[tuple[tuple[str, ...], bytes]]:
    kinds: set[tuple[str, ...]] = set()
    for message in messages:
        if _SECRET.search(message):
            return
        shape = _shape(message)
        if shape and shape not in kinds:
            kinds.add(shape)
            yield shape, message
        if len(kinds) == _MOST_MESSAGES:
            return


def _shape(message: bytes) -> tuple[str, ...]:
    """The kind of a message that only asks, and the names of its members; empty for every other."""
    if len(message) > _LONGEST or b"\n" in message or _CHANGES.search(message):
        return ()
    try:
        read = orjson.loads(message)
    except orjson.JSONDecodeError:
        return ()
    if not isinstance(read, dict):
        return ()
    kind = next((read[name] for name in _KINDS if isinstance(read.get(name), str)), "")
    return (kind, *read) if _LISTENS.fullmatch(kind) or reads(kind) else ()
