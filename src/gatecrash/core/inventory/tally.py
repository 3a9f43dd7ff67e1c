"""The numbers that are kept of an endpoint and an hour: what a node reports, and how it grows. No value is in here."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import msgspec

from gatecrash.core.auth.recogniser import Recognised
from gatecrash.core.auth.scheme import AuthType
from gatecrash.core.inventory.agents import OTHER
from gatecrash.core.inventory.endpoint import EndpointKey
from gatecrash.core.inventory.notes import Note, NoteKind
from gatecrash.core.point import Point

REFUSED_STATUSES = frozenset({401, 403})
MOST_WITHOUT = 20
MOST_NOTES = 50
_UNKNOWN = 0
_WORST_CLASS = 5


class ParameterTally(msgspec.Struct, frozen=True, array_like=True):
    """One parameter of one endpoint in one hour: in how many requests it was seen, and in how many it was valid.

    unproven: it last came as a session that nobody proved, so it is listed and not counted (core/auth/sessions.py).
    """

    type: AuthType
    point: Point
    seen: int
    valid: int
    unproven: bool = False


class WithoutTally(msgspec.Struct, frozen=True, array_like=True):
    """Requests without a valid credential from one family of clients, by the class of their answers (0: unknown)."""

    family: str
    status: int
    requests: int
    first_seen: int
    last_seen: int


class NoteTally(msgspec.Struct, frozen=True, array_like=True):
    """Requests that showed one weakness at one point."""

    kind: NoteKind
    point: Point
    requests: int
    first_seen: int
    last_seen: int


class EndpointHour(msgspec.Struct, frozen=True, array_like=True):
    """One endpoint in one hour, as the node reports it.

    hour: UNIX seconds divided by 3600, floored. authenticated: requests with at least one valid value.
    refused: answered 401 or 403; None where no answer was known. statuses: (status class 1 to 5, requests).
    authenticated_refused: the authenticated among the refused. without: at most 20 rows, the rest in one of `other`.
    """

    hour: int
    key: EndpointKey
    requests: int
    authenticated: int
    refused: int | None
    first_seen: int
    last_seen: int
    parameters: tuple[ParameterTally, ...] = ()
    statuses: tuple[tuple[int, int], ...] = ()
    authenticated_refused: int | None = None
    without: tuple[WithoutTally, ...] = ()
    notes: tuple[NoteTally, ...] = ()


class Seen(NamedTuple):
    """What is counted of one exchange; no value of it. status: None where no answer is known. family: the client's."""

    method: str
    host: str
    path: bytes
    second: int
    status: int | None
    found: tuple[Recognised, ...]
    authenticated: bool
    family: str = OTHER
    notes: tuple[Note, ...] = ()
    protocol: str = "rest"
    operations: tuple[str, ...] = ("",)


_Key = TypeVar("_Key", tuple[str, int], Note)


class Tally:
    """Counts that still grow."""

    __slots__ = (
        "authenticated",
        "authenticated_refused",
        "first",
        "last",
        "notes",
        "parameters",
        "refused",
        "requests",
        "statuses",
        "without",
    )

    def __init__(self, second: int) -> None:
        """Begin at that UNIX second."""
        self.requests = 0
        self.authenticated = 0
        self.refused: int | None = None
        self.authenticated_refused = 0
        self.first = self.last = second
        self.parameters: dict[tuple[AuthType, Point], list[int]] = {}
        self.statuses: dict[int, int] = {}
        # Each: requests, first second, last second.
        self.without: dict[tuple[str, int], list[int]] = {}
        self.notes: dict[Note, list[int]] = {}

    def add(self, seen: Seen) -> None:
        """Count one exchange."""
        second, status = seen.second, seen.status
        self.requests += 1
        self.first = min(second, self.first)
        self.last = max(second, self.last)
        for credential in seen.found:
            numbers = self.parameters.setdefault((credential.type, credential.point), [0, 0, 0])
            numbers[0] += 1
            numbers[1] += credential.valid
            # A placeholder says nothing of the session, so only what looks well-formed speaks.
            if credential.valid or credential.unproven:
                numbers[2] = credential.unproven
        kind = _UNKNOWN
        if status is not None:
            kind = status // 100
            self.statuses[kind] = self.statuses.get(kind, 0) + 1
            refused = status in REFUSED_STATUSES
            self.refused = (self.refused or 0) + refused
            self.authenticated_refused += refused and seen.authenticated
        if seen.authenticated:
            self.authenticated += 1
        else:
            known = kind if kind <= _WORST_CLASS else _UNKNOWN
            _grow(self.without, (seen.family, known), (OTHER, _UNKNOWN), MOST_WITHOUT, (1, second, second))
        for note in seen.notes:
            _grow(self.notes, note, None, MOST_NOTES, (1, second, second))

    def merge(self, other: "Tally") -> None:
        """Take over what another one counted."""
        self.requests += other.requests
        self.authenticated += other.authenticated
        self.authenticated_refused += other.authenticated_refused
        if other.refused is not None:
            self.refused = (self.refused or 0) + other.refused
        newer = other.last >= self.last
        self.first, self.last = min(self.first, other.first), max(self.last, other.last)
        for parameter, (seen, valid, unproven) in other.parameters.items():
            numbers = self.parameters.setdefault(parameter, [0, 0, unproven])
            numbers[0] += seen
            numbers[1] += valid
            if newer and (valid or unproven):
                numbers[2] = unproven
        for status, count in other.statuses.items():
            self.statuses[status] = self.statuses.get(status, 0) + count
        for who, row in other.without.items():
            _grow(self.without, who, (OTHER, _UNKNOWN), MOST_WITHOUT, row)
        for note, row in other.notes.items():
            _grow(self.notes, note, None, MOST_NOTES, row)

    def report(self, hour: int, key: EndpointKey) -> EndpointHour:
        """The counts as they are reported."""
        return EndpointHour(
            hour,
            key,
            self.requests,
            self.authenticated,
            self.refused,
            self.first,
            self.last,
            tuple(
                ParameterTally(kind, point, seen, valid, bool(unproven))
                for (kind, point), (seen, valid, unproven) in self.parameters.items()
            ),
            tuple(sorted(self.statuses.items())),
            None if self.refused is None else self.authenticated_refused,
            tuple(WithoutTally(family, status, *row) for (family, status), row in self.without.items()),
            tuple(NoteTally(kind, point, *row) for (kind, point), row in self.notes.items()),
        )


def _grow(rows: dict[_Key, list[int]], key: _Key, overflow: _Key | None, most: int, by: Sequence[int]) -> None:
    """Add to a row; where there are too many, to the overflow's, or to none."""
    row = rows.get(key)
    if row is None:
        # One place is kept for the overflow's own row.
        if len(rows) >= most - (overflow is not None) and key != overflow:
            if overflow is None:
                return
            _grow(rows, overflow, overflow, most, by)
            return
        rows[key] = list(by)
        return
    row[0] += by[0]
    row[1] = min(row[1], by[1])
    row[2] = max(row[2], by[2])
