"""Between the wire's counts and rows: names made storable, digests, sums by key."""

import hashlib
from collections.abc import Iterable, Sequence
from functools import lru_cache

import msgspec

from gatecrash.control.inventory.bulk import Key
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.errors import ProtocolMismatch
from gatecrash.core.point import Point
from gatecrash.wire.counts import (
    MOST_NOTES,
    MOST_WITHOUT,
    Counts,
    EndpointCount,
    NoteCount,
    ParameterCount,
    WithoutCount,
)

MAX_METHOD = 64
MAX_HOST = 300
MAX_PATH = 4096
MAX_SPOOL = 128
MAX_TYPE = 16
MAX_KIND = 32
MAX_OPERATION = 300
MAX_COUNT = 2**53
STATUS_CLASSES = 5

_encode = msgspec.json.Encoder().encode
_sha256 = hashlib.sha256
_LONGEST = (MAX_TYPE, MAX_METHOD, MAX_HOST, MAX_PATH, MAX_OPERATION)

# An endpoint's protocol, method, host, path template and operation.
Name = tuple[str, str, str, str, str]
# A credential's type, or a weakness's kind, and its point.
CredentialName = tuple[str, tuple[str, ...]]

# Stored numbers: never renumbered, only appended to.
TYPE_BITS = {item.value: 1 << place for place, item in enumerate(AuthType)}
STATUSES = (None, "missing", "partial", "consistent")
UNCOUNTED = -1
DOCUMENT_STATES = (None, "documented", "shadow")
DOCUMENTED, SHADOW = 1, 2


def check(batch: Counts) -> None:
    """Raise ProtocolMismatch where a batch holds numbers that no node counts, before any of it is applied."""
    if len(batch.spool) > MAX_SPOOL or not 0 <= batch.sequence < MAX_COUNT or "\x00" in batch.spool:
        raise ProtocolMismatch("the batch's spool or sequence cannot be one")
    for endpoint in batch.endpoints:
        _check_endpoint(endpoint)


def _check_endpoint(count: EndpointCount) -> None:
    """Plain comparisons: a batch holds 50,000 of these, and generators would double its cost."""
    requests, refused = count.requests, count.refused or 0
    if not (0 <= count.hour < MAX_COUNT and 0 <= requests < MAX_COUNT):
        raise ProtocolMismatch("a count is negative or impossibly large")
    if not (0 <= count.first_seen < MAX_COUNT and 0 <= count.last_seen < MAX_COUNT):
        raise ProtocolMismatch("a time is negative or impossibly large")
    if not (0 <= count.authenticated <= requests and 0 <= refused <= requests):
        raise ProtocolMismatch("an endpoint has more authenticated or refused requests than requests")
    if count.authenticated_refused and not 0 < count.authenticated_refused <= min(count.authenticated, refused):
        raise ProtocolMismatch("an endpoint has more authenticated refused requests than authenticated or refused ones")
    for _, number in count.statuses:
        if not 0 <= number < MAX_COUNT:
            raise ProtocolMismatch("a count of answers is negative or impossibly large")
    for item in count.parameters:
        if not 0 <= item.valid <= item.seen <= requests:
            raise ProtocolMismatch(
                "a parameter was seen in more requests than there were, or valid in more than it was seen"
            )
    for client in count.without[:MOST_WITHOUT]:
        _check_span(client, requests)
    for note in count.notes[:MOST_NOTES]:
        _check_span(note, requests)


def _check_span(item: WithoutCount | NoteCount, requests: int) -> None:
    if not 0 <= item.requests <= requests:
        raise ProtocolMismatch(
            "a client without credentials, or a weakness, was seen more often than there were requests"
        )
    if not (0 <= item.first_seen < MAX_COUNT and 0 <= item.last_seen < MAX_COUNT):
        raise ProtocolMismatch("a time is negative or impossibly large")


def name(count: EndpointCount) -> Name:
    """What names the endpoint within its client: protocol, method, host, path template and operation, made storable."""
    found = (count.protocol, count.method, count.host.lower(), count.path, count.operation)
    if _is_storable(*found):
        return found
    protocol, method, host, path, operation = map(_storable, found, _LONGEST)
    return protocol, method, host, path, operation


def _is_storable(protocol: str, method: str, host: str, path: str, operation: str) -> bool:
    """Written out, for 50,000 come at once."""
    return (
        len(protocol) <= MAX_TYPE
        and len(method) <= MAX_METHOD
        and len(host) <= MAX_HOST
        and len(path) <= MAX_PATH
        and len(operation) <= MAX_OPERATION
        and "\x00" not in f"{protocol}{method}{host}{path}{operation}"
    )


def name_digest(name: Name) -> str:
    """What the endpoint's row is found by; without an operation, the digest of the four other parts."""
    return digest(name if name[4] else name[:4])


def credential_name(count: ParameterCount | NoteCount) -> CredentialName:
    """What names a credential, or a weakness, on any endpoint: type or kind, and point."""
    kind = count.type if isinstance(count, ParameterCount) else count.kind
    return _credential_name(kind, count.point)


@lru_cache(maxsize=4096)
def _credential_name(kind: str, point: tuple[str, ...]) -> CredentialName:
    """The same few names come with every endpoint of a batch."""
    return _storable(kind, MAX_KIND), tuple(_storable(step, MAX_PATH) for step in point)


def digest(parts: object) -> str:
    """A digest of names that keeps their borders."""
    return _sha256(_encode(parts)).hexdigest()


def point_digest(point: Point) -> str:
    """What makes a configured point the same as another: header names are in capitals already."""
    return digest(list(point))


def endpoint_sums(counts: Iterable[tuple[Key, EndpointCount]], *, detection: bool) -> dict[Key, Sequence[int]]:
    """The columns of `schema.COUNTS` by key; rows of the same key are added."""
    sums: dict[Key, Sequence[int]] = {}
    for key, count in counts:
        known = sums.get(key)
        values = _columns(count) if detection else _undetected(count)
        sums[key] = values if known is None else tuple(map(int.__add__, known, values))
    return sums


def _columns(count: EndpointCount) -> tuple[int, ...]:
    requests, refused = count.requests, count.refused
    answered = (0, 0, 0) if refused is None else (requests, refused, count.authenticated_refused or 0)
    return (requests, count.authenticated, *answered, 0, *_classes(count))


def _undetected(count: EndpointCount) -> tuple[int, ...]:
    """A node without detection tells nothing of shares: its requests stand apart (contract 9.2)."""
    return (0, 0, 0, 0, 0, count.requests, *_classes(count))


def _classes(count: EndpointCount) -> list[int]:
    """Requests by the class of their answer, 1 to 5."""
    classes = [0] * (STATUS_CLASSES + 1)
    for status, number in count.statuses:
        if 1 <= status <= STATUS_CLASSES:
            classes[status] += number
    return classes[1:]


def _storable(text: str, most: int) -> str:
    """The text as every database takes it: PostgreSQL refuses NUL in text."""
    return text[:most].replace("\x00", "\ufffd")
