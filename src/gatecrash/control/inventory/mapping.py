"""Between the wire's counts and rows: names made storable, digests, sums by key."""

import hashlib
from collections.abc import Iterable
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
    refused = count.refused or 0
    numbers = (count.hour, count.requests, count.first_seen, count.last_seen, *(number for _, number in count.statuses))
    if not all(0 <= number < MAX_COUNT for number in numbers):
        raise ProtocolMismatch("a count is negative or impossibly large")
    if not (0 <= count.authenticated <= count.requests and 0 <= refused <= count.requests):
        raise ProtocolMismatch("an endpoint has more authenticated or refused requests than requests")
    if not 0 <= (count.authenticated_refused or 0) <= min(count.authenticated, refused):
        raise ProtocolMismatch("an endpoint has more authenticated refused requests than authenticated or refused ones")
    spans: tuple[WithoutCount | NoteCount, ...] = (*count.without[:MOST_WITHOUT], *count.notes[:MOST_NOTES])
    if not all(0 <= item.requests <= count.requests and _is_moment(item.first_seen, item.last_seen) for item in spans):
        raise ProtocolMismatch(
            "a client without credentials, or a weakness, was seen more often than there were requests"
        )
    if not all(0 <= item.valid <= item.seen <= count.requests for item in count.parameters):
        raise ProtocolMismatch(
            "a parameter was seen in more requests than there were, or valid in more than it was seen"
        )


def _is_moment(*seconds: int) -> bool:
    return all(0 <= second < MAX_COUNT for second in seconds)


def name(count: EndpointCount) -> Name:
    """What names the endpoint within its client: protocol, method, host, path template and operation, made storable."""
    return (
        _storable(count.protocol, MAX_TYPE),
        _storable(count.method, MAX_METHOD),
        _storable(count.host.lower(), MAX_HOST),
        _storable(count.path, MAX_PATH),
        _storable(count.operation, MAX_OPERATION) if count.operation else "",
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
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def point_digest(point: Point) -> str:
    """What makes a configured point the same as another: header names are in capitals already."""
    return digest(list(point))


def endpoint_sums(counts: Iterable[tuple[Key, EndpointCount]], *, detection: bool) -> dict[Key, list[int]]:
    """The columns of `schema.COUNTS` by key; rows of the same key are added."""
    sums: dict[Key, list[int]] = {}
    for key, count in counts:
        _add(sums, key, _columns(count, detection=detection))
    return sums


def _columns(count: EndpointCount, *, detection: bool) -> list[int]:
    """A node without detection tells nothing of shares: its requests stand apart (contract 9.2)."""
    classes = dict.fromkeys(range(1, STATUS_CLASSES + 1), 0)
    for status, number in count.statuses:
        if status in classes:
            classes[status] += number
    if not detection:
        return [0, 0, 0, 0, 0, count.requests, *classes.values()]
    answered = 0 if count.refused is None else count.requests
    refused = (count.refused or 0, count.authenticated_refused or 0)
    return [count.requests, count.authenticated, answered, *refused, 0, *classes.values()]


def _add(sums: dict[Key, list[int]], key: Key, values: list[int]) -> None:
    known = sums.get(key)
    if known is None:
        sums[key] = values
    else:
        sums[key] = [ours + theirs for ours, theirs in zip(known, values, strict=True)]


def _storable(text: str, most: int) -> str:
    """The text as every database takes it: PostgreSQL refuses NUL in text."""
    return text[:most].replace("\x00", "\ufffd")
